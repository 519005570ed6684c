export { createEngine } from './create-engine.ts';
export type { EngineDeps } from './deps.ts';
export type { FollowItem } from '@assay/event-store';
export type { ArtifactContent, Caller, Engine, EventsPage, FollowOptions, Page } from './engine.ts';
export { configSchema, readConfig, type Config, type SecretGrantConfig } from './home/config.ts';
export { homePaths, openHome, ownerToken, type HomePaths } from './home/home.ts';
export type { QuestHandle } from './quests/quest-handle.ts';
export { QuestRegistry, type QuestRegistryOptions } from './quests/quest-registry.ts';
export { recoverPlans } from './recover-plans.ts';
