import { routes, type Health, type Route, type RouteName } from '@assay/contracts';
import { AssayError, isoTime } from '@assay/foundation';
import { errorAnswer } from './errors.ts';
import { handlers } from './handlers.ts';
import type { HttpApiOptions, HttpContext } from './http-options.ts';
import { healthProof } from './health-proof.ts';
import type { LinkCodes } from './link-codes.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { jsonResponse, taggedResponse, type JsonText } from './json-response.ts';
import { openApiDocument } from './openapi.ts';
import type { RouteCall } from './request-context.ts';
import { parseBody, parseParams, parseQuery } from './request-parts.ts';

export interface JsonRouteContext {
  readonly c: HttpContext;
  readonly options: HttpApiOptions;
  readonly kept: IdempotencyStore;
  readonly links: LinkCodes;
}

/** Parses the request, calls the route's handler and answers with JSON. */
export async function answerJson(name: RouteName, { c, options, kept, links }: JsonRouteContext): Promise<Response> {
  const route: Route = routes[name];
  const call = {
    engine: options.engine,
    caller: c.get('caller'),
    params: parseParams(c.req.param()),
    query: parseQuery(route, new URL(c.req.url)),
    body: await parseBody(route, c),
    signal: c.req.raw.signal,
  };
  const run = async (): Promise<JsonText> => {
    const body = await perform(name, call, { c, options, links });
    return { status: route.status ?? 200, text: JSON.stringify(body) };
  };
  if (route.method === 'GET') return taggedResponse(await run(), c.req.raw.headers);
  const key = c.req.header('idempotency-key');
  if (key === undefined) return jsonResponse(await run());
  // Failures are kept as answers, so that the same key tells the same story.
  const answered = () => run().catch((error: unknown) => failureText(error, options));
  const request = { owner: call.caller.ownerId, path: c.req.path, body: call.body };
  return jsonResponse(await kept.run(key, request, answered));
}

function failureText(error: unknown, options: HttpApiOptions): JsonText {
  const { status, body } = errorAnswer(error, options.logger);
  return { status, text: JSON.stringify(body) };
}

interface UntypedCall extends Omit<RouteCall<'health'>, 'params' | 'query' | 'body'> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

async function perform(
  name: RouteName,
  call: UntypedCall,
  { c, options, links }: Omit<JsonRouteContext, 'kept'>,
): Promise<unknown> {
  if (name === 'health') return healthOf(call.query as RouteCall<'health'>['query'], options);
  if (name === 'openapi') return openApiDocument(options.version);
  if (name === 'shutdown') return shutDown(c, options);
  if (name === 'createLink') return newLink(links, options);
  if (name === 'redeemLink') return redeem(links, call.body as { readonly code: string }, options);
  const handler = (handlers as Partial<Record<RouteName, (call: UntypedCall) => Promise<unknown>>>)[name];
  if (handler === undefined)
    throw new AssayError('not_found', 'this address answers with a stream only', {
      hint: 'send the header Accept: text/event-stream',
    });
  return handler(call);
}

/** Open to anybody, so it says nothing of the home, its process or what it does. */
function healthOf({ challenge }: RouteCall<'health'>['query'], { version, token }: HttpApiOptions): Health {
  const proof = challenge === undefined ? {} : { proof: healthProof(token, challenge) };
  return { ok: true, name: 'assay', version, ...proof };
}

/** The code stands behind `#`: browsers do not send that part, so no server and no log sees it. */
function newLink(links: LinkCodes, { pageUrl }: HttpApiOptions): { readonly url: string; readonly expiresAt: string } {
  const { code, expiresAt } = links.create();
  return { url: `${pageUrl()}/#link=${code}`, expiresAt: isoTime(expiresAt) };
}

function redeem(
  links: LinkCodes,
  { code }: { readonly code: string },
  { token }: HttpApiOptions,
): { readonly token: string } {
  links.redeem(code);
  return { token };
}

/** Answers first: the caller learns that the daemon heard it, then the daemon goes. */
function shutDown(c: HttpContext, { onShutdown }: HttpApiOptions): { readonly ok: true } {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) setImmediate(onShutdown);
  else outgoing.once('close', onShutdown);
  return { ok: true };
}
