import { basename } from 'node:path';
import { AssayError, canonicalJson } from '@assay/foundation';
import type { PlanInputs, RegisteredProtocol, RegisterProtocol } from '@assay/contracts';
import { chooseSplit, preRegistration, profileDataset, type PreRegistration } from '@assay/evaluation';
import { publishedData } from '@assay/quest-repo';
import { BENCHMARK_SEED, profileHints } from '@assay/tasks';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import { PROTOCOL_KEY, protocolIn } from '../planning/protocol-record.ts';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { openQuestion } from '../planning/open-question.ts';
import { absolute, requireFile, requireInside } from '../planning/data-file.ts';

/**
 * Fixes data, rows, split, metrics, direction, primary metric and seeds for plans that are to be compared, as an artifact
 * of its own. The same protocol is registered once in a quest. Rejects with `needs_clarification` when the target is not
 * clear: a protocol is not asked about later.
 */
export async function registerProtocol(
  deps: EngineDeps,
  _caller: Caller,
  input: RegisterProtocol,
): Promise<RegisteredProtocol> {
  const inputs = await checkedData(deps, input.inputs);
  const registration = await registrationOf(inputs, input.rows);
  const quest =
    input.questId === undefined
      ? await deps.quests.create({
          title: input.title ?? `Compare on ${basename(inputs.data)}`,
          goal: `Compare repositories on ${inputs.data}.`,
        })
      : await deps.quests.get(input.questId);
  const artifactId = (await registered(quest, registration, inputs)) ?? (await publish(quest, registration, inputs));
  return {
    questId: quest.quest.id,
    artifactId,
    sha256: registration.sha256,
    primary: registration.primary,
    rows: registration.split.handedOut,
  };
}

type DataInputs = PlanInputs & { readonly data: string };

async function checkedData(deps: EngineDeps, inputs: RegisterProtocol['inputs']): Promise<DataInputs> {
  if (inputs.data === undefined)
    throw new AssayError('dataset_missing', 'a protocol needs a data file', { hint: 'name one: --data FILE' });
  const checked = { ...inputs, data: absolute(inputs.data, 'data') };
  await requireFile(checked.data);
  await requireInside(checked.data, deps.config.data.roots);
  const question = await openQuestion(checked);
  if (question === null) return checked;
  throw new AssayError('needs_clarification', question.question, {
    why: `possible answers: ${question.options.map(({ value }) => value).join(', ')}`,
    hint: `say it with --${question.field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    details: { field: question.field, question: question.question, options: question.options },
  });
}

async function registrationOf(inputs: DataInputs, rows: RegisterProtocol['rows']): Promise<PreRegistration> {
  const manifest = await profileDataset(inputs.data, profileHints(inputs));
  if (manifest.targetColumn === null)
    throw new AssayError('column_missing', `${manifest.name} has no target column, so nothing can be compared on it`, {
      hint: 'name it with --target',
    });
  const split = { training: rows === 'held-out', seed: BENCHMARK_SEED, limit: inputs.limit };
  return preRegistration({ manifest, prepared: await chooseSplit(manifest, split), seed: BENCHMARK_SEED });
}

/** The artifact of the same protocol with the same inputs, when the quest has one. */
async function registered(
  quest: QuestHandle,
  { sha256 }: PreRegistration,
  inputs: PlanInputs,
): Promise<string | undefined> {
  for (const { id } of quest.index.state.artifacts) {
    const artifact = await quest.artifacts.read(id);
    if (artifact?.key !== PROTOCOL_KEY) continue;
    const known = protocolIn(artifact);
    if (known.registration.sha256 === sha256 && canonicalJson(known.inputs) === canonicalJson(inputs)) return id;
  }
  return undefined;
}

async function publish(quest: QuestHandle, registration: PreRegistration, inputs: PlanInputs): Promise<string> {
  const published = await quest.artifacts.publish({
    key: PROTOCOL_KEY,
    type: 'json',
    producer: { attempt: 1 },
    value: registration,
    metadata: { inputs },
  });
  await quest.append([{ type: 'artifact.published', data: publishedData(published) }]);
  return published.artifact.id;
}
