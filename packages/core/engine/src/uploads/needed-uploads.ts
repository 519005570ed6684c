import type { Plan, Upload } from '@assay/contracts';

/**
 * Why a sent file must stay: a plan that can still run reads it, or it is the only copy of the data by which the numbers of
 * a plan are verified. Undefined when neither is so.
 */
export function neededBy(
  plans: readonly Pick<Plan, 'id' | 'status' | 'inputs'>[],
  { path, size }: { readonly path: string } & Pick<Upload, 'size'>,
  keepDataBytes: number,
): string | undefined {
  const readers = plans.filter(({ inputs }) => inputs.data === path);
  const open = readers.find(({ status }) => !['completed', 'failed', 'canceled'].includes(status));
  if (open !== undefined) return `plan ${open.id} reads it and has not ended`;
  const done = readers.find(({ status }) => status === 'completed');
  if (done !== undefined && size > keepDataBytes)
    return `the numbers of plan ${done.id} are verified by it, and the quest keeps no copy of a file of this size (data.keep_bytes)`;
  return undefined;
}
