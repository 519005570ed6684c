import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Config, HomePaths } from '@assay/engine';
import type { TaskSettings } from '@assay/tasks';

/** The limits and folders of task execution, from the configuration. */
export function taskSettings(home: HomePaths, config: Config): TaskSettings {
  return {
    dataRoots: config.data.roots,
    workspaceRoots: [home.quests, home.cache, ...config.sandbox.workspace_roots],
    keepDataBytes: config.data.keep_bytes,
    cacheDir: home.cache,
    repositories: {
      timeoutSeconds: config.repositories.timeout_seconds,
      cacheBytes: config.repositories.cache_bytes,
    },
    namedHome: home.root === join(homedir(), '.assay') ? null : home.root,
    cpus: config.sandbox.cpus,
    memoryBytes: config.sandbox.memory_bytes,
    pids: config.sandbox.pids,
    diskBytes: config.sandbox.disk_bytes,
  };
}
