import type { PathParams, RouteInput, RouteName, RouteOutput, routes } from '@assay/contracts';

type Table = typeof routes;
type KindOf<R extends RouteName> = Table[R] extends { readonly kind: infer Kind } ? Kind : 'json';

/** Routes that answer with JSON. */
export type JsonRoute = { [R in RouteName]: KindOf<R> extends 'json' | 'json-or-sse' ? R : never }[RouteName];

type Part<Name extends 'query' | 'body', Value> = undefined extends Value
  ? { readonly [K in Name]?: Exclude<Value, undefined> }
  : Partial<Value> extends Value
    ? { readonly [K in Name]?: Value }
    : { readonly [K in Name]: Value };
type QueryOf<R extends RouteName> = Table[R] extends { readonly query: unknown }
  ? Part<'query', RouteInput<R, 'query'>>
  : unknown;
type BodyOf<R extends RouteName> = Table[R] extends { readonly body: unknown }
  ? Part<'body', RouteInput<R, 'body'>>
  : unknown;

/** What a call of a route takes: the names in its path, `query` and `body`. */
export type CallInput<R extends RouteName> = PathParams<Table[R]['path']> & QueryOf<R> & BodyOf<R>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes a POST safe to repeat: the same key and body give the first answer again. */
  readonly idempotencyKey?: string;
}

/** The input may be left out when nothing in it is required. */
type Arguments<R extends RouteName> =
  Partial<CallInput<R>> extends CallInput<R>
    ? [input?: CallInput<R>, options?: CallOptions]
    : [input: CallInput<R>, options?: CallOptions];

/** One method per JSON route of the table. Each rejects with an AssayError. */
export type Methods = {
  readonly [R in JsonRoute]: (...args: Arguments<R>) => Promise<RouteOutput<R, 'response'>>;
};
