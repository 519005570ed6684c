import { createClient, type StreamItem } from '@assay/client';
import { MovingClock, verifies } from '@assay/testkit';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { auth, served, TOKEN } from './support/serve.ts';

const caller = { ownerId: 'local' };

describe('methods', () => {
  it('call their routes with path, query and body', async () => {
    await using api = await served();
    const quest = await api.client.createQuest({ body: { title: 'one' } });
    expect(quest).toMatchObject({ title: 'one', goal: '', lastSeq: 1 });
    const { plan } = await api.client.createPlan({ body: { questId: quest.id, inputs: { target: 'species' } } });
    expect(plan.inputs).toEqual({ target: 'species' });
    expect((await api.client.listPlans({ query: { limit: 1 } })).plans.map(({ id }) => id)).toEqual([plan.id]);
    expect(await api.client.executePlan({ plan: plan.id })).toEqual({ planId: plan.id, status: 'in_progress' });
    const page = await api.client.questEvents({ quest: quest.id, query: { after: 1 } });
    expect(page.events.map(({ type }) => type)).toEqual(['plan.created', 'plan.started']);
  });

  it('names the owner and repeats safely with a key', async () => {
    await using api = await served();
    const ada = createClient({ baseUrl: `${api.url}/`, token: TOKEN, userId: 'ada' });
    const first = await ada.createPlan({ body: {} }, { idempotencyKey: 'k' });
    const again = await ada.createPlan({ body: {} }, { idempotencyKey: 'k' });
    expect(again.plan.id).toBe(first.plan.id);
    expect(first.plan.ownerId).toBe('ada');
    expect((await api.client.listPlans()).plans).toEqual([]);
  });

  it('reject with the error of the server', async () => {
    verifies('client.errors');
    await using api = await served();
    await expect(api.client.getPlan({ plan: 'plan_x' })).rejects.toMatchObject({
      name: 'AssayError',
      code: 'not_found',
      message: 'there is no plan plan_x',
    });
    const stranger = createClient({ baseUrl: api.url, token: 'wrong' });
    await expect(stranger.listPlans()).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'this token is not valid',
      hint: 'the token stands in runtime/token of the home that this daemon serves',
    });
  });

  it('say when nothing, or something else, answers', async () => {
    verifies('client.errors');
    const gone = await served();
    await gone[Symbol.asyncDispose]();
    await expect(gone.client.health()).rejects.toMatchObject({
      code: 'daemon_unreachable',
      message: `the daemon does not answer at ${gone.url}`,
      why: expect.stringContaining('ECONNREFUSED') as string,
      hint: 'start it with "assay up"',
    });
    const stranger = createServer((_, answer) => answer.writeHead(502).end('<h1>Bad gateway</h1>'));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: TOKEN });
    await expect(client.health()).rejects.toMatchObject({ code: 'daemon_unreachable', details: { status: 502 } });
    stranger.close();
  });

  it('stop with the reason of their signal', async () => {
    await using api = await served();
    const stop = new AbortController();
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(api.client.health({}, { signal: stop.signal })).rejects.toBe(reason);
  });
});

describe('followers', () => {
  it('go on over a restart of the server without losing or repeating an event', async () => {
    verifies('client.resumes');
    const first = await served();
    const { engine } = first;
    const quest = await engine.createQuest({ title: 'one', goal: '' });
    const plan = await engine.createPlan(caller, { questId: quest.id, attachments: [], inputs: {}, reuse: false });
    const got: string[] = [];
    let second: Awaited<ReturnType<typeof served>> | undefined;
    for await (const item of first.client.followPlan(plan.id)) {
      got.push(label(item));
      if (item.kind !== 'caught_up') continue;
      if (second === undefined) {
        await first[Symbol.asyncDispose]();
        await engine.executePlan(caller, plan.id);
        second = await served({ engine, port: first.server.port });
      } else await engine.cancelPlan(caller, plan.id, 'enough');
    }
    await second?.[Symbol.asyncDispose]();
    expect(got).toEqual([
      '1.2 plan_created',
      'caught_up',
      '1.3 plan_started',
      'caught_up',
      '1.4 plan_canceled',
      'end canceled',
    ]);
  });

  it('end with an error that the server tells and do not ask again', async () => {
    verifies('client.told-errors');
    await using api = await served();
    const quest = await api.engine.createQuest({ title: 'one', goal: '' });
    const plan = await api.engine.createPlan(caller, { questId: quest.id, attachments: [], inputs: {}, reuse: false });
    for (const code of ['disk_full', 'internal'] as const) {
      let streams = 0;
      const client = createClient({
        baseUrl: api.url,
        token: TOKEN,
        fetch: async () => {
          streams += 1;
          return new Response(`event: error\ndata: {"error":{"code":"${code}","message":"it stopped"}}\n\n`);
        },
      });
      await expect(client.followPlan(plan.id).next()).rejects.toMatchObject({ code, message: 'it stopped' });
      expect(streams).toBe(1);
    }
  });

  it('start anew after a reset', async () => {
    verifies('client.resumes');
    await using api = await served();
    const quest = await api.engine.createQuest({ title: 'one', goal: '' });
    const got: string[] = [];
    for await (const item of api.client.followQuest(quest.id, { after: '7.40' })) {
      got.push(item.kind === 'event' ? item.event.type : item.kind);
      if (item.kind === 'caught_up') break;
    }
    expect(got).toEqual(['reset', 'quest.created', 'caught_up']);
    await expect.poll(() => api.engine.following).toBe(0);
  });

  it('give up after ten failures in a row, with a growing pause that is bounded', async () => {
    verifies('client.resumes');
    const pauses: number[] = [];
    const clock = { now: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      token: TOKEN,
      fetch: async () => {
        throw new TypeError('fetch failed');
      },
      clock: { ...clock, sleep: (ms, signal) => (ms === 45_000 ? untilAborted(signal) : clock.sleep(ms)) },
    });
    await expect(client.followQuest('quest_x').next()).rejects.toMatchObject({ code: 'daemon_unreachable' });
    expect(pauses).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000]);
  });

  it('do not repeat what will not get better', async () => {
    await using api = await served();
    let calls = 0;
    const client = createClient({
      baseUrl: api.url,
      token: 'wrong',
      fetch: (url, init) => {
        calls += 1;
        return fetch(url, init);
      },
    });
    await expect(client.followPlan('plan_x').next()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(calls).toBe(1);
  });

  it('notice a connection on which nothing is heard for 45 seconds', async () => {
    verifies('client.resumes');
    const clock = new MovingClock();
    let connections = 0;
    const silent = createServer((_, answer) => {
      connections += 1;
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(': hello\n\n');
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: TOKEN, clock });
    const stop = new AbortController();
    const next = client.followQuest('quest_x', { signal: stop.signal }).next();
    next.catch(() => undefined);
    await expect.poll(() => connections).toBe(1);
    await expect
      .poll(async () => {
        await clock.advance(46_000);
        return connections;
      })
      .toBeGreaterThan(1);
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    silent.closeAllConnections();
    silent.close();
  });

  it('end with the signal and leave nothing behind', async () => {
    await using api = await served();
    const quest = await api.engine.createQuest({ title: 'one', goal: '' });
    const stop = new AbortController();
    const read = async () => {
      for await (const item of api.client.followQuest(quest.id, { signal: stop.signal }))
        if (item.kind === 'caught_up') stop.abort(new Error('left'));
    };
    await expect(read()).rejects.toThrow('left');
    await expect.poll(() => api.engine.following).toBe(0);
    expect((await fetch(`${api.url}/api/quests`, { headers: auth })).status).toBe(200);
  });
});

function label(item: StreamItem): string {
  if (item.kind === 'event') return `${item.id} ${(item.event as unknown as { event: string }).event}`;
  return item.kind === 'end' ? `end ${item.status}` : item.kind;
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('over'))));
}
