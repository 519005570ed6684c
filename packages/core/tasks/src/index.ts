export { BENCHMARK_SEED } from './benchmark-run.ts';
export {
  adapterReportValue,
  adapterSpecValue,
  benchmarkMetricsValue,
  preflightReportValue,
  validationReportValue,
  workspaceValue,
  type BenchmarkMetricsValue,
} from './benchmark-values.ts';
export { text as markdownText } from './report-text.ts';
export { createTaskExecutor, failureOf, type QuestAccess, type TaskExecutorOptions } from './executor.ts';
export type { TaskContext, TaskOutcome, TaskOutput, TaskSettings, TaskType } from './task-type.ts';
export { benchmarkTaskTypes } from './types/index.ts';
export { profileHints } from './types/dataset-profile.ts';
export { checkedMapping } from './label-mapping.ts';
export { parseLabelMap } from '@assay/adapter-generator';
