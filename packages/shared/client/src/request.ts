import { routes, type Route, type RouteName } from '@assay/contracts';
import { AssayError, errorText } from '@assay/foundation';

/** The part of `fetch` that is used, so that tests and Node agents can bring their own. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type OnProgress = (progress: { readonly sent: number; readonly total: number }) => void;
/** A transport that tells how much of the body is sent. */
export type SendWithProgress = (url: string, init: RequestInit, onProgress: OnProgress) => Promise<Response>;

export interface Connection {
  readonly baseUrl: string;
  readonly token: string;
  readonly userId: string | undefined;
  readonly fetch: Fetch;
  readonly send?: SendWithProgress;
}

export type QueryValue = string | number | boolean | undefined;

export interface RequestParts {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  /** In place of a JSON body; its content-type is set by whatever sends it. */
  readonly form?: FormData;
  readonly onProgress?: OnProgress | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request. Rejects with `daemon_unreachable`, with what the daemon answered, or with the signal's reason. */
export async function request(connection: Connection, name: RouteName, parts: RequestParts): Promise<Response> {
  const route: Route = routes[name];
  const hasBody = parts.body !== undefined;
  const init: RequestInit = {
    method: route.method,
    headers: {
      authorization: `Bearer ${connection.token}`,
      ...(connection.userId === undefined ? {} : { 'x-user-id': connection.userId }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...parts.headers,
    },
    ...(hasBody ? { body: JSON.stringify(parts.body) } : {}),
    ...(parts.form === undefined ? {} : { body: parts.form }),
    ...(parts.signal === undefined ? {} : { signal: parts.signal }),
  };
  let response: Response;
  try {
    const address = addressOf(connection.baseUrl, route, parts);
    const { onProgress } = parts;
    response =
      onProgress === undefined || connection.send === undefined
        ? await connection.fetch(address, init)
        : await connection.send(address, init, onProgress);
  } catch (error) {
    if (error instanceof AssayError) throw error; // what brought the request has its own reason, and says it
    throw parts.signal?.aborted === true ? error : unreachable(connection, error);
  }
  if (!response.ok && response.status !== 304) throw await failureOf(response);
  return response;
}

function addressOf(baseUrl: string, route: Route, { params, query = {} }: RequestParts): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
}

/** A connection that failed or broke: the only failure that a follower survives. */
export function unreachable({ baseUrl }: Connection, cause: unknown): AssayError {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return new AssayError('daemon_unreachable', `the daemon does not answer at ${baseUrl}`, {
    why: errorText(inner),
    hint: 'start it with "assay up"',
    cause,
  });
}

/** The error that an answer carries; an answer of another shape is not from a daemon of this version. */
async function failureOf(response: Response): Promise<AssayError> {
  const text = await response.text().catch(() => '');
  return errorFrom(parse(text)) ?? strange(response.status);
}

/** An AssayError from the body of an error answer, undefined when it is none. */
export function errorFrom(body: unknown): AssayError | undefined {
  if (!isRecord(body) || !isRecord(body['error'])) return undefined;
  const { code, message, why, hint, details } = body['error'];
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return new AssayError(code, message, {
    ...(typeof why === 'string' ? { why } : {}),
    ...(typeof hint === 'string' ? { hint } : {}),
    details: isRecord(details) ? details : {},
  });
}

function strange(status: number): AssayError {
  return new AssayError('daemon_unreachable', 'something else answers in place of the daemon', {
    why: `it answered ${status} without an error of Assay`,
    hint: 'check the address, and that daemon and client are of one version',
    details: { status },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
