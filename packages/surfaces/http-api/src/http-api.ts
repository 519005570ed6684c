import { routes, type Route, type RouteName } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { Hono } from 'hono';
import { setMaxListeners } from 'node:events';
import { contentResponse } from './artifact-response.ts';
import { errorAnswer } from './errors.ts';
import type { HttpApiOptions, HttpEnv } from './http-options.ts';
import { IdempotencyStore } from './idempotency.ts';
import { answerJson } from './json-route.ts';
import { jsonResponse } from './json-response.ts';
import { logResponse } from './log-response.ts';
import { accessLog, guard, securityHeaders } from './middleware.ts';
import { LinkCodes } from './link-codes.ts';
import { PageFiles } from './page-files.ts';
import { parseParams } from './request-parts.ts';
import { uploadAnswer } from './upload-answer.ts';
import { isStreamRequest, streamResponse } from './stream-route.ts';

/** The HTTP interface over an engine: guards, then one handler per route of the table in contracts. */
export function createHttpApi(options: HttpApiOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  setMaxListeners(0, options.signal); // one per open stream, removed with it
  const fail = (error: unknown, headers: Record<string, string> = {}) => {
    const { status, body } = errorAnswer(error, options.logger);
    return jsonResponse({ status, text: JSON.stringify(body) }, headers);
  };
  app.onError((error) => fail(error));
  const page = new PageFiles(options.pageDir);
  app.notFound((c) => {
    const isPage = ['GET', 'HEAD'].includes(c.req.method) && !/^\/api(\/|$)/.test(c.req.path);
    return isPage ? page.answer(c.req.raw).catch((error: unknown) => fail(error)) : fail(unknownAddress(c.req.path));
  });
  app.use('*', accessLog(options), securityHeaders, guard(options));
  registerRoutes(app, options);
  for (const [path, allow] of methodsByPath()) app.all(path, (c) => fail(wrongMethod(c.req.method, allow), { allow }));
  return app;
}

function registerRoutes(app: Hono<HttpEnv>, options: HttpApiOptions): void {
  const kept = new IdempotencyStore(options.clock);
  const links = new LinkCodes(options.clock);
  for (const name of Object.keys(routes) as RouteName[]) {
    const route: Route = routes[name];
    app.on(route.method, route.path, (c) => {
      if (isStreamRequest(route, c)) return streamResponse(name, { c, options });
      if (name === 'sessionLogContent') {
        const params = parseParams(c.req.param());
        return logResponse({ engine: options.engine, caller: c.get('caller'), params, request: c.req.raw });
      }
      if (route.kind === 'file')
        return contentResponse(name, {
          engine: options.engine,
          caller: c.get('caller'),
          params: parseParams(c.req.param()),
          request: c.req.raw,
        });
      if (route.kind === 'upload') return uploadAnswer(c, options);
      return answerJson(name, { c, options, kept, links });
    });
  }
}

/** `GET, HEAD` for every path of the table: what the Allow header of a 405 says. */
function methodsByPath(): Map<string, string> {
  const methods = new Map<string, string>();
  for (const { path, method } of Object.values<Route>(routes)) {
    const own = method === 'GET' ? 'GET, HEAD' : method;
    const other = methods.get(path);
    methods.set(path, other === undefined ? own : `${other}, ${own}`);
  }
  return methods;
}

function unknownAddress(path: string): AssayError {
  return new AssayError('not_found', 'nothing is served at this address', {
    why: `there is no route for ${JSON.stringify(path.slice(0, 200))}`,
    hint: 'GET /api/openapi.json lists every route',
  });
}

function wrongMethod(method: string, allow: string): AssayError {
  return new AssayError('method_not_allowed', `${method} is not possible at this address`, {
    hint: `it takes ${allow}`,
  });
}
