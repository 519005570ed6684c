import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import { commandCases } from './corpus/commands.ts';
import { doubtfulLabelCases, makingCases } from './corpus/families.ts';
import { labelCases } from './corpus/labels.ts';
import { libraryCases } from './corpus/libraries.ts';
import { refusedCases } from './corpus/refused.ts';
import { shownCases } from './corpus/shown.ts';
import { judgeRepository } from './support/preflight.ts';

describe('small repositories in the styles of real ones', () => {
  it.each(libraryCases)('$name', async ({ files, table, options, expected }) => {
    verifies('adapter.recognises-styles');
    expect(await judgeRepository(files, table, options)).toEqual(expected);
  });

  it.each(shownCases)('shown: $name', async ({ files, table, options, expected }) => {
    verifies('adapter.shown-uses');
    expect(await judgeRepository(files, table, options)).toEqual(expected);
  });

  it.each(makingCases)('made otherwise: $name', async ({ files, table, options, expected }) => {
    verifies('adapter.made-otherwise');
    expect(await judgeRepository(files, table, options)).toEqual(expected);
  });

  it.each(doubtfulLabelCases)('not for code to say: $name', async ({ files, table, options, expected }) => {
    verifies('adapter.other-question');
    expect(await judgeRepository(files, table, options)).toEqual(expected);
  });

  it.each(labelCases)('labels: $name', async ({ files, table, options, expected }) => {
    verifies('adapter.labels-by-evidence');
    expect(await judgeRepository(files, table, options)).toEqual(expected);
  });

  it.each(commandCases)('a command line: $name', async ({ files, table, options, expected }) => {
    verifies('adapter.command-lines');
    expect(await judgeRepository(files, table, options)).toEqual(expected);
  });

  it.each(refusedCases)('refused: $name', async ({ files, table, options, expected }) => {
    verifies('adapter.doubtful-answers');
    expect(await judgeRepository(files, table, options)).toEqual(expected);
  });
});
