export * as apiBodies from './bodies.ts';
export {
  routes,
  SSE_HEARTBEAT_MS,
  type PathParams,
  type Route,
  type RouteInput,
  type RouteName,
  type RouteOutput,
} from './routes.ts';
export type {
  BenchmarkResult,
  ComparisonResult,
  ComparisonSummary,
  CreatePlan,
  Doctor,
  DoctorCheck,
  EventsQuery,
  Health,
  PlanStreamEvent,
  QuestSummary,
  RegisteredProtocol,
  RegisterProtocol,
  Status,
  Why,
} from './bodies.ts';
