import { AssayError } from '@assay/foundation';
import type { SandboxSpec } from '../sandbox.ts';

/** What this backend cannot enforce is refused, never ignored. */
export function checkSpec(spec: SandboxSpec): void {
  if (spec.network === 'allow' || spec.network === 'full')
    throw new AssayError('sandbox_refused', `network "${spec.network}" is not available`, {
      why: 'the bubblewrap backend gives a session no way out',
      hint: 'use network "none", or "loopback" for programs that talk to themselves',
    });
  requireNumber('cpus', spec.cpus, { least: 0.01 });
  requireNumber('memoryBytes', spec.memoryBytes, { least: 8 * 1024 * 1024, whole: true });
  requireNumber('pids', spec.pids, { least: 4, whole: true });
  requireNumber('timeoutSeconds', spec.timeoutSeconds, { least: 0.001 });
  requireNumber('outputLimitBytes', spec.outputLimitBytes, { least: 1, whole: true });
  requireNumber('diskBytes', spec.diskBytes, { least: 4096, whole: true });
}

/** As the limit of the specification; shorter ones count. */
export function checkTimeout(seconds: number): void {
  requireNumber('timeoutSeconds', seconds, { least: 0.001 });
}

function requireNumber(name: string, value: number, rule: { readonly least: number; readonly whole?: boolean }): void {
  if (Number.isFinite(value) && value >= rule.least && (rule.whole !== true || Number.isSafeInteger(value))) return;
  throw new AssayError('sandbox_refused', `${name} cannot be ${value}`, {
    why: `it must be a ${rule.whole === true ? 'whole ' : ''}number of at least ${rule.least}`,
  });
}
