import { AssayError } from '@assay/foundation';
import type { Candidate } from '@assay/adapter-generator';
import { differingParts, isWhole, type PreRegistration } from '@assay/evaluation';
import type { TaskContext } from './task-type.ts';

/** The protocol that the plan was bound to when it was created; undefined for a plan of its own. */
export async function protocolOf({ plan, artifacts }: TaskContext): Promise<PreRegistration | undefined> {
  const id = plan.inputs.protocol;
  if (id === undefined) return undefined;
  const artifact = await artifacts.read(id);
  const protocol = artifact?.value as PreRegistration | undefined;
  if (protocol !== undefined && isWhole(protocol)) return protocol;
  throw new AssayError('protocol_mismatch', 'the protocol of this plan is gone or was changed', {
    why: artifact === undefined ? `there is no artifact ${id}` : `its hash is not that of its content`,
    hint: 'run "assay fsck"; restore the record from git, or benchmark the repositories again',
  });
}

/** Whether training rows are set aside: the protocol says so, also for code that needs none, so that all predict the same rows. */
export function trainsUnder(protocol: PreRegistration, { needsTraining, entrypoint }: Candidate): boolean {
  const training = protocol.split.method !== 'all';
  if (!needsTraining || training) return training;
  throw new AssayError('protocol_mismatch', `${entrypoint} must be trained, and the protocol has no training rows`, {
    why: 'all rows are predicted under this protocol, so nothing is left to train on',
    hint: 'compare on held-out rows: leave out --rows all',
  });
}

/** The plan registers exactly what was registered for all plans of the comparison. */
export function requireProtocol(protocol: PreRegistration, registration: PreRegistration): void {
  if (registration.sha256 === protocol.sha256) return;
  throw new AssayError('protocol_mismatch', 'the plan cannot follow the protocol that was registered for it', {
    why: `this differs: ${differingParts(protocol, registration).join(', ')}`,
    hint: 'the data file or Assay changed since: benchmark all repositories again under a new protocol',
    details: { protocol: protocol.sha256, registered: registration.sha256 },
  });
}
