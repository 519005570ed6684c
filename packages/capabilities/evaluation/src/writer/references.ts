import type { Evidence } from '@assay/contracts';

/** `{{ev:ID}}` or `{{ev:ID|format}}`. Anything that starts like one must be one. */
const REFERENCE = /\{\{\s*ev:([^{}|\s]*)\s*(?:\|([^{}]*))?\}\}/g;

export interface Replaced {
  readonly markdown: string;
  readonly problems: readonly string[];
}

/**
 * Puts the values of evidence in the places of references. `show` gives the text of one; what it leaves undefined is an
 * unreadable format. Every unknown id, unreadable format and broken reference is a problem.
 */
export function replaceReferences(
  template: string,
  evidence: ReadonlyMap<string, Evidence>,
  show: (evidence: Evidence, format: string) => string | undefined,
): Replaced {
  const problems: string[] = [];
  const markdown = template.replace(REFERENCE, (reference: string, id: string, format: string | undefined) => {
    const found = evidence.get(id);
    if (found === undefined) {
      problems.push(`${reference} names evidence that does not exist`);
      return reference;
    }
    const text = show(found, format?.trim() ?? '');
    if (text !== undefined) return text;
    problems.push(
      `${reference} has a format that is not one of .0f to .12f, %, .1%, ci, ci% or does not fit the number`,
    );
    return reference;
  });
  const rest = template.replace(REFERENCE, '');
  for (const broken of rest.matchAll(/\{\{[^}\n]{0,60}/g)) problems.push(`"${broken[0]}" is not a readable reference`);
  return { markdown, problems };
}

/**
 * A number in a format: none = as exactly as it is known, `.3f` = three decimals, `%` = percent with one decimal
 * (`.2%` with two), `ci` = its interval with three decimals (`ci%` in percent).
 */
export function showNumber(evidence: Evidence, format: string): string | undefined {
  if (format === '') return String(evidence.value);
  const fixed = /^\.(\d{1,2})f$/.exec(format);
  if (fixed !== null) return decimals(evidence.value, Number(fixed[1]));
  const percent = /^(?:\.(\d))?%$/.exec(format);
  if (percent !== null) return `${decimals(evidence.value * 100, Number(percent[1] ?? 1))} %`;
  if (evidence.ci === undefined) return format === 'ci' || format === 'ci%' ? '–' : undefined;
  const { low, high } = evidence.ci;
  if (format === 'ci') return `${decimals(low, 3)} to ${decimals(high, 3)}`;
  if (format === 'ci%') return `${decimals(low * 100, 1)} % to ${decimals(high * 100, 1)} %`;
  return undefined;
}

/** Large and tiny numbers in exponent form, because fixed decimals would hide or invent digits. */
function decimals(value: number, places: number): string | undefined {
  if (places > 12) return undefined;
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 10 ** -places / 2) ? value.toExponential(3) : value.toFixed(places);
}
