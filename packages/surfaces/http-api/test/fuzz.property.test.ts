import { routes, type Route } from '@assay/contracts';
import { assertProperty, verifies } from '@assay/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHttpApi } from '../src/index.ts';
import { MemoryEngine } from './support/memory-engine.ts';
import { apiOptions, auth } from './support/serve.ts';

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '..',
    '%00',
    '__proto__',
    '1e999',
    '-1',
    'NaN',
    '9'.repeat(30),
    '\u202e',
    '<script>',
    '{}',
    '1.1',
    '9.0',
  ),
);
const routeList = Object.values<Route>(routes).filter((route) => route.path !== '/api/shutdown');
const request = fc.record({
  route: fc.constantFrom(...routeList),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'as it should be', 'as it should be'),
  params: fc.array(strange, { minLength: 3, maxLength: 3 }),
  knownIds: fc.boolean(),
  query: fc.dictionary(
    fc.constantFrom('limit', 'after', 'before', 'cursor', 'ref', 'format', '__proto__', 'x'),
    strange,
    {
      maxKeys: 4,
    },
  ),
  body: fc.oneof(
    fc.constant(undefined),
    fc.string({ maxLength: 60 }),
    fc.json({ maxDepth: 3 }),
    fc
      .dictionary(
        fc.constantFrom(
          'title',
          'goal',
          'questId',
          'inputs',
          'attachments',
          'budget',
          'answer',
          'assignedTo',
          'reason',
        ),
        fc.jsonValue({ maxDepth: 2 }),
      )
      .map((value) => JSON.stringify(value)),
  ),
  type: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', 'multipart/form-data'),
  extra: fc.dictionary(
    fc.constantFrom(
      'last-event-id',
      'idempotency-key',
      'if-none-match',
      'x-user-id',
      'accept',
      'cookie',
      'content-length',
    ),
    fc.oneof(
      fc.constantFrom('text/event-stream', '1.1', 'a b', '*', 'W/"x"', '-5', 'assay_uid=%'),
      fc.string({ maxLength: 30 }),
    ),
    { maxKeys: 3 },
  ),
});

it('answers JSON and no fault of its own to whatever is sent', { timeout: 60_000 }, async () => {
  verifies('http.never-500-on-input');
  const faults: unknown[] = [];
  const engine = new MemoryEngine();
  const closing = new AbortController();
  const logger = { log: (level: string, ...rest: unknown[]) => void (level === 'error' && faults.push(rest)) };
  const app = createHttpApi(apiOptions(engine, { logger, signal: closing.signal }));
  const quest = await engine.createQuest({ title: 'known', goal: '' });
  const plan = await engine.createPlan(
    { ownerId: 'local' },
    { questId: quest.id, attachments: [], inputs: {}, reuse: false },
  );
  const known: Record<string, string> = {
    quest: quest.id,
    plan: plan.id,
    task: 'profile',
    artifact: 'a',
    evidence: 'e',
  };
  const property = fc.asyncProperty(request, async ({ route, method, params, knownIds, query, body, type, extra }) => {
    let at = 0;
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(knownIds ? (known[name] ?? 'x') : wellFormed(params[at++] ?? 'x')),
    );
    const sent = method === 'as it should be' ? route.method : method;
    const search = new URLSearchParams(Object.entries(query));
    const headers = usable({ ...auth, host: '127.0.0.1:4870', 'content-type': type, ...extra });
    const mayHaveBody = sent !== 'GET' && sent !== 'HEAD' && body !== undefined;
    const init = { method: sent, headers, ...(mayHaveBody ? { body: wellFormed(body) } : {}) };
    const answer = await app.request(`http://127.0.0.1:4870${path}?${search.toString()}`, init);
    expect(answer.status, `${sent} ${path}`).toBeLessThan(500);
    expect(faults).toEqual([]);
    if (answer.status >= 400 && sent !== 'HEAD') {
      const { error } = (await answer.json()) as { error: { code: string; message: string } };
      expect(error.code).toMatch(/^[a-z_]+$/);
      expect(error.message).not.toBe('');
    } else await answer.body?.cancel();
  });
  await assertProperty(property, { name: 'http-fuzz', test: import.meta.url, numRuns: 1500 });
  closing.abort();
});

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Headers that an HTTP client could send at all. */
function usable(headers: Record<string, string>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers))
    try {
      result.set(name, value);
    } catch {
      result.set(name, 'x');
    }
  return result;
}
