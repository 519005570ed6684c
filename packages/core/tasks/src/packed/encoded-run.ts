/** Shorter runs are names and keys. */
export const BLOB_RUN = 64;

/** Whether a run of letters and digits is long enough to hold something, and more varied than a ruler of dashes. */
export function isLongEnough(run: string): boolean {
  return run.length >= BLOB_RUN && new Set(run.slice(0, 256)).size >= 8;
}
