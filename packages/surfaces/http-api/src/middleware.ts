import { routes, type Route } from '@assay/contracts';
import type { MiddlewareHandler } from 'hono';
import { callerOf, checkHostAndOrigin, tokenCheck } from './guards.ts';
import type { HttpApiOptions, HttpEnv } from './http-options.ts';

type Middleware = MiddlewareHandler<HttpEnv>;

const openPaths = new Set(
  Object.values<Route>(routes)
    .filter((route) => route.open === true)
    .map((route) => route.path),
);

/** One line per request without its query or headers: they may hold what a log must not. */
export function accessLog({ logger, clock }: HttpApiOptions): Middleware {
  return async (c, next) => {
    const began = clock.now();
    await next();
    logger.log('debug', 'request', {
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: clock.now() - began,
    });
  };
}

/** Nothing that the interface answers may run, be framed, or be guessed to be of another type. */
export const securityHeaders: Middleware = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('x-content-type-options', 'nosniff');
  if (!headers.has('content-security-policy'))
    headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  headers.set('referrer-policy', 'no-referrer');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('x-frame-options', 'DENY');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
};

/** The files of the page are no secret; everything behind `/api` is, but for the open routes. */
function needsToken(path: string): boolean {
  return /^\/api(\/|$)/.test(path) && !openPaths.has(path);
}

/** Host and Origin, then the token, then who asks. */
export function guard({ token, allowedOrigins = [] }: HttpApiOptions): Middleware {
  const checkToken = tokenCheck(token);
  return async (c, next) => {
    const { headers } = c.req.raw;
    checkHostAndOrigin(headers, allowedOrigins);
    if (needsToken(c.req.path)) checkToken(headers);
    c.set('caller', callerOf(headers));
    await next();
  };
}
