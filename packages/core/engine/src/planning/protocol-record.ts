import * as z from 'zod';
import { planInputsSchema, type Artifact, type PlanInputs } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { isWhole, type PreRegistration } from '@assay/evaluation';

/** Artifacts with this key hold a pre-registration that was made before the plans that follow it. */
export const PROTOCOL_KEY = 'protocol';

const metadata = z.object({ inputs: planInputsSchema });

export interface Protocol {
  readonly artifactId: string;
  readonly registration: PreRegistration;
  /** What a plan under it takes over: data, target and what else the evaluation depends on. */
  readonly inputs: PlanInputs;
}

/** The protocol that an artifact holds. Throws `protocol_mismatch` when it holds none, or was changed. */
export function protocolIn(artifact: Artifact): Protocol {
  const registration = artifact.value as PreRegistration | undefined;
  const parsed = metadata.safeParse(artifact.metadata);
  if (artifact.key === PROTOCOL_KEY && registration !== undefined && isWhole(registration) && parsed.success)
    return { artifactId: artifact.id, registration, inputs: parsed.data.inputs };
  throw new AssayError('protocol_mismatch', `the artifact ${artifact.id} is not a protocol`, {
    why: `its key is ${artifact.key}, or its content was changed`,
    hint: 'register one with POST /api/protocols, or restore the record from git',
  });
}
