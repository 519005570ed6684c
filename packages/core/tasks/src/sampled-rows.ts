import type { DatasetManifest } from '@assay/contracts';
import { readKnownTable } from '@assay/evaluation';
import { tellingRow, type SampledRow } from './row-finder.ts';
import { tokensOf } from './text-tokens.ts';

const SAMPLED = 50;
/** So many telling rows of one part of the file are compared; the most telling one is taken. */
const COMPARED = 20;

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
  return [...different.values()].slice(0, SAMPLED);
}

/** Rows tell more when their target is no value of another column, and when more of their values are long. */
function scoreOf(row: SampledRow, parts: { readonly features: string; readonly label: string }): number {
  const features = new Set(tokensOf(parts.features));
  const ownTarget = tokensOf(parts.label).some((token) => !features.has(token));
  const long = row.tokens.filter((token) => String(token).length > 2).length;
  return long + (ownTarget ? row.tokens.length : 0);
}
