import { expect, test } from 'vitest';
import { newPlan, validatePlan } from '@assay/plan-graph';
import { benchmarkTaskTypes } from '@assay/tasks';
import { verifies } from '@assay/testkit';
import { customBenchmarkTasks } from '../src/planning/custom-benchmark.ts';

function plan() {
  return newPlan({
    id: 'plan_1',
    questId: 'quest_1',
    traceId: 'trace_1',
    userIntent: 'benchmark',
    intentType: 'Custom_Benchmark',
    tasks: customBenchmarkTasks(),
    createdAt: 0,
  });
}

test('the template is a valid plan whose every task has code', () => {
  verifies('benchmark.template-valid');
  expect(validatePlan(plan(), { types: new Set(benchmarkTaskTypes.map((type) => type.type)) })).toEqual([]);
});

test('its artifacts are pinned', () => {
  const gives = Object.fromEntries(customBenchmarkTasks().map((task) => [task.id, task.outputArtifacts]));
  expect(gives).toEqual({
    dataset_profile: ['dataset_manifest'],
    repo_discovery: ['candidate_repositories', 'repo_validation_report', 'repo_url'],
    repo_prepare: ['workspace_path', 'repo_manifest', 'reproduction_mode_report'],
    benchmark_adapter_generate: [
      'benchmark_adapter_plan',
      'benchmark_adapter_spec',
      'benchmark_adapter_report',
      'benchmark_adapter_code',
      'preregistration',
    ],
    resolve_dependencies: ['dependency_spec'],
    prepare_runtime: ['runtime_session'],
    install_dependencies: ['prepared_runtime', 'dependency_install_report'],
    benchmark_adapter_preflight: [
      'validated_benchmark_adapter_spec',
      'validated_benchmark_adapter_code',
      'validated_runtime',
      'benchmark_preflight_report',
    ],
    benchmark_execute: ['benchmark_run_metrics', 'benchmark_run_manifest', 'benchmark_predictions'],
    benchmark_validate: ['benchmark_metrics', 'benchmark_validation_report'],
    benchmark_report: ['evaluation_report'],
  });
});

test('profile and discovery need nothing and run side by side; the formal run is never repeated by itself', () => {
  verifies('benchmark.formal-run-once');
  const tasks = customBenchmarkTasks();
  expect(tasks.filter((task) => task.dependencies.length === 0).map((task) => task.id)).toEqual([
    'dataset_profile',
    'repo_discovery',
  ]);
  expect(tasks.filter((task) => task.retryLimit > 0).map((task) => task.id)).toEqual([
    'prepare_runtime',
    'install_dependencies',
  ]);
});
