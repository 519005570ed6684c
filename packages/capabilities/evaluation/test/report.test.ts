import { describe, expect, test } from 'vitest';
import type { Evidence } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { verifies } from '@assay/testkit';
import { codeSpan, renderReport, type RenderOptions } from '../src/index.ts';

function evidence(id: string, value: number, ci?: readonly [number, number]): Evidence {
  return {
    v: 1,
    id,
    quest: 'quest_1',
    statement: 'a number',
    metric: 'accuracy',
    value,
    recipe: { name: 'metric.accuracy', version: 1, inputs: [], parameters: {} },
    sources: [],
    computedAt: '2026-01-01T00:00:00.000Z',
    ...(ci === undefined ? {} : { ci: { low: ci[0], high: ci[1], level: 0.95, method: 'bootstrap' } }),
  };
}

const known = [evidence('ev_a', 0.971428571, [0.93, 0.9999]), evidence('ev_n', 103), evidence('ev_tiny', 1.5e-7)];

function render(template: string, options?: RenderOptions): string {
  return renderReport(template, known, options).markdown;
}

function problems(template: string, options?: RenderOptions): readonly string[] {
  try {
    render(template, options);
    return [];
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'report_invalid') throw error;
    return error.details['problems'] as string[];
  }
}

describe('references', () => {
  test('become numbers in the asked form', () => {
    verifies('evaluation.report-references');
    expect(
      render('{{ev:ev_a}} {{ev:ev_a|.3f}} {{ev:ev_a|%}} {{ev:ev_a|.2%}} {{ev:ev_a|ci}} {{ev:ev_a|ci%}} {{ev:ev_n}}'),
    ).toBe('0.971428571 0.971 97.1 % 97.14 % 0.930 to 1.000 93.0 % to 100.0 % 103');
    expect(render('{{ ev:ev_a | .1f }} {{ev:ev_n|ci}} {{ev:ev_tiny|.3f}}')).toBe('1.0 – 1.500e-7');
  });

  test('become links to the evidence when it is said where that stands', () => {
    verifies('evaluation.report-references');
    const template = '| metric | value |\n|---|---|\n| accuracy | {{ev:ev_a|.3f}} |';
    expect(render(template, { link: (id) => `../evidence/${id}.json` })).toContain('[0.971](../evidence/ev_a.json)');
  });

  test('that are unknown, broken, badly formatted or not confirmed fail, all at once', () => {
    verifies('evaluation.report-references');
    expect(problems('{{ev:ev_x}} {{ev:ev_a|.99f}} {{ev:ev_a|pretty}} {{ev}} {{ ev_a }} {{ev:ev_a')).toEqual([
      '{{ev:ev_x}} names evidence that does not exist',
      '{{ev:ev_a|.99f}} has a format that is not one of .0f to .12f, %, .1%, ci, ci% or does not fit the number',
      '{{ev:ev_a|pretty}} has a format that is not one of .0f to .12f, %, .1%, ci, ci% or does not fit the number',
      '"{{ev" is not a readable reference',
      '"{{ ev_a " is not a readable reference',
      '"{{ev:ev_a" is not a readable reference',
    ]);
    const mismatch = { evidenceId: 'ev_a', claimed: 1, recomputed: 0, source: 'x', reason: 'mismatch' as const };
    const verification = { ok: 0, total: 1, mismatches: [mismatch] };
    expect(problems('{{ev:ev_a}}', { verification })).toEqual(['{{ev:ev_a}} was not confirmed by verification']);
    expect(problems('{{ev:ev_n}}', { verification })).toEqual([]);
  });
});

describe('a report', () => {
  test('with a results table of references only is rendered', () => {
    verifies('evaluation.report-tables');
    const report = [
      '# Result',
      '',
      'Accuracy is {{ev:ev_a|.3f}}.',
      '',
      '| metric | value | 95 % interval |',
      '|---|---|---|',
      '| macro_F1 on `7` and f1 | {{ev:ev_a|.3f}} | {{ev:ev_a|ci}} |',
      '| **rows** | {{ev:ev_n}} | {{ev:ev_n|ci}} |',
      '',
      '<!-- not results: how the run was configured -->',
      '',
      '| setting | choice |',
      '|---|---|',
      '| seed | 17 |',
    ].join('\n');
    expect(render(report)).toContain('| **rows** | 103 | – |');
  });

  test('with a bare number in a results table fails, wherever the table stands', () => {
    verifies('evaluation.report-tables');
    const table = (cell: string) => `| metric | value |\n|---|---|\n| accuracy | ${cell} |`;
    for (const cell of [
      '0.97',
      '97 %',
      '-1',
      '.5',
      '**0.9**',
      '[0.9](x)',
      '{{ev:ev_a}} of 12',
      '≈0.9',
      '٣',
      '1e5',
      '(0.9)',
    ])
      expect(problems(table(cell)), cell).toHaveLength(1);
    expect(problems(table('0.97'))[0]).toBe('row 1 of the table "metric | value" holds the bare number "0.97"');
    expect(problems(`> ${table('0.97').replaceAll('\n', '\n> ')}`)).toHaveLength(1);
    expect(problems(`- a\n\n  ${table('0.97').replaceAll('\n', '\n  ')}`)).toHaveLength(1);
    expect(problems('| 0.5 | accuracy |\n|---|---|\n| 0.7 | top |')).toHaveLength(1);
    expect(problems('<table><tr><td>0.97</td></tr></table>')).toEqual([
      'an HTML table cannot be checked: write it in Markdown',
    ]);
  });

  test('cannot state a result in its prose', () => {
    verifies('evaluation.report-tables');
    for (const text of [
      'The accuracy is 0.97.',
      '# Macro-F1: 97 %',
      '- RMSE = 3',
      'It has an **F1** of .9',
      'R2 was −1',
      'macro\\_f1: 0.9',
    ])
      expect(problems(`${text}\n\nend`), text).toHaveLength(1);
    for (const text of [
      'The accuracy is {{ev:ev_a|.3f}} on {{ev:ev_n}} rows.',
      'Accuracy: see the table. B = 2000, seed 17.',
      'The 95 % interval of accuracy is {{ev:ev_a|ci}}.',
    ])
      expect(problems(text), text).toEqual([]);
  });

  test('cannot exempt a table of results', () => {
    verifies('evaluation.report-tables');
    const mark = '<!-- not results: trust me -->\n\n';
    expect(problems(`${mark}| setting | accuracy |\n|---|---|\n| a | 0.97 |`)).toEqual([
      'the table "setting | accuracy" names results ("accuracy") and cannot be exempt',
    ]);
    const facts = '| setting | choice |\n|---|---|\n| a | 17 |';
    expect(problems(mark + facts)).toEqual([]);
    expect(problems(`${mark}${facts}\n\n${facts}`)).toHaveLength(1);
    expect(problems(`${mark}Some words.\n\n${facts}`)).toHaveLength(1);
    expect(problems(`<!-- not results: -->\n\n${facts}`)).toHaveLength(1);
  });

  test('with a placeholder, an empty section or a missing figure fails', () => {
    verifies('evaluation.report-lint');
    for (const text of [
      'TODO',
      'Results: TBD.',
      'Conclusions here',
      'Conclusion goes here.',
      'Lorem ipsum dolor',
      '[insert accuracy]',
      '[Your text]',
      'To be written.',
      'What now???',
      '此处填写结论',
      '- item\n  - FIXME',
      '| a | b |\n|---|---|\n| TODO | x |',
    ])
      expect(problems(text).length, text).toBeGreaterThan(0);
    for (const text of ['The todo list of a reader', 'Here are conclusions', '`TODO` is a label', '```\nTODO\n```'])
      expect(problems(text), text).toEqual([]);
    expect(problems('# A\n\n## B\n\ntext\n\n## C\n\n# D\n')).toEqual([
      'the section "C" is empty',
      'the section "D" is empty',
    ]);
    expect(problems('![plot](figures/a.png)')).toEqual(['the figure figures/a.png does not exist']);
    expect(problems('![plot](figures/a.png)', { figures: ['figures/a.png'] })).toEqual([]);
    expect(problems('<img src="x.png">')).toHaveLength(1);
  });

  test('shows names from the data as code that breaks nothing', () => {
    verifies('evaluation.report-lint');
    expect(codeSpan('Adelie')).toBe('`Adelie`');
    const nasty = codeSpan('a`|b\n{{ev:ev_x}} TODO 17');
    expect(problems(`| metric | value |\n|---|---|\n| ${nasty} | {{ev:ev_a}} |`)).toEqual([]);
    expect(codeSpan(' ')).toBe('`␣`');
    expect(codeSpan('')).toBe('`(empty)`');
    expect(codeSpan('high ')).toBe('`high␣`');
    expect(codeSpan('\u001b[2J\u202eab\u00a0c')).toBe('`⟨U+001B⟩[2J⟨U+202E⟩ab⟨U+00A0⟩c`');
  });
});
