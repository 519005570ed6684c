import { basename } from 'node:path';
import { AssayError, newId } from '@assay/foundation';
import type { ApprovalProposal, Budget, CreatePlan, Plan, PlanInputs } from '@assay/contracts';
import { newPlan } from '@assay/plan-graph';
import { parseLabelMap } from '@assay/tasks';
import type { EngineDeps } from '../deps.ts';
import type { Caller } from '../engine.ts';
import type { Config } from '../home/config.ts';
import { approvalProposal, machineResources, type MachineResources } from '../planning/approval-proposal.ts';
import { customBenchmarkTasks } from '../planning/custom-benchmark.ts';
import { absolute, requireFile, requireInside } from '../planning/data-file.ts';
import { openQuestion } from '../planning/open-question.ts';
import { budgetLimits, planBudget } from '../planning/plan-budget.ts';
import { repositoryInputs, shortName } from '../planning/repository-inputs.ts';
import { underProtocol } from '../planning/under-protocol.ts';

/**
 * Creates a benchmark plan in the named quest, or in a new one. What the caller says is checked before anything is
 * written; what it leaves open is either clear from the data or asked.
 */
export async function createPlan(deps: EngineDeps, caller: Caller, input: CreatePlan): Promise<Plan> {
  refuseReuse(input);
  const { uploadId } = input.attachments[0] ?? {};
  const sent = uploadId === undefined ? undefined : deps.uploads.find(caller.ownerId, uploadId).path;
  const inputs = await checkedInputs(deps, { ...input, inputs: await underProtocol(deps, input) }, sent);
  const machine = input.mode === 'full' ? await machineResources(deps.home.root) : undefined;
  const budget = proposedBudget(deps.config, input, machine);
  if (sent === undefined) await requireInside(inputs.data, deps.config.data.roots);
  const clarification = await openQuestion(inputs);
  const names = `${shortName(inputs.repository)} on ${basename(inputs.data)}`;
  const quest =
    input.questId === undefined
      ? await deps.quests.create({
          title: input.title ?? `Benchmark ${names}`,
          goal: `Benchmark ${inputs.repository} on ${inputs.data}.`,
        })
      : await deps.quests.get(input.questId);
  const plan = newPlan({
    id: newId('plan'),
    questId: quest.quest.id,
    traceId: newId('trace'),
    userIntent: input.title ?? `Benchmark ${names}`,
    intentType: 'Custom_Benchmark',
    tasks: customBenchmarkTasks(),
    createdAt: deps.clock.now(),
    ownerId: caller.ownerId,
    budget,
    ...(input.mode === undefined ? {} : { mode: input.mode }),
    reuse: false,
    inputs,
    ...(clarification === null ? {} : { clarification }),
    ...approval(deps.config, machine),
  });
  await deps.scheduler.add(plan);
  return deps.scheduler.plan(plan.id);
}

type BenchmarkInputs = PlanInputs & { readonly repository: string; readonly data: string };

/** `sent` is the path of the attached file when it was sent. */
async function checkedInputs(deps: EngineDeps, input: CreatePlan, sent: string | undefined): Promise<BenchmarkInputs> {
  if (input.intentType !== undefined && input.intentType !== 'Custom_Benchmark')
    throw new AssayError('invalid_request', `plans of type ${input.intentType} cannot be made yet`, {
      hint: 'this version makes benchmark plans: leave intentType out',
    });
  const data = input.inputs.data ?? sent ?? input.attachments[0]?.path;
  if (data === undefined)
    throw new AssayError('dataset_missing', 'a benchmark needs a data file', { hint: 'name one: --data FILE' });
  const repository = input.inputs.repository;
  if (repository === undefined)
    throw new AssayError('repository_missing', 'a benchmark needs a repository', {
      hint: 'name one: --repo FOLDER, an address of a git repository, or pypi:NAME',
    });
  if (input.inputs.map !== undefined) parseLabelMap(input.inputs.map);
  const named = await repositoryInputs({ ...input.inputs, repository }, deps.secrets);
  const checked = { ...input.inputs, ...named, data: absolute(data, 'data') };
  await requireFile(checked.data);
  return checked;
}

/** Of a full run, no more disk than there is. */
function proposedBudget(config: Config, { budget, mode }: CreatePlan, machine: MachineResources | undefined): Budget {
  const limits = budgetLimits(config, mode);
  const disk = machine === undefined ? {} : { maxDiskBytes: Math.max(1, Math.min(limits.maxDiskBytes, machine.disk)) };
  return planBudget({ ...disk, ...budget }, limits);
}

/** Why the plan must be approved, and for a full run what whoever approves it should know. */
function approval(
  config: Config,
  machine: MachineResources | undefined,
): { approvalReason?: string; approvalProposal?: ApprovalProposal } {
  if (machine !== undefined)
    return { approvalReason: 'a full run was asked for', approvalProposal: approvalProposal(machine, config.full) };
  return config.plans.require_approval ? { approvalReason: 'the configuration asks for approval of every plan' } : {};
}

/** Accepting it without effect would be a lie: every task of a plan runs. */
function refuseReuse({ reuse }: CreatePlan): void {
  if (!reuse) return;
  throw new AssayError('invalid_request', 'results of earlier plans cannot be reused', {
    why: 'this version keeps no cache of results by their inputs: every task of a plan runs',
    hint: 'leave reuse out, or set it to false',
  });
}
