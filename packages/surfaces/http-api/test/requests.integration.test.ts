import { describe, expect, it } from 'vitest';
import { MovingClock, temporaryFolder, verifies } from '@assay/testkit';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IdempotencyStore } from '../src/idempotency.ts';
import { auth, errorOf, raw, served } from './support/serve.ts';

const json = { ...auth, 'content-type': 'application/json' };

describe('requests that do not fit', () => {
  it('says which field of the body is wrong', async () => {
    verifies('http.errors-name-the-field');
    await using api = await served();
    const answer = await raw(`${api.url}/api/quests`, { method: 'POST', headers: json, body: '{"title":""}' });
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({
      code: 'invalid_request',
      message: 'the body of this request is not valid',
      why: 'title: Too small: expected string to have >=1 characters',
    });
  });

  it('says which parameter of the query is wrong, and refuses one that stands twice', async () => {
    verifies('http.errors-name-the-field');
    await using api = await served();
    const wrong = await raw(`${api.url}/api/quests?limit=none`, { headers: auth });
    expect(errorOf(wrong).why).toBe('limit: Invalid input: expected number, received NaN');
    const twice = await raw(`${api.url}/api/quests?limit=1&limit=2`, { headers: auth });
    expect(errorOf(twice)).toMatchObject({ code: 'invalid_request', why: 'it is "limit"' });
  });

  it('names a member that it does not know, wherever it stands', async () => {
    verifies('http.bodies-strict');
    await using api = await served();
    const refused = async (path: string, body: unknown) => {
      const answer = await raw(`${api.url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
      expect(answer.status, answer.text).toBe(400);
      return errorOf(answer).why;
    };
    const unknown = (name: string) => `${name}: this member is not known here`;
    expect(await refused('/api/quests', { title: 'a', golas: '' })).toBe(unknown('golas'));
    expect(await refused('/api/plan', { text: 'measure it' })).toBe(unknown('text'));
    expect(await refused('/api/plan', { inputs: { targt: 'y' } })).toBe(unknown('inputs.targt'));
    expect(await refused('/api/plan', { budget: { maxMoney: 1 } })).toBe(unknown('budget.maxMoney'));
    expect(await refused('/api/plan', { attachments: [{ path: '/a', name: 'b' }] })).toBe(
      unknown('attachments.0.name'),
    );
    const { id } = await api.engine.createPlan({ ownerId: 'local' }, { attachments: [], inputs: {}, reuse: false });
    expect(await refused(`/api/plans/${id}/approve`, { yes: true })).toBe(unknown('yes'));
    expect(await refused(`/api/plans/${id}/cancel`, { reson: 'x' })).toBe(unknown('reson'));
    expect(await refused(`/api/plans/${id}/clarify`, { answer: 'x', field: 'y' })).toBe(unknown('field'));
    expect(await refused(`/api/plans/${id}/tasks/profile/reassign`, { assignedTo: 'data', by: 'me' })).toBe(
      unknown('by'),
    );
  });

  it('takes one data file for a benchmark, and no NUL character in any text', async () => {
    verifies('http.bodies-strict');
    await using api = await served();
    const why = async (path: string, body: unknown) => {
      const answer = await raw(`${api.url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
      expect([answer.status, errorOf(answer).code], answer.text).toEqual([400, 'invalid_request']);
      return errorOf(answer).why;
    };
    const one = 'attachments: a benchmark takes one data file';
    expect(await why('/api/plan', { attachments: [{ path: '/a' }, { path: '/b' }] })).toBe(one);
    expect(await why('/api/plan', { attachments: [{ path: '/a' }], inputs: { data: '/b' } })).toBe(one);
    const nul = (name: string) => `${name}: it contains a NUL character`;
    expect(await why('/api/quests', { title: 'a\0b' })).toBe(nul('title'));
    expect(await why('/api/quests', { title: 'a', goal: '\0' })).toBe(nul('goal'));
    expect(await why('/api/plan', { inputs: { data: '/a\0' } })).toBe(nul('inputs.data'));
    expect(await why('/api/plan', { inputs: { repository: '/a\0' } })).toBe(nul('inputs.repository'));
    expect(await why('/api/plan', { inputs: { input: ['a', 'b\0'] } })).toBe(nul('inputs.input.1'));
    expect(await why('/api/plan', { attachments: [{ path: '\0' }] })).toBe(nul('attachments.0.path'));
  });

  it('refuses bodies that are not JSON', async () => {
    await using api = await served();
    for (const body of ['{', 'null', '[]', '"x"', '{"title":1}']) {
      const answer = await raw(`${api.url}/api/quests`, { method: 'POST', headers: json, body });
      expect(answer.status, body).toBe(400);
      expect(errorOf(answer).code).toBe('invalid_request');
    }
  });

  it('refuses ids that could be paths', async () => {
    await using api = await served();
    for (const id of ['..%2F..%2Fetc', '%2e%2e', 'a%00b', 'a%20b', 'x'.repeat(200)])
      expect([400, 404], id).toContain((await raw(`${api.url}/api/quests/${id}`, { headers: auth })).status);
  });

  it('answers an unknown address with 404 and another method with 405 and Allow', async () => {
    verifies('http.errors-are-json');
    await using api = await served();
    const unknown = await raw(`${api.url}/api/quest`, { headers: auth });
    expect([unknown.status, errorOf(unknown).code]).toEqual([404, 'not_found']);
    const remove = await raw(`${api.url}/api/quests`, { method: 'DELETE', headers: auth });
    expect([remove.status, errorOf(remove).code, remove.headers['allow']]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, POST',
    ]);
    const get = await raw(`${api.url}/api/shutdown`, { headers: auth });
    expect([get.status, get.headers['allow']]).toEqual([405, 'POST']);
    const head = await raw(`${api.url}/api/health`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('answers what is not HTTP with a JSON error too', async () => {
    verifies('http.errors-are-json');
    await using api = await served();
    const { connect } = await import('node:net');
    const text = await new Promise<string>((resolve, reject) => {
      let got = '';
      const socket = connect(api.server.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      socket.on('data', (chunk) => (got += chunk.toString()));
      socket.on('close', () => resolve(got));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ error: { code: 'invalid_request' } });
  });
});

describe('Idempotency-Key', () => {
  it('gives the first answer again for the same key and body, and makes nothing twice', async () => {
    verifies('http.idempotent-posts');
    await using api = await served();
    const post = (key: string, body: string) =>
      raw(`${api.url}/api/quests`, { method: 'POST', headers: { ...json, 'idempotency-key': key }, body });
    const [first, second] = await Promise.all([post('k1', '{"title":"one"}'), post('k1', '{ "title": "one" }')]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(api.engine.quests.size).toBe(1);
    const other = await post('k1', '{"title":"two"}');
    expect([other.status, errorOf(other).code]).toEqual([409, 'idempotency_mismatch']);
    await post('k2', '{"title":"one"}');
    expect(api.engine.quests.size).toBe(2);
  });

  it('keeps the keys of owners apart and refuses keys that are none', async () => {
    verifies('http.idempotent-posts');
    await using api = await served();
    const post = (headers: Record<string, string>) =>
      raw(`${api.url}/api/quests`, { method: 'POST', headers: { ...json, ...headers }, body: '{"title":"one"}' });
    await post({ 'idempotency-key': 'k', 'x-user-id': 'ada' });
    await post({ 'idempotency-key': 'k', 'x-user-id': 'bob' });
    expect(api.engine.quests.size).toBe(2);
    expect((await post({ 'idempotency-key': 'with space' })).status).toBe(400);
    expect((await post({ 'idempotency-key': 'x'.repeat(256) })).status).toBe(400);
  });

  it('is bounded, forgets after a day, and does not keep our own faults', async () => {
    const clock = new MovingClock();
    const store = new IdempotencyStore(clock);
    let made = 0;
    const make = (status: number) => async () => ({ status, text: String((made += 1)) });
    const request = { owner: 'local', path: '/p', body: undefined };
    for (let at = 0; at < 1500; at++) await store.run(`k${at}`, request, make(200));
    expect(store.size).toBe(1000);
    expect((await store.run('k1499', request, make(200))).text).toBe('1500');
    expect((await store.run('k0', request, make(200))).text).toBe('1501');
    await clock.advance(24 * 3600 * 1000 + 1);
    expect((await store.run('k1499', request, make(200))).text).toBe('1502');
    expect((await store.run('fault', request, make(500))).text).toBe('1503');
    expect((await store.run('fault', request, make(200))).text).toBe('1504');
  });
});

describe('reading', () => {
  it('answers 304 when the client has it, and anew when it changed', async () => {
    verifies('http.etag');
    await using api = await served();
    await api.engine.createQuest({ title: 'one', goal: '' });
    const first = await raw(`${api.url}/api/quests`, { headers: auth });
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await raw(`${api.url}/api/quests`, { headers: { ...auth, 'if-none-match': match } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
    await api.engine.createQuest({ title: 'two', goal: '' });
    const changed = await raw(`${api.url}/api/quests`, { headers: { ...auth, 'if-none-match': etag } });
    expect(changed.status).toBe(200);
  });

  it('pages a list by cursor without repeating or skipping', async () => {
    verifies('http.pages');
    await using api = await served();
    for (let n = 1; n <= 5; n++) await api.engine.createQuest({ title: `q${n}`, goal: '' });
    const titles: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 10; pages++) {
      const page = await api.client.listQuests({ query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } });
      titles.push(...page.quests.map((quest) => quest.title));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(titles).toEqual(['q5', 'q4', 'q3', 'q2', 'q1']);
    await expect(api.client.listQuests({ query: { cursor: 'nonsense' } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('serves the bytes of an artifact as a download that no browser shows', async () => {
    verifies('http.artifacts-are-downloads');
    await using folder = await temporaryFolder();
    await using api = await served();
    const quest = await api.engine.createQuest({ title: 'one', goal: '' });
    const file = join(folder.path, 'page');
    const text = '<script>alert(1)</script>';
    await writeFile(file, text);
    const record = {
      v: 1 as const,
      id: 'artifact_1',
      key: 'page',
      type: 'text' as const,
      quest: quest.id,
      producer: { attempt: 1 },
      sha256: 'b'.repeat(64),
      size: text.length,
      mediaType: 'text/html',
      evidence: [],
      createdAt: '2026-01-01T00:00:00.000Z',
      metadata: {},
    };
    api.engine.quests.get(quest.id)!.artifacts.set('artifact_1', { record, text, file });
    const url = `${api.url}/api/quests/${quest.id}/artifacts/artifact_1/content`;
    const answer = await raw(url, { headers: auth });
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': "attachment; filename*=UTF-8''page.html",
      'x-content-type-options': 'nosniff',
      etag: `"${'b'.repeat(64)}"`,
      'content-length': '25',
    });
    expect((await raw(url, { headers: { ...auth, 'if-none-match': `"${'b'.repeat(64)}"` } })).status).toBe(304);
    api.engine.quests.get(quest.id)!.artifacts.set('artifact_1', { record, text, file: join(folder.path, 'gone') });
    expect((await raw(url, { headers: auth })).status).toBe(404);
  });

  it('answers a shutdown before it happens', async () => {
    await using api = await served();
    expect(await api.client.shutdown()).toEqual({ ok: true });
    await expect.poll(() => api.shutdowns).toBe(1);
  });
});
