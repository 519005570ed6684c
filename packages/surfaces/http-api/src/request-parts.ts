import type { Route } from '@assay/contracts';
import { AssayError } from '@assay/foundation';
import { invalid } from './errors.ts';
import type { HttpContext } from './http-options.ts';
import { readBody } from './read-body.ts';

const PARAM = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/;

/** Names in the path. They are ids, so anything that could be a path or a control character is refused here. */
export function parseParams(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params))
    if (!PARAM.test(value))
      throw new AssayError('invalid_request', `this is not the id of a ${name}`, {
        why: `it is ${JSON.stringify(value.slice(0, 100))}`,
        hint: 'an id looks like plan_01JD2Z4T0V9X0000000000000A',
      });
  return params;
}

/** The query checked against the route's schema; a name that stands twice is refused. */
export function parseQuery(route: Route, url: URL): unknown {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of url.searchParams) {
    if (name in values)
      throw new AssayError('invalid_request', 'a parameter of the query stands twice', {
        why: `it is ${JSON.stringify(name.slice(0, 100))}`,
        hint: 'give each parameter once',
      });
    values[name] = value;
  }
  if (route.query === undefined) return undefined;
  const parsed = route.query.safeParse({ ...values });
  if (!parsed.success) throw invalid('query', parsed.error);
  return parsed.data;
}

/** The JSON body checked against the route's schema. */
export async function parseBody(route: Route, c: HttpContext): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const parsed = route.body.safeParse(await readJsonBody(c));
  if (!parsed.success) throw invalid('body', parsed.error);
  return parsed.data;
}

async function readJsonBody(c: HttpContext): Promise<unknown> {
  const text = await readBody(c.req.raw);
  if (text === '') return undefined;
  // A form or text/plain is what a foreign page can send without asking first.
  const type = (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json')
    throw new AssayError('unsupported_media_type', 'the body of this request is not JSON', {
      why: `its content-type is ${JSON.stringify(type.slice(0, 100))}`,
      hint: 'send application/json',
    });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AssayError('invalid_request', 'the body of this request is not valid JSON', {
      why: error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read',
      hint: 'send one JSON object',
      cause: error,
    });
  }
}
