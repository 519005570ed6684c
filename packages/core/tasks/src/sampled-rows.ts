import type { DatasetManifest } from '@assay/contracts';
import { readKnownTable } from '@assay/evaluation';
import { tellingRow, type SampledRow } from './row-finder.ts';
import { tokensOf, type Token } from './text-tokens.ts';

const SAMPLED = 50;
/** So many telling rows of one part of the file are compared; the most telling one is taken. */
const COMPARED = 20;
/**
 * A row that is one text is found better by its letters in their order (see `traces`) than by its words near one another,
 * which stand so in many texts. With fewer rows than these, letters alone may prove too little: then rows that have
 * words of their own are searched for in both ways.
 */
const ENOUGH_TEXTS = 200;
const OWN_WORDS = 4;
const FEWEST_WORDS = 3;
const MOSTLY = 0.8;

interface Choice {
  readonly row: SampledRow;
  readonly score: number;
  readonly compared: number;
}

/**
 * Up to 50 different telling rows, one of each fiftieth of the file, always with their target; rows without a target
 * are left out.
 */
export async function sampledRows(manifest: DatasetManifest, signal: AbortSignal): Promise<SampledRow[]> {
  const target = manifest.columns.find((column) => column.name === manifest.targetColumn);
  const choices = new Map<number, Choice>();
  const texts = new Set<SampledRow>();
  await readKnownTable(
    manifest,
    (row) => {
      const part = Math.floor((row.index * SAMPLED) / Math.max(1, manifest.rowCount));
      const best = choices.get(part);
      if (best !== undefined && best.compared >= COMPARED) return;
      const label = target === undefined ? '' : row.text(target.position);
      if (label === null) return;
      const cells = manifest.columns.map(({ position }) => row.text(position) ?? '');
      const telling = tellingRow(cells);
      if (telling === undefined) return;
      const features = cells.filter((_, at) => manifest.columns[at] !== target);
      if (isOneText(features)) texts.add(telling);
      const score = scoreOf(telling, { features: features.join('\n'), label });
      const compared = (best?.compared ?? 0) + 1;
      choices.set(
        part,
        best === undefined || score > best.score ? { row: telling, score, compared } : { ...best, compared },
      );
    },
    { signal },
  );
  const different = new Map([...choices.values()].map(({ row }) => [JSON.stringify(row.tokens), row]));
  const rows = [...different.values()].slice(0, SAMPLED);
  const fewest = manifest.rowCount < ENOUGH_TEXTS ? OWN_WORDS : Infinity;
  const own = ownTokens(rows);
  return rows.filter((row) => !texts.has(row) || own(row) >= fewest);
}

/** How many tokens of a row no other has. */
function ownTokens(rows: readonly SampledRow[]): (row: SampledRow) => number {
  const counts = new Map<Token, number>();
  for (const { tokens } of rows) for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return ({ tokens }) => tokens.filter((token) => counts.get(token) === 1).length;
}

/** Whether nearly all words of a row stand in one text. */
function isOneText(features: readonly string[]): boolean {
  const counts = features.map((cell) => tokensOf(cell).length);
  const most = Math.max(0, ...counts);
  return most >= FEWEST_WORDS && most >= MOSTLY * counts.reduce((sum, count) => sum + count, 0);
}

/** Rows tell more when their target is no value of another column, and when more of their values are long. */
function scoreOf(row: SampledRow, parts: { readonly features: string; readonly label: string }): number {
  const features = new Set(tokensOf(parts.features));
  const ownTarget = tokensOf(parts.label).some((token) => !features.has(token));
  const long = row.tokens.filter((token) => String(token).length > 2).length;
  return long + (ownTarget ? row.tokens.length : 0);
}
