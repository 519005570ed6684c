export { createClient, type Client, type ClientOptions, type UploadInput } from './client.ts';
export type { Topic, TopicItem } from './follow-topics.ts';
export type { CallInput, CallOptions, JsonRoute, Methods } from './methods.ts';
export type { FollowFrom, StreamItem } from './stream-item.ts';
export type { OnProgress, SendWithProgress } from './request.ts';
