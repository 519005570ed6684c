import type { Evidence, Mismatch } from '@assay/contracts';

/** A number as a rendered report shows it: a link to its evidence record. */
const LINK = /\[([^\][\n]{1,80})\]\((?:[^()\s]*\/)?evidence\/(ev_[0-9A-Z]{26})\.json\)/g;

export interface RenderedReport {
  /** For messages, relative to the quest. */
  readonly file: string;
  readonly markdown: string;
}

/**
 * Compares the numbers of rendered reports with the evidence that they link to. A number that was edited in the report
 * is a mismatch, and so is one that links to evidence which is not there. The words around them are
 * held by the hash of the file: see `changedReports`.
 */
export function checkRendered(reports: readonly RenderedReport[], evidence: readonly Evidence[]): Mismatch[] {
  const byId = new Map(evidence.map((one) => [one.id, one]));
  return reports.flatMap(({ file, markdown }) =>
    [...markdown.matchAll(LINK)].flatMap(([, text = '', id = '']) => {
      const one = byId.get(id);
      const shown = numbersIn(text);
      if (one === undefined || shown.length === 0 || agrees(one, shown)) return [];
      return [
        { evidenceId: id, claimed: shown[0]!.value, recomputed: one.value, source: file, reason: 'mismatch' as const },
      ];
    }),
  );
}

interface ShownNumber {
  readonly value: number;
  /** Half a unit of the last digit that is shown. */
  readonly tolerance: number;
}

const NUMBER = /[+\-−]?\d+(?:\.(\d+))?(?:e([+-]?\d+))?( %)?/gi;

/** The numbers of a text with the precision they are shown in; percent become shares. */
function numbersIn(text: string): ShownNumber[] {
  return [...text.matchAll(NUMBER)].map(([whole, decimals = '', exponent = '0', percent]) => {
    const scale = percent === undefined ? 1 : 0.01;
    const value = Number(whole.replace('−', '-').replace(' %', '')) * scale;
    const rounding = Number.EPSILON * Math.abs(value);
    // A whole number is a count and not the rounding of a fraction: 1 is not a way to show 0.96.
    if (decimals === '' && percent === undefined) return { value, tolerance: rounding };
    const unit = 10 ** (Number(exponent) - decimals.length) * scale;
    return { value, tolerance: 0.5 * unit * (1 + 1e-9) + rounding };
  });
}

/** One number is the value, two are its interval. */
function agrees(evidence: Evidence, shown: readonly ShownNumber[]): boolean {
  const close = (one: ShownNumber | undefined, value: number) =>
    one !== undefined && Math.abs(one.value - value) <= one.tolerance;
  if (shown.length === 1) return close(shown[0], evidence.value);
  if (shown.length !== 2 || evidence.ci === undefined) return false;
  return close(shown[0], evidence.ci.low) && close(shown[1], evidence.ci.high);
}
