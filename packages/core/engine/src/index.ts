export type { ArtifactContent, Caller, Engine, EventsPage, FollowItem, FollowOptions, Page } from './engine.ts';
