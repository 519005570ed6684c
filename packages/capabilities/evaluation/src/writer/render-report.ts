import { AssayError } from '@assay/foundation';
import type { Evidence, Verification } from '@assay/contracts';
import { lintReport, REFERENCE_MARK } from './lint-report.ts';
import { replaceReferences, showNumber } from './references.ts';

export interface RenderOptions {
  /** Figures that exist, as the report names them. */
  readonly figures?: Iterable<string> | undefined;
  /** What verification found: a reference to a number that was not confirmed is a problem. */
  readonly verification?: Verification | undefined;
  /** Where the record of evidence stands, from the rendered file: each number becomes a link to it. */
  readonly link?: ((evidenceId: string) => string) | undefined;
}

const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Renders a Markdown template in which every number is a reference `{{ev:ID}}`, `{{ev:ID|.3f}}`, `{{ev:ID|%}}` or
 * `{{ev:ID|ci}}`. Throws `report_invalid` with all problems: unknown or broken references, numbers that verification did
 * not confirm, placeholders, missing figures, empty sections, bare numbers in tables of results.
 */
export function renderReport(
  template: string,
  evidence: readonly Evidence[],
  options: RenderOptions = {},
): { readonly markdown: string } {
  if (template.length > MAX_CHARACTERS) throw invalid([`it is longer than ${MAX_CHARACTERS} characters`]);
  const byId = new Map(evidence.map((one) => [one.id, one]));
  const doubted = new Set(options.verification?.mismatches.map(({ evidenceId }) => evidenceId));
  const used = new Set<string>();
  const { markdown, problems } = replaceReferences(template, byId, (one, format) => {
    used.add(one.id);
    const shown = showNumber(one, format);
    return shown === undefined || options.link === undefined ? shown : `[${shown}](${options.link(one.id)})`;
  });
  const marked = replaceReferences(template, byId, () => REFERENCE_MARK).markdown;
  const all = [
    ...problems,
    ...[...used].filter((id) => doubted.has(id)).map((id) => `{{ev:${id}}} was not confirmed by verification`),
    ...lintReport(marked, { figures: new Set(options.figures) }),
  ];
  if (all.length > 0) throw invalid(all);
  return { markdown };
}

/**
 * A name from the data as inline code that cannot break out of a table cell, a link or a reference. What could not be
 * seen is made visible: blanks at the ends, controls and other invisible characters, so that two names never look alike.
 */
export function codeSpan(text: string): string {
  const safe = text
    .replace(/[`|{}]/g, (character) => substitutes[character]!)
    .replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (character) => `⟨U+${hex(character)}⟩`)
    .replace(/^ +| +$/g, (blanks) => '␣'.repeat(blanks.length));
  return safe === '' ? '`(empty)`' : `\`${safe}\``;
}

function hex(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}

/** Look-alikes for the characters that end inline code, cells and references. */
const substitutes: Readonly<Record<string, string>> = { '`': 'ˋ', '|': '∣', '{': '❴', '}': '❵' };

function invalid(problems: readonly string[]): AssayError {
  const shown = problems.slice(0, 10).join('; ');
  return new AssayError(
    'report_invalid',
    `the report has ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
    {
      why: `${shown}${problems.length > 10 ? '; …' : ''}.`,
      hint: 'Every number of a result must be a reference to evidence; finish what is open.',
      details: { problems: problems.slice(0, 1000) },
    },
  );
}
