import { AssayError } from '@assay/foundation';
import { createEgressProxy, type EgressPolicy } from '@assay/egress-proxy';
import type { SandboxSpec } from '../sandbox.ts';

/** What this backend cannot enforce is refused, never ignored. */
export function checkSpec(spec: SandboxSpec): void {
  if (spec.network === 'full')
    throw new AssayError('sandbox_refused', 'network "full" is not available', {
      why: 'the bubblewrap backend gives a session no way out but to named hosts',
      hint: 'name the hosts: network: {allow: [...]}',
    });
  if (typeof spec.network === 'object') checkPolicy(spec.network, spec);
  requireNumber('cpus', spec.cpus, { least: 0.01 });
  requireNumber('memoryBytes', spec.memoryBytes, { least: 8 * 1024 * 1024, whole: true });
  requireNumber('pids', spec.pids, { least: 4, whole: true });
  requireNumber('timeoutSeconds', spec.timeoutSeconds, { least: 0.001 });
  requireNumber('outputLimitBytes', spec.outputLimitBytes, { least: 1, whole: true });
  requireNumber('diskBytes', spec.diskBytes, { least: 4096, whole: true });
}

/** The policy is compiled here once, so that a bad entry is told to whoever wrote it and not found by the session host. */
function checkPolicy(policy: EgressPolicy, spec: SandboxSpec): void {
  createEgressProxy({ policy, onRecord: () => undefined })[Symbol.dispose]();
  if (spec.interpreter === undefined)
    throw new AssayError('sandbox_refused', 'the network needs an interpreter', {
      why: 'the bridge to the allowed hosts is a Python program inside the sandbox',
      hint: 'name an interpreter in the specification',
    });
}

/** As the limit of the specification; shorter ones count. */
export function checkTimeout(seconds: number): void {
  requireNumber('timeoutSeconds', seconds, { least: 0.001 });
}

function requireNumber(name: string, value: number, rule: { readonly least: number; readonly whole?: boolean }): void {
  if (Number.isFinite(value) && value >= rule.least && (rule.whole !== true || Number.isSafeInteger(value))) return;
  throw new AssayError('sandbox_refused', `${name} cannot be ${value}`, {
    why: `it must be a ${rule.whole === true ? 'whole ' : ''}number of at least ${rule.least}`,
    hint: 'correct the limit, which config.yaml names under sandbox',
  });
}
