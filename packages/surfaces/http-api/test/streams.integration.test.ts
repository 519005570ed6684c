import { AssayError } from '@assay/foundation';
import { MovingClock, verifies } from '@assay/testkit';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { raw, auth, errorOf, served, TOKEN, type Served } from './support/serve.ts';
import { openStream } from './support/stream-reader.ts';

const caller = { ownerId: 'local' };

async function planIn(api: Served): Promise<{ readonly id: string; readonly questId: string }> {
  const quest = await api.engine.createQuest({ title: 'one', goal: '' });
  return api.engine.createPlan(caller, { questId: quest.id, attachments: [], inputs: {}, reuse: false });
}

const failed = (plan: string) => ({
  type: 'plan.failed' as const,
  scope: { plan },
  data: { error: { code: 'command_failed', message: 'it failed' } },
});

describe('a plan stream', () => {
  it('sends what was, says when it has caught up, then what comes, under the names of the plan protocol', async () => {
    verifies('http.stream-resumes');
    await using api = await served();
    const plan = await planIn(api);
    await using stream = await openStream(`${api.url}/api/plans/${plan.id}/stream`);
    expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const before = await stream.until('caught_up');
    expect(before.map(({ id, event }) => [id, event])).toEqual([
      [undefined, 'connected'],
      ['1.2', 'plan_created'],
      [undefined, 'caught_up'],
    ]);
    expect(before[2]!.data).toEqual({ generation: 1, lastSeq: 2 });
    await api.engine.executePlan(caller, plan.id);
    const started = await stream.next();
    expect([started?.id, started?.event, started?.data['type'], started?.data['seq']]).toEqual([
      '1.3',
      'plan_started',
      'plan.started',
      3,
    ]);
  });

  it('goes on after Last-Event-ID, which counts more than after', async () => {
    verifies('http.stream-resumes');
    await using api = await served();
    const plan = await planIn(api);
    await api.engine.executePlan(caller, plan.id);
    const url = `${api.url}/api/plans/${plan.id}/stream`;
    const ids = async (address: string, headers: Record<string, string>) => {
      await using stream = await openStream(address, headers);
      return (await stream.until('caught_up')).map(({ id }) => id).filter((id) => id !== undefined);
    };
    expect(await ids(url, { 'last-event-id': '1.2' })).toEqual(['1.3']);
    expect(await ids(`${url}?after=1.3`, {})).toEqual([]);
    expect(await ids(`${url}?after=0`, {})).toEqual(['1.2', '1.3']);
    expect(await ids(`${url}?after=1.3`, { 'last-event-id': '1.1' })).toEqual(['1.2', '1.3']);
    for (const wrong of ['x', '1.', '1.-2', '1.2.3', '']) {
      const answer = await raw(`${url}?after=${wrong}`, { headers: auth });
      expect([answer.status, errorOf(answer).code], wrong).toEqual([400, 'invalid_request']);
    }
  });

  it('ends with what, why and what to do when the plan had to stop', async () => {
    verifies('http.stream-tells-problem');
    await using api = await served();
    const plan = await planIn(api);
    await using stream = await openStream(`${api.url}/api/plans/${plan.id}/stream`);
    await stream.until('caught_up');
    api.engine.stopped.abort(new AssayError('disk_full', 'no space is left', { why: 'ENOSPC', hint: 'free some' }));
    const error = { code: 'disk_full', message: 'no space is left', why: 'ENOSPC', hint: 'free some', details: {} };
    expect(await stream.next()).toEqual({ id: undefined, event: 'error', data: { error } });
    expect(await stream.next()).toBeUndefined();
  });

  it('tells a position of another generation, or beyond the journal, to start anew', async () => {
    verifies('http.stream-resets');
    await using api = await served();
    const plan = await planIn(api);
    for (const position of ['9.1', '1.999']) {
      await using stream = await openStream(`${api.url}/api/plans/${plan.id}/stream`, { 'last-event-id': position });
      expect((await stream.next())?.event).toBe('connected');
      expect(await stream.next()).toEqual({
        id: undefined,
        event: 'reset',
        data: { generation: 1, reason: 'generation' },
      });
      expect(await stream.next()).toBeUndefined();
    }
  });

  it('ends when the plan has ended and everything was sent', async () => {
    verifies('http.stream-ends-when-terminal');
    await using api = await served();
    const plan = await planIn(api);
    await using live = await openStream(`${api.url}/api/plans/${plan.id}/stream`);
    await live.until('caught_up');
    await api.engine.cancelPlan(caller, plan.id, 'enough');
    expect((await live.next())?.event).toBe('plan_canceled');
    expect(await live.next()).toEqual({ id: undefined, event: 'end', data: { status: 'canceled' } });
    expect(await live.next()).toBeUndefined();
    await using late = await openStream(`${api.url}/api/plans/${plan.id}/stream`);
    expect((await late.until('end')).map(({ event }) => event)).toEqual([
      'connected',
      'plan_created',
      'plan_canceled',
      'caught_up',
      'end',
    ]);
  });

  it('does not end at an ending that a retry has undone', async () => {
    verifies('http.stream-ends-when-terminal');
    await using api = await served();
    const plan = await planIn(api);
    await api.engine.executePlan(caller, plan.id);
    await api.engine.append(plan.questId, [
      { type: 'plan.task_ready', scope: { plan: plan.id, task: 'profile' }, data: { inputs: [] } },
      {
        type: 'plan.task_started',
        scope: { plan: plan.id, task: 'profile' },
        data: {
          executionId: 'exec_1',
          epoch: 1,
          leaseOwner: 'data',
          leaseExpiresAt: '2026-12-01T00:00:00.000Z',
          attempt: 1,
        },
      },
      {
        type: 'plan.task_failed',
        scope: { plan: plan.id, task: 'profile' },
        data: { executionId: 'exec_1', epoch: 1, error: { code: 'command_failed', message: 'it failed' } },
      },
      failed(plan.id),
    ]);
    await api.engine.retryTask(caller, plan.id, 'profile');
    await using stream = await openStream(`${api.url}/api/plans/${plan.id}/stream`);
    const events = (await stream.until('caught_up')).map(({ event }) => event);
    expect(events).toContain('plan_failed');
    await api.engine.executePlan(caller, plan.id);
    expect((await stream.next())?.event).toBe('plan_started');
    await api.engine.append(plan.questId, [
      { type: 'plan.completed', scope: { plan: plan.id }, data: { summary: 's' } },
    ]);
    expect((await stream.until('end')).map(({ event }) => event)).toEqual(['plan_completed', 'end']);
  });

  it('is refused before it opens for plans that are unknown or of another owner', async () => {
    await using api = await served();
    const plan = await planIn(api);
    const unknown = await raw(`${api.url}/api/plans/plan_x/stream`, { headers: auth });
    expect([unknown.status, errorOf(unknown).code]).toEqual([404, 'not_found']);
    const foreign = await raw(`${api.url}/api/plans/${plan.id}/stream`, { headers: { ...auth, 'x-user-id': 'bob' } });
    expect([foreign.status, errorOf(foreign).code]).toEqual([403, 'not_owner']);
  });

  it('answers HEAD without opening anything', async () => {
    await using api = await served();
    const plan = await planIn(api);
    const head = await raw(`${api.url}/api/plans/${plan.id}/stream`, { method: 'HEAD', headers: auth });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(api.engine.following).toBe(0);
  });
});

describe('a quest stream', () => {
  it('sends every line under its type, and JSON to those who do not ask for a stream', async () => {
    verifies('http.stream-resumes');
    await using api = await served();
    const quest = await api.engine.createQuest({ title: 'one', goal: '' });
    const url = `${api.url}/api/quests/${quest.id}/events`;
    await using stream = await openStream(url);
    expect((await stream.until('caught_up')).map(({ id, event }) => [id, event])).toEqual([
      [undefined, 'connected'],
      ['1.1', 'quest.created'],
      [undefined, 'caught_up'],
    ]);
    const json = JSON.parse((await raw(url, { headers: auth })).text) as { events: { seq: number }[]; lastSeq: number };
    expect([json.events.map(({ seq }) => seq), json.lastSeq]).toEqual([[1], 1]);
  });
});

describe('clients that go, stall or are slow', () => {
  it('frees everything of fifty clients that went away', async () => {
    verifies('http.stream-frees');
    await using api = await served();
    const plan = await planIn(api);
    const streams = await Promise.all(
      Array.from({ length: 50 }, () => openStream(`${api.url}/api/plans/${plan.id}/stream`)),
    );
    await Promise.all(streams.map((stream) => stream.until('caught_up')));
    expect(api.engine.following).toBe(50);
    await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
    await expect.poll(() => api.engine.following, { timeout: 5000 }).toBe(0);
  });

  it('sends a comment every 15 seconds', async () => {
    const clock = new MovingClock();
    await using api = await served({ clock });
    const plan = await planIn(api);
    await using stream = await openStream(`${api.url}/api/plans/${plan.id}/stream`);
    await stream.until('caught_up');
    const next = stream.next();
    await clock.advance(15_000);
    await clock.advance(15_000);
    await api.engine.executePlan(caller, plan.id);
    expect((await next)?.event).toBe('plan_started');
    expect(stream.comments).toEqual([': heartbeat', ': heartbeat']);
  });

  it('tells a slow client to resume, cuts off one that takes nothing for a minute, and keeps a bounded buffer', async () => {
    verifies('http.stream-frees', 'http.stream-resets');
    const clock = new MovingClock();
    await using api = await served({ clock });
    const quest = await api.engine.createQuest({ title: 'one', goal: '' });
    const socket = connect(api.server.port, '127.0.0.1');
    socket.pause();
    socket.write(
      `GET /api/quests/${quest.id}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    await expect.poll(() => api.engine.following).toBe(1);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const goal = 'x'.repeat(60_000);
    for (let n = 0; n < 2000; n++)
      await api.engine.append(quest.id, [{ type: 'quest.created', data: { title: 't', goal } }]);
    // 120 MB were written to the journal; the follower's buffer has long overflowed and its socket is full.
    for (let n = 0; n < 5; n++) await clock.advance(15_000);
    await expect.poll(() => api.engine.following, { timeout: 5000 }).toBe(0);
    socket.resume();
    await closed;
  });

  it('tells a reader that fell behind to resume from its last event, and loses nothing by it', async () => {
    verifies('http.stream-resets', 'client.resumes');
    await using api = await served();
    const quest = await api.engine.createQuest({ title: 'one', goal: '' });
    const seen: number[] = [];
    let behind = true;
    const stop = new AbortController();
    const goal = 'x'.repeat(60_000);
    for await (const item of api.client.followQuest(quest.id, { signal: stop.signal })) {
      if (item.kind === 'caught_up' && behind) {
        behind = false;
        // Far more than the buffer of a follower while nobody reads.
        for (let n = 0; n < 1500; n++)
          await api.engine.append(quest.id, [{ type: 'quest.created', data: { title: 't', goal } }]);
      }
      if (item.kind === 'event') seen.push(item.event.seq);
      if (seen.length === 1501) break;
    }
    expect(seen).toEqual(Array.from({ length: 1501 }, (_, at) => at + 1));
  });

  it('ends all streams when the server closes', async () => {
    const api = await served();
    const plan = await planIn(api);
    await using stream = await openStream(`${api.url}/api/plans/${plan.id}/stream`);
    await stream.until('caught_up');
    const began = Date.now();
    await api[Symbol.asyncDispose]();
    expect(await stream.next()).toBeUndefined();
    expect(Date.now() - began).toBeLessThan(4000);
    expect(api.engine.following).toBe(0);
  });
});
