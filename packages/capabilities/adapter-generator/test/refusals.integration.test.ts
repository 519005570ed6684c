import { describe, expect, it } from 'vitest';
import { AssayError } from '@assay/foundation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { chooseCandidate } from '../src/index.ts';
import { fixture, recogniseFolder } from './support/python.ts';
import { flowers, messages, prices, rooms, type Table } from './support/tables.ts';

interface Refused {
  readonly repository: string;
  readonly table: Table;
  /** Part of the error's `why`. */
  readonly why: string;
  /** A person is asked which entry point is meant. */
  readonly asks?: boolean;
}

const refused: readonly Refused[] = [
  { repository: 'only-utilities', table: flowers, why: 'none is named like a prediction' },
  { repository: 'only-in-tests', table: flowers, why: 'tests/test_model.py is part of the tests' },
  { repository: 'only-vendored', table: flowers, why: 'somebody else’s code' },
  { repository: 'only-example', table: flowers, why: 'examples/run.py is an example' },
  { repository: 'import-waits', table: flowers, why: 'importing it waits for input (model.py:1)' },
  { repository: 'parses-arguments', table: flowers, why: 'importing it reads the command line (model.py:4)' },
  { repository: 'import-loops', table: flowers, why: 'importing it loops for ever (model.py:3)' },
  { repository: 'needs-argument', table: flowers, why: 'its constructor needs weights_file' },
  { repository: 'abstract-only', table: flowers, why: 'is not implemented' },
  { repository: 'only-metric', table: flowers, why: 'needs the answer ("y_true")' },
  { repository: 'unknown-shape', table: flowers, why: 'the best guess is model:predict', asks: true },
  { repository: 'two-equal', table: flowers, why: 'model:Left.predict and model:Right.predict', asks: true },
  { repository: 'other-columns', table: flowers, why: 'it reads "income", "postcode" of each row' },
  { repository: 'four-numbers', table: flowers, why: 'it unpacks 4 numbers, and 2 input columns hold numbers' },
  { repository: 'reads-files', table: messages, why: 'works on files' },
  { repository: 'reads-files', table: messages, why: 'its parameter "source" takes a file' },
  { repository: 'wrapped', table: flowers, why: 'is wrapped by @route' },
  { repository: 'text-function', table: flowers, why: 'it takes a text, and no input column holds texts' },
  { repository: 'vector-batch', table: messages, why: 'it takes a list of numbers, and no input column holds numbers' },
  { repository: 'text-function', table: prices, why: 'gives labels, and the target is a number' },
  { repository: 'arguments', table: rooms, why: 'it needs petal_length, petal_width, which are no input column' },
];

describe('repositories that are refused', () => {
  it.each(refused)('$repository: $why', async ({ repository, table, why, asks = false }) => {
    verifies('adapter.refuses-honestly');
    const recognition = await recogniseFolder(fixture(repository), table);
    const error = refusal(() => chooseCandidate(recognition));
    expect(error.code).toBe(asks ? 'needs_clarification' : 'adapter_not_recognised');
    expect(error.why).toContain(why);
    expect(error.hint).not.toBe('');
    expect(error.details['lookedAt']).toMatchObject({ limit: null });
  });

  it('says that there is no Python at all', async () => {
    await using empty = await temporaryFolder();
    const error = refusal(() => chooseCandidate({ candidates: [], rejected: [], labelSources: [], lookedAt: nothing }));
    expect(error.why).toBe('the repository holds no Python code');
    const recognition = await recogniseFolder(empty.path, flowers);
    expect(recognition).toEqual({ candidates: [], rejected: [], labelSources: [], lookedAt: nothing });
  });

  it('names the file that Python cannot parse', async () => {
    const { lookedAt } = await recogniseFolder(fixture('old-syntax'), flowers);
    expect(lookedAt.unreadable).toEqual([
      { path: 'old.py', reason: "line 2: Missing parentheses in call to 'print'. Did you mean print(...)?" },
    ]);
  });

  it('keeps what a repository needs from elsewhere with the candidate', async () => {
    verifies('adapter.names-missing-packages');
    const needing = await recogniseFolder(fixture('needs-numpy'), flowers);
    expect(needing.candidates[0]?.thirdPartyImports).toEqual(['numpy']);
    const optional = await recogniseFolder(fixture('optional-numpy'), flowers);
    expect(optional.candidates[0]?.thirdPartyImports).toEqual([]);
  });
});

const nothing = {
  files: 0,
  functions: 0,
  classes: 0,
  commands: 0,
  savedModels: 0,
  paths: [],
  unreadable: [],
  limit: null,
};

function refusal(work: () => unknown): AssayError {
  try {
    work();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
