import type { TaskType } from '../task-type.ts';
import { benchmarkAdapterGenerate } from './benchmark-adapter-generate.ts';
import { benchmarkAdapterPreflight } from './benchmark-adapter-preflight.ts';
import { benchmarkExecute } from './benchmark-execute.ts';
import { benchmarkReport } from './benchmark-report.ts';
import { benchmarkValidate } from './benchmark-validate.ts';
import { datasetProfile } from './dataset-profile.ts';
import { installDependencies } from './install-dependencies.ts';
import { prepareRuntime } from './prepare-runtime.ts';
import { repoDiscovery } from './repo-discovery.ts';
import { repoPrepare } from './repo-prepare.ts';
import { resolveDependencies } from './resolve-dependencies.ts';

/** The task types of a benchmark plan. */
export const benchmarkTaskTypes: readonly TaskType[] = [
  datasetProfile,
  repoDiscovery,
  repoPrepare,
  benchmarkAdapterGenerate,
  resolveDependencies,
  prepareRuntime,
  installDependencies,
  benchmarkAdapterPreflight,
  benchmarkExecute,
  benchmarkValidate,
  benchmarkReport,
];
