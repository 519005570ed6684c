import type { Clock, Logger } from '@assay/foundation';
import type { DoctorCheck, ShownConfig } from '@assay/contracts';
import type { Scheduler } from '@assay/scheduler';
import type { Config } from './home/config.ts';
import type { HomePaths } from './home/home.ts';
import type { SecretStore } from './home/secrets.ts';
import type { DataProfiles } from './uploads/data-profiles.ts';
import type { UploadStore } from './uploads/upload-store.ts';
import type { QuestRegistry } from './quests/quest-registry.ts';

/** What every use case may use; made once by the composition root. */
export interface EngineDeps {
  readonly home: HomePaths;
  readonly config: Config;
  /** The configuration with where each setting comes from. */
  readonly shownConfig: ShownConfig;
  readonly quests: QuestRegistry;
  readonly secrets: SecretStore;
  readonly uploads: UploadStore;
  readonly profiles: DataProfiles;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly startedAt: number;
  /** Resolves when the plans of every quest are known to the scheduler. */
  readonly recovered: Promise<void>;
  /** What this machine can run: python3, git, the sandbox … */
  readonly machineChecks: () => Promise<readonly DoctorCheck[]>;
}
