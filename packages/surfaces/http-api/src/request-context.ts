import type { Caller, Engine } from '@assay/engine';
import type { PathParams, RouteName, RouteOutput, routes } from '@assay/contracts';

/** What a handler receives: everything is parsed and checked against the route's schemas. */
export interface RouteCall<R extends RouteName> {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly params: PathParams<(typeof routes)[R]['path']>;
  readonly query: RouteOutput<R, 'query'>;
  readonly body: RouteOutput<R, 'body'>;
  /** Aborts when the client goes away or the server closes. */
  readonly signal: AbortSignal;
}
