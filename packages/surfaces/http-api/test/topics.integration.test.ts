import type { TopicItem } from '@assay/client';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { errorOf, raw, auth, served, type Served } from './support/serve.ts';
import { openStream, type Message } from './support/stream-reader.ts';

const caller = { ownerId: 'local' };

async function planIn(api: Served): Promise<{ readonly id: string; readonly quest: string }> {
  const quest = await api.engine.createQuest({ title: 'one', goal: '' });
  const plan = await api.engine.createPlan(caller, { questId: quest.id, attachments: [], inputs: {}, reuse: false });
  return { id: plan.id, quest: quest.id };
}

function shown({ data }: Message): string {
  return `${String(data['topic']).split(':')[0]} ${String(data['event'])}`;
}

describe('a stream of topics', () => {
  it('carries all of them, with the positions of all as its id', async () => {
    verifies('http.topics');
    await using api = await served();
    const plan = await planIn(api);
    const other = await planIn(api);
    await using stream = await openStream(`${api.url}/api/stream?topics=home,plan:${plan.id},quest:${other.quest}`);
    const messages: Message[] = [];
    for (let i = 0; i < 6; i += 1) messages.push((await stream.next())!);
    expect(messages.map(shown).sort()).toEqual([
      'home plans',
      'plan caught_up',
      'plan plan.created',
      'quest caught_up',
      'quest plan.created',
      'quest quest.created',
    ]);
    const last = messages.findLast(({ id }) => id !== undefined)!;
    expect(last.id!.split(',').sort()).toEqual([`plan:${plan.id}=1.2`, `quest:${other.quest}=1.2`]);
    await api.engine.executePlan(caller, plan.id);
    await using resumed = await openStream(`${api.url}/api/stream?topics=plan:${plan.id}`, {
      'last-event-id': `plan:${plan.id}=1.2`,
    });
    expect(shown((await resumed.next())!)).toBe('plan plan.started');
  });

  it('tells the failure of one topic and goes on with the others', async () => {
    verifies('http.topics');
    await using api = await served();
    const plan = await planIn(api);
    const other = await planIn(api);
    await using stream = await openStream(`${api.url}/api/stream?topics=plan:${plan.id},quest:${other.quest}`);
    for (let i = 0; i < 5; i += 1) await stream.next();
    api.engine.stopped.abort(Object.assign(new Error('x'), { code: 'x' }));
    const failure = (await stream.next())!;
    expect(failure.data).toMatchObject({
      topic: `plan:${plan.id}`,
      event: 'error',
      data: { error: { code: 'internal' } },
    });
    await api.engine.append(other.quest, [{ type: 'quest.opened', data: { notes: ['a'] } }]);
    expect(shown((await stream.next())!)).toBe('quest quest.opened');
  });

  it.each([
    ['', 400, 'invalid_request'],
    ['home,everything', 400, 'invalid_request'],
    ['plan:nothing', 404, 'not_found'],
    [Array.from({ length: 21 }, (_, i) => `quest:q${i}`).join(','), 400, 'invalid_request'],
  ])('of %s is refused', async (topics, status, code) => {
    verifies('http.topics');
    await using api = await served();
    const answer = await raw(`${api.url}/api/stream?topics=${topics}`, { headers: auth });
    expect(errorOf(answer).code).toBe(code);
    expect(answer.status).toBe(status);
  });
});

describe('a follower of topics', () => {
  it('goes on over a restart of the daemon and says that it was cut off', async () => {
    verifies('client.topics');
    const first = await served();
    const plan = await planIn(first);
    const abort = new AbortController();
    const seen: string[] = [];
    const waits: { readonly text: string; readonly done: () => void }[] = [];
    const follow = async (items: AsyncGenerator<TopicItem>) => {
      for await (const item of items) {
        seen.push(item.kind === 'frame' ? item.event : item.kind);
        for (const wait of waits) if (seen.includes(wait.text)) wait.done();
      }
    };
    const until = (text: string) =>
      new Promise<void>((done) => {
        if (seen.includes(text)) done();
        waits.push({ text, done });
      });
    const following = follow(first.client.followTopics([`plan:${plan.id}`], abort.signal));
    await until('caught_up');
    await first[Symbol.asyncDispose]();
    await until('broken');
    await using second = await served({ engine: first.engine, port: first.server.port });
    await second.engine.executePlan(caller, plan.id);
    await until('plan.started');
    abort.abort(new Error('enough'));
    await expect(following).rejects.toThrow('enough');
    expect(seen.filter((text) => text.startsWith('plan.'))).toEqual(['plan.created', 'plan.started']);
    expect(seen[0]).toBe('open');
  });

  it('ends with what trying again cannot change', async () => {
    verifies('client.topics');
    await using api = await served();
    const items = api.client.followTopics(['plan:nothing'], AbortSignal.timeout(10_000));
    await expect(items.next()).rejects.toMatchObject({ code: 'not_found' });
  });
});
