import type { DatasetManifest } from '@assay/contracts';
import { readTable } from '@assay/evaluation';
import type { SampledRow } from './find-data-copies.ts';

const SAMPLED = 50;

/** Up to 50 rows spread over the file, each as the texts of its cells; rows without a target are left out. */
export async function sampledRows(manifest: DatasetManifest, signal: AbortSignal): Promise<SampledRow[]> {
  const target = manifest.columns.find((column) => column.name === manifest.targetColumn);
  const step = Math.max(1, Math.floor(manifest.rowCount / SAMPLED));
  const rows: SampledRow[] = [];
  await readTable(manifest.path, {
    signal,
    onRow(row) {
      if (row.index % step !== 0 || rows.length >= SAMPLED) return;
      if (target !== undefined && row.text(target.position) === null) return;
      const cells = manifest.columns.map(({ position }) => row.text(position)?.trim() ?? '');
      rows.push(cells.filter((cell) => cell !== ''));
    },
  });
  return rows;
}
