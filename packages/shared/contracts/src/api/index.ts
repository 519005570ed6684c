export * as apiBodies from './bodies.ts';
export { routes, SSE_HEARTBEAT_MS, type Route, type RouteName } from './routes.ts';
export type {
  BenchmarkResult,
  CreatePlan,
  Doctor,
  DoctorCheck,
  EventsQuery,
  Health,
  QuestSummary,
  Why,
} from './bodies.ts';
