export { createSecretStore, type SecretStore } from './home/secrets.ts';
export { createEngine } from './create-engine.ts';
export type { EngineDeps } from './deps.ts';
export type { FollowItem } from '@assay/event-store';
export type {
  ArtifactContent,
  Caller,
  Engine,
  EventsPage,
  EvidencePlace,
  FollowOptions,
  IncomingUpload,
  LogFile,
  Page,
  SessionAt,
  SessionsOf,
} from './engine.ts';
export { configSchema, describeConfig, readConfig, type Config, type SecretGrantConfig } from './home/config.ts';
export { homePaths, openHome, ownerToken, type HomePaths } from './home/home.ts';
export type { QuestHandle } from './quests/quest-handle.ts';
export { QuestRegistry, type QuestRegistryOptions } from './quests/quest-registry.ts';
export { recoverPlans } from './recover-plans.ts';
export { DataProfiles } from './uploads/data-profiles.ts';
export { neededBy } from './uploads/needed-uploads.ts';
export { openUploadStore, type UploadStore, type UploadStoreOptions } from './uploads/upload-store.ts';
