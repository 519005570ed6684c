import { describe, expect, it } from 'vitest';
import { clarificationSchema } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { verifies } from '@assay/testkit';
import { chooseCandidate, confidenceThreshold, type Candidate, type Recognition } from '../src/index.ts';

const base: Candidate = {
  kind: 'method',
  entrypoint: 'm:A.predict',
  module: 'm',
  owner: 'A',
  attribute: 'predict',
  file: 'm.py',
  line: 1,
  importRoot: '',
  input: 'row_dict',
  columns: [],
  call: 'single',
  cwd: '',
  object: { from: 'class', name: 'A', paths: [] },
  ways: [],
  loader: null,
  modelFirst: false,
  needsTraining: false,
  training: null,
  probabilities: null,
  thirdPartyImports: [],
  confidence: 0.9,
  evidence: [],
  notes: [],
};

function recognition(...candidates: readonly Candidate[]): Recognition {
  const rejected = [{ entrypoint: 'm:B.predict', reason: 'm.py:9 takes no data' }];
  const lookedAt = {
    files: 1,
    functions: 0,
    classes: 1,
    commands: 0,
    savedModels: 0,
    paths: ['m.py'],
    unreadable: [],
    limit: null,
  };
  return { candidates, rejected, labelSources: [], lookedAt };
}

const other = (owner: string, confidence: number): Candidate => ({
  ...base,
  owner,
  entrypoint: `m:${owner}.predict`,
  confidence,
});

function reasonOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof AssayError && error.code === 'adapter_not_recognised') return error.why;
    throw error;
  }
  return undefined;
}

/** The entry points that a person is asked to choose from, and why. */
function questionOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'needs_clarification') throw error;
    const { field, options } = clarificationSchema.parse(error.details['clarification']);
    return { field, why: error.why, options: options.map(({ value }) => value) };
  }
  return undefined;
}

describe('choosing a candidate', () => {
  it('takes the best when it is ahead', () => {
    expect(chooseCandidate(recognition(base, other('C', 0.8)))).toBe(base);
  });
  it('takes the best of several methods of one class', () => {
    expect(chooseCandidate(recognition(base, { ...base, attribute: 'predict_one' }))).toBe(base);
  });
  it('asks which of several equals is meant', () => {
    verifies('adapter.asks-which');
    expect(questionOf(() => chooseCandidate(recognition(base, other('C', 0.89), other('D', 0.7))))).toEqual({
      field: 'entrypoint',
      why: 'm:A.predict and m:C.predict both fit (confidence 0.90 and 0.89)',
      options: ['m:A.predict', 'm:C.predict'],
    });
  });
  it('asks about a few guesses and runs none', () => {
    verifies('adapter.asks-which');
    expect(confidenceThreshold).toBe(0.6);
    expect(questionOf(() => chooseCandidate(recognition(other('C', 0.59), other('D', 0.2))))).toEqual({
      field: 'entrypoint',
      why: 'the best guess is m:C.predict with confidence 0.59, and 0.60 is needed',
      options: ['m:C.predict'],
    });
  });
  it('does not ask about many guesses, or about one that nothing speaks for', () => {
    const many = ['B', 'C', 'D', 'E', 'F', 'G'].map((owner) => other(owner, 0.5));
    expect(reasonOf(() => chooseCandidate(recognition(...many)))).toBe(
      'the best guess is m:B.predict with confidence 0.50, and 0.60 is needed',
    );
    expect(reasonOf(() => chooseCandidate(recognition(other('C', 0.29))))).toBe(
      'the best guess is m:C.predict with confidence 0.29, and 0.60 is needed',
    );
  });
  it('takes what is named, also when it is a guess', () => {
    const guess = other('C', 0.3);
    expect(chooseCandidate(recognition(base, guess), { wanted: 'm:C.predict' })).toBe(guess);
  });
  it('lists what was found when what is named is not there', () => {
    verifies('adapter.says-what-is-there');
    expect(() => chooseCandidate(recognition(base, other('C', 0.8)), { wanted: 'm:A.predikt' })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('found here: m:A.predict, m:C.predict') as string }),
    );
  });
  it('names the file that could not be read when there is nothing else', () => {
    verifies('adapter.says-what-is-there');
    const { lookedAt } = recognition();
    const unreadable = [{ path: 'm.py', reason: 'line 2: invalid syntax' }];
    const broken = { ...lookedAt, files: 0, classes: 0, unreadable };
    expect(reasonOf(() => chooseCandidate({ candidates: [], rejected: [], labelSources: [], lookedAt: broken }))).toBe(
      'no code could be read: m.py: line 2: invalid syntax',
    );
    expect(reasonOf(() => chooseCandidate({ ...recognition(), lookedAt: { ...lookedAt, unreadable } }))).toContain(
      'not usable: m:B.predict: m.py:9 takes no data; not read: m.py: line 2: invalid syntax',
    );
  });
  it('says why what is named cannot be used', () => {
    expect(reasonOf(() => chooseCandidate(recognition(base), { wanted: 'm:B.predict' }))).toBe('m.py:9 takes no data');
    expect(reasonOf(() => chooseCandidate(recognition(base), { wanted: 'm:D.predict' }))).toBe(
      'the scan found no prediction-like function or method of this name',
    );
  });
});
