import { AssayError, canonicalJson } from '@assay/foundation';
import type { CreatePlan, PlanInputs } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';
import { isRecorded } from '../verification/changed-artifacts.ts';
import { protocolIn } from './protocol-record.ts';

/**
 * The inputs of a plan, completed by the protocol that it names. Rejects with `invalid_request` when the plan says
 * something else than the protocol, or names no quest.
 */
export async function underProtocol(
  deps: EngineDeps,
  { questId, inputs, attachments }: CreatePlan,
): Promise<PlanInputs> {
  if (inputs.protocol === undefined) return inputs;
  if (questId === undefined || attachments.length > 0)
    throw new AssayError('invalid_request', 'a plan under a protocol names its quest, and no data of its own', {
      hint: 'give questId and inputs.protocol as POST /api/protocols answered them',
    });
  const quest = await deps.quests.get(questId);
  const artifact = await quest.artifacts.read(inputs.protocol);
  if (artifact === undefined)
    throw new AssayError('not_found', `there is no protocol ${inputs.protocol} in this quest`, {
      hint: 'register it with POST /api/protocols',
    });
  const published = quest.index.state.artifacts.find(({ id }) => id === artifact.id);
  if (published === undefined || !(await isRecorded(artifact, published, quest.artifacts)))
    throw new AssayError(
      'protocol_mismatch',
      `the record of the protocol ${artifact.id} is not the one that was registered`,
      {
        why: 'the journal of the quest holds another hash',
        hint: 'run "assay fsck"; restore the record from git, or register the protocol again in another quest',
      },
    );
  const fixed: Readonly<Record<string, unknown>> = protocolIn(artifact).inputs;
  const said: Readonly<Record<string, unknown>> = inputs;
  const own = new Set(['repository', 'ref', 'subfolder', 'secret', 'entrypoint', 'map', 'protocol']);
  for (const name of Object.keys(said))
    if (name in fixed && !own.has(name) && canonicalJson(said[name]) !== canonicalJson(fixed[name]))
      throw new AssayError('invalid_request', `the plan says another ${name} than its protocol`, {
        why: `the protocol has ${canonicalJson(fixed[name])}`,
        hint: 'leave it out, or register another protocol',
      });
  return { ...inputs, ...fixed };
}
