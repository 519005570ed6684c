import type { AgentRole, Task } from '@assay/contracts';
import { newTask, roleTools } from '@assay/plan-graph';

/** One row of a template: what a task is called, who does it, what it needs and gives. */
interface Step {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly role: AgentRole;
  readonly needs: readonly string[];
  readonly gives: readonly string[];
  readonly retryLimit?: number;
  readonly timeoutSeconds?: number;
}

/**
 * The fixed eleven tasks of a benchmark. Beyond the published artifact names, task 4 also gives the adapter's file and
 * the pre-registration, and task 8 the adapter's file that passed: a number must be able to point at both. The formal run is
 * never repeated by itself: a second try of a run that failed would be a second draw.
 */
export const customBenchmarkSteps: readonly Step[] = [
  {
    type: 'dataset_profile',
    name: 'Profile the data',
    description: 'Stream the data file: columns, types, target, labels, hash.',
    role: 'benchmark_adapter',
    needs: [],
    gives: ['dataset_manifest'],
  },
  {
    type: 'repo_discovery',
    name: 'Find the repository',
    description: 'Look at the repository that was named and whether it holds code.',
    role: 'coder',
    needs: [],
    gives: ['candidate_repositories', 'repo_validation_report', 'repo_url'],
  },
  {
    type: 'repo_prepare',
    name: 'Prepare the workspace',
    description: 'Export the repository at a recorded commit, fingerprint it, list what it holds.',
    role: 'coder',
    needs: ['repo_url'],
    gives: ['workspace_path', 'repo_manifest', 'reproduction_mode_report'],
  },
  {
    type: 'benchmark_adapter_generate',
    name: 'Write the adapter',
    description: 'Recognise an entry point, split the data, register the evaluation, write the adapter.',
    role: 'benchmark_adapter',
    needs: ['dataset_manifest', 'workspace_path', 'repo_manifest'],
    gives: [
      'benchmark_adapter_plan',
      'benchmark_adapter_spec',
      'benchmark_adapter_report',
      'benchmark_adapter_code',
      'preregistration',
    ],
  },
  {
    type: 'resolve_dependencies',
    name: 'Resolve dependencies',
    description: 'Find which packages the entry point needs.',
    role: 'coder',
    needs: ['repo_manifest', 'workspace_path', 'benchmark_adapter_plan', 'benchmark_adapter_spec'],
    gives: ['dependency_spec'],
  },
  {
    type: 'prepare_runtime',
    name: 'Prepare the runtime',
    description: 'Choose the interpreter and prove the sandbox that will hold the run.',
    role: 'sandbox',
    needs: ['dependency_spec'],
    gives: ['runtime_session'],
    retryLimit: 1,
  },
  {
    type: 'install_dependencies',
    name: 'Install dependencies',
    description: 'Make the needed packages available inside the sandbox and check that they import.',
    role: 'sandbox',
    needs: ['dependency_spec', 'runtime_session', 'workspace_path', 'benchmark_adapter_spec'],
    gives: ['prepared_runtime', 'dependency_install_report'],
    retryLimit: 1,
    timeoutSeconds: 1800,
  },
  {
    type: 'benchmark_adapter_preflight',
    name: 'Preflight',
    description: 'Run the adapter on at most eight rows; at most three attempts.',
    role: 'benchmark_adapter',
    needs: [
      'dataset_manifest',
      'workspace_path',
      'benchmark_adapter_plan',
      'benchmark_adapter_spec',
      'benchmark_adapter_code',
      'prepared_runtime',
      'repo_manifest',
      'dependency_spec',
      'runtime_session',
    ],
    gives: [
      'validated_benchmark_adapter_spec',
      'validated_benchmark_adapter_code',
      'validated_runtime',
      'benchmark_preflight_report',
    ],
    timeoutSeconds: 1200,
  },
  {
    type: 'benchmark_execute',
    name: 'Run the benchmark',
    description: 'The formal run: read-only repository, no network, hidden labels.',
    role: 'benchmark_adapter',
    needs: [
      'dataset_manifest',
      'workspace_path',
      'validated_benchmark_adapter_spec',
      'validated_benchmark_adapter_code',
      'validated_runtime',
      'preregistration',
    ],
    gives: ['benchmark_run_metrics', 'benchmark_run_manifest', 'benchmark_predictions'],
    timeoutSeconds: 1200,
  },
  {
    type: 'benchmark_validate',
    name: 'Recompute and validate',
    description: 'Join predictions to the hidden labels, recompute every metric, run the probes.',
    role: 'benchmark_adapter',
    needs: [
      'dataset_manifest',
      'repo_manifest',
      'validated_benchmark_adapter_spec',
      'preregistration',
      'benchmark_run_metrics',
      'benchmark_run_manifest',
      'benchmark_predictions',
    ],
    gives: ['benchmark_metrics', 'benchmark_validation_report'],
  },
  {
    type: 'benchmark_report',
    name: 'Write the report',
    description: 'A report in which every number is a reference to its evidence.',
    role: 'data',
    needs: [
      'dataset_manifest',
      'repo_manifest',
      'benchmark_adapter_report',
      'preregistration',
      'dependency_install_report',
      'benchmark_preflight_report',
      'benchmark_run_manifest',
      'benchmark_metrics',
      'benchmark_validation_report',
    ],
    gives: ['evaluation_report'],
  },
];

/** The tasks of a benchmark plan. A task's id is its type: unique in the plan and readable in commands and paths. */
export function customBenchmarkTasks(): Task[] {
  const producerOf = new Map(
    customBenchmarkSteps.flatMap((step) => step.gives.map((key) => [key, step.type] as const)),
  );
  return customBenchmarkSteps.map((step) =>
    newTask({
      id: step.type,
      name: step.name,
      type: step.type,
      description: step.description,
      assignedTo: step.role,
      dependencies: [...new Set(step.needs.map((key) => producerOf.get(key)!))],
      requiredArtifacts: step.needs,
      outputArtifacts: step.gives,
      retryLimit: step.retryLimit ?? 0,
      timeoutSeconds: step.timeoutSeconds ?? 600,
      allowedTools: roleTools[step.role],
    }),
  );
}
