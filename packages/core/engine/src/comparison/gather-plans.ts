import { AssayError } from '@assay/foundation';
import {
  datasetManifestSchema,
  usualHint,
  type Artifact,
  type DatasetManifest,
  type NotCompared,
  type Plan,
} from '@assay/contracts';
import { differingParts, isWhole, type PreRegistration } from '@assay/evaluation';
import type { RepositoryManifest } from '@assay/repositories';
import { adapterSpecValue, benchmarkMetricsValue, workspaceValue } from '@assay/tasks';
import type { BenchmarkMetricsValue } from '@assay/tasks';
import type { QuestHandle } from '../quests/quest-handle.ts';
import { candidateNames } from './candidate-names.ts';

/** A completed plan with what a comparison needs of it. */
export interface MeasuredPlan {
  readonly plan: Plan;
  readonly name: string;
  readonly registration: PreRegistration;
  readonly manifest: DatasetManifest;
  readonly manifestArtifact: Artifact;
  readonly predictions: Artifact;
  readonly metrics: BenchmarkMetricsValue;
  readonly entrypoint: string;
  readonly adapterSha256: string;
  readonly workspace: { readonly path: string; readonly fingerprint: string };
  readonly commit: string | null;
}

export interface Gathered {
  readonly registration: PreRegistration;
  readonly measured: readonly MeasuredPlan[];
  readonly notCompared: readonly NotCompared[];
}

/**
 * Sorts plans of one quest into those that can be compared and those that cannot, with the reason. The protocol is that
 * of the first plan that has registered one. Rejects with `not_comparable` when no plan gave a result.
 */
export async function gatherPlans(quest: QuestHandle, plans: readonly Plan[]): Promise<Gathered> {
  const names = candidateNames(plans.map(({ inputs }) => inputs));
  const reader = new PlanReader(quest);
  const measured: MeasuredPlan[] = [];
  const notCompared: NotCompared[] = [];
  let protocol: PreRegistration | undefined;
  for (const [at, plan] of plans.entries()) {
    const name = names[at]!;
    const registration = await reader.registration(plan);
    protocol ??= registration;
    const reason = whyNot(plan, registration, protocol);
    if (reason === undefined) measured.push(await reader.measured(plan, name, registration!));
    else notCompared.push({ plan: plan.id, name, ...reason });
  }
  if (protocol === undefined || measured.length === 0) throw nothingToCompare(notCompared);
  return { registration: protocol, measured, notCompared };
}

type Reason = Omit<NotCompared, 'plan' | 'name'>;

function whyNot(
  plan: Plan,
  registration: PreRegistration | undefined,
  protocol: PreRegistration | undefined,
): Reason | undefined {
  if (plan.status === 'failed' || plan.status === 'canceled') {
    const failed = plan.tasks.find((task) => task.status === 'failed')?.error ?? plan.error;
    return failed ?? { code: 'canceled', message: `its plan was ${plan.status}`, hint: usualHint('canceled') };
  }
  const question = plan.clarification;
  if (plan.status !== 'completed' && question !== null && question.answer === null)
    return {
      code: 'needs_clarification',
      message: `its plan waits for an answer: ${question.question}`,
      hint: `assay plan clarify ${plan.id} <answer>, assay plan start ${plan.id}, then compare again`,
    };
  if (plan.status !== 'completed')
    return {
      code: 'plan_not_runnable',
      message: `its plan has not ended: it is ${plan.status.replaceAll('_', ' ')}`,
      hint: `assay plan start ${plan.id}, then compare again`,
    };
  if (registration === undefined || protocol === undefined)
    return {
      code: 'protocol_mismatch',
      message: 'its pre-registration is gone or was changed',
      hint: 'run "assay fsck"',
    };
  if (registration.sha256 === protocol.sha256) return undefined;
  return {
    code: 'protocol_mismatch',
    message: 'its protocol is another one',
    why: `this differs: ${differingParts(protocol, registration).join(', ')}`,
    hint: 'benchmark all repositories in one command, so that they are judged alike',
  };
}

class PlanReader {
  readonly #quest: QuestHandle;

  constructor(quest: QuestHandle) {
    this.#quest = quest;
  }

  async registration(plan: Plan): Promise<PreRegistration | undefined> {
    const value = (await this.#artifact(plan, 'preregistration'))?.value as PreRegistration | undefined;
    return value !== undefined && isWhole(value) ? value : undefined;
  }

  async measured(plan: Plan, name: string, registration: PreRegistration): Promise<MeasuredPlan> {
    const manifestArtifact = await this.#required(plan, 'dataset_manifest');
    const spec = adapterSpecValue.parse((await this.#required(plan, 'validated_benchmark_adapter_spec')).value);
    const repository = (await this.#required(plan, 'repo_manifest')).value as RepositoryManifest;
    return {
      plan,
      name,
      registration,
      manifest: datasetManifestSchema.parse(manifestArtifact.value),
      manifestArtifact,
      predictions: await this.#required(plan, 'benchmark_predictions'),
      metrics: benchmarkMetricsValue.parse((await this.#required(plan, 'benchmark_metrics')).value),
      entrypoint: spec.entrypoint,
      adapterSha256: spec.adapterSha256,
      workspace: workspaceValue.parse((await this.#required(plan, 'workspace_path')).value),
      commit: repository.commit,
    };
  }

  async #artifact(plan: Plan, key: string): Promise<Artifact | undefined> {
    const id = plan.artifacts[key];
    return id === undefined ? undefined : this.#quest.artifacts.read(id);
  }

  async #required(plan: Plan, key: string): Promise<Artifact> {
    const artifact = await this.#artifact(plan, key);
    if (artifact !== undefined) return artifact;
    throw new AssayError('output_missing', `the artifact ${key} of plan ${plan.id} is not there`, {
      hint: 'run "assay fsck" to see what the quest has lost',
    });
  }
}

function nothingToCompare(notCompared: readonly NotCompared[]): AssayError {
  return new AssayError('not_comparable', 'none of these plans gave a result that can be compared', {
    why: notCompared.map(({ name, message }) => `${name}: ${message}`).join('; '),
    hint: `assay why ${notCompared[0]?.plan ?? '<plan>'} says what to do about the first`,
    details: { notCompared },
  });
}
