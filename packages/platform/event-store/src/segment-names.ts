import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `<first-seq>.jsonl`: a run of whole lines that starts with event `first`. */
export interface Segment {
  readonly first: number;
  readonly path: string;
}

export function segmentPath(eventsDir: string, first: number): string {
  return join(eventsDir, `${first}.jsonl`);
}

/** In order. Other files of the folder are not segments. */
export function listSegments(eventsDir: string): Segment[] {
  return readdirSync(eventsDir)
    .map((name) => /^([1-9]\d{0,14})\.jsonl$/.exec(name)?.[1])
    .filter((first) => first !== undefined)
    .map((first) => ({ first: Number(first), path: segmentPath(eventsDir, Number(first)) }))
    .sort((a, b) => a.first - b.first);
}
