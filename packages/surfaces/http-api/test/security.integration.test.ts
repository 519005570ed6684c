import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '@assay/testkit';
import { auth, errorOf, raw, served, TOKEN } from './support/serve.ts';

describe('who may call', () => {
  it('answers health without a token and everything else only with it', async () => {
    verifies('http.token-always');
    await using api = await served();
    expect((await raw(`${api.url}/api/health`, {})).status).toBe(200);
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${TOKEN.slice(1)}` },
      { authorization: `Basic ${TOKEN}` },
      { authorization: TOKEN },
      { cookie: `token=${TOKEN}` },
    ] as Record<string, string>[]) {
      const answer = await raw(`${api.url}/api/quests`, { headers });
      expect(answer.status).toBe(401);
      expect(errorOf(answer).code).toBe('unauthorized');
    }
    expect((await raw(`${api.url}/api/quests`, { headers: auth })).status).toBe(200);
  });

  it('says of itself, without the token, nothing but its version and the proof that was asked for', async () => {
    verifies('http.health-open');
    await using api = await served();
    const health = async (query: string) =>
      JSON.parse((await raw(`${api.url}/api/health${query}`, {})).text) as unknown;
    const said = { ok: true, name: 'assay', version: '9.9.9' };
    expect(await health('')).toEqual(said);
    const challenge = '00112233445566778899aabbccddeeff';
    const proof = createHmac('sha256', TOKEN).update(`assay-health:${challenge}`).digest('hex');
    expect(await health(`?challenge=${challenge}`)).toEqual({ ...said, proof });
    for (const bad of ['', 'x', 'A'.repeat(32), 'a'.repeat(65)])
      expect((await raw(`${api.url}/api/health?challenge=${bad}`, {})).status, bad).toBe(400);
    expect((await raw(`${api.url}/api/status`, {})).status).toBe(401);
    const status = JSON.parse((await raw(`${api.url}/api/status`, { headers: auth })).text) as object;
    expect(Object.keys(status)).toEqual(expect.arrayContaining(['pid', 'home', 'plansRunning']));
  });

  it('does not read a token from the address', async () => {
    verifies('http.token-always');
    await using api = await served();
    for (const query of [`token=${TOKEN}`, `access_token=${TOKEN}`, `authorization=Bearer%20${TOKEN}`])
      expect((await raw(`${api.url}/api/quests?${query}`, {})).status).toBe(401);
  });

  it('does not tell a stranger which addresses exist', async () => {
    await using api = await served();
    expect((await raw(`${api.url}/api/no-such-thing`, {})).status).toBe(401);
    expect((await raw(`${api.url}/api/no-such-thing`, { headers: auth })).status).toBe(404);
  });
});

describe('Host and Origin', () => {
  it('takes loopback names with any port, as a forwarded port has', async () => {
    verifies('http.loopback-names');
    await using api = await served();
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.1:9999', 'localhost:40000', '[::1]:4870'])
      expect((await raw(`${api.url}/api/quests`, { headers: { ...auth, host } })).status).toBe(200);
  });

  it('refuses names that were rebound to loopback, even for health', async () => {
    verifies('http.loopback-names');
    await using api = await served();
    for (const host of [
      'evil.example',
      'evil.example:4870',
      '127.0.0.1.evil.example',
      'localhost.evil.example:4870',
      '127.0.0.2',
      '0.0.0.0:4870',
      '127.0.0.1:4870:1',
      'user@127.0.0.1',
      '2130706433',
    ])
      for (const path of ['/api/health', '/api/quests']) {
        const answer = await raw(`${api.url}${path}`, { headers: { ...auth, host } });
        expect([400, 403], host).toContain(answer.status);
        expect(['forbidden_origin', 'invalid_request']).toContain(errorOf(answer).code);
      }
  });

  it('refuses pages of other sites, with a token or without, and sends no CORS header', async () => {
    verifies('http.no-foreign-pages');
    await using api = await served();
    const { host } = new URL(api.url);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:5173',
      `https://${host}`,
      `http://${host}.evil.example`,
    ]) {
      const answer = await raw(`${api.url}/api/quests`, {
        method: 'POST',
        headers: { ...auth, origin, 'content-type': 'application/json' },
        body: '{"title":"planted"}',
      });
      expect(answer.status, origin).toBe(403);
      expect(errorOf(answer).code).toBe('forbidden_origin');
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(api.engine.quests.size).toBe(0);
    const own = await raw(`${api.url}/api/quests`, {
      headers: { ...auth, origin: api.url, 'sec-fetch-site': 'same-origin' },
    });
    expect(own.status).toBe(200);
  });

  it('refuses what a browser marks as coming from another site although it has no Origin', async () => {
    verifies('http.no-foreign-pages');
    await using api = await served();
    for (const site of ['cross-site', 'same-site'])
      expect((await raw(`${api.url}/api/health`, { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    expect((await raw(`${api.url}/api/health`, { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  it('takes an origin that the owner allowed', async () => {
    await using api = await served({ allowedOrigins: ['http://localhost:5173'] });
    const answer = await raw(`${api.url}/api/quests`, { headers: { ...auth, origin: 'http://localhost:5173' } });
    expect(answer.status).toBe(200);
  });

  it('refuses a preflight and forms, which a foreign page could send without asking', async () => {
    verifies('http.no-foreign-pages');
    await using api = await served();
    const preflight = await raw(`${api.url}/api/quests`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect(preflight.status).toBe(403);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers: Record<string, string> = type === '' ? { ...auth } : { ...auth, 'content-type': type };
      const answer = await raw(`${api.url}/api/quests`, { method: 'POST', headers, body: '{"title":"planted"}' });
      expect(answer.status).toBe(415);
      expect(errorOf(answer).code).toBe('unsupported_media_type');
    }
    expect(api.engine.quests.size).toBe(0);
  });
});

describe('owners', () => {
  it('names the owner by header, else by cookie, else local; another owner is refused', async () => {
    verifies('http.owner-names');
    await using api = await served();
    const create = async (headers: Record<string, string>) => {
      const answer = await raw(`${api.url}/api/plan`, {
        method: 'POST',
        headers: { ...auth, 'content-type': 'application/json', ...headers },
        body: '{}',
      });
      return (JSON.parse(answer.text) as { plan: { id: string; ownerId: string } }).plan;
    };
    expect((await create({ 'x-user-id': 'ada@lab.example', cookie: 'assay_uid=bob' })).ownerId).toBe('ada@lab.example');
    expect((await create({ cookie: 'theme=dark; assay_uid=bob' })).ownerId).toBe('bob');
    const local = await create({});
    expect(local.ownerId).toBe('local');
    const foreign = await raw(`${api.url}/api/plans/${local.id}`, { headers: { ...auth, 'x-user-id': 'bob' } });
    expect(foreign.status).toBe(403);
    for (const ref of [local.id, `${local.id}/profile`]) {
      const why = await raw(`${api.url}/api/why?ref=${ref}`, { headers: { ...auth, 'x-user-id': 'bob' } });
      expect([why.status, errorOf(why).code]).toEqual([403, 'not_owner']);
    }
    expect(errorOf(foreign).code).toBe('not_owner');
  });

  it('refuses names that are no names', async () => {
    verifies('http.owner-names');
    await using api = await served();
    for (const headers of [
      { 'x-user-id': 'a b' },
      { 'x-user-id': '../x' },
      { 'x-user-id': 'x'.repeat(129) },
      { 'x-user-id': '' },
      { cookie: 'assay_uid=<script>' },
    ] as Record<string, string>[])
      expect((await raw(`${api.url}/api/quests`, { headers: { ...auth, ...headers } })).status).toBe(400);
  });
});

describe('what answers carry', () => {
  it('has headers that keep browsers from running or framing anything', async () => {
    await using api = await served();
    for (const path of ['/api/health', '/api/nothing', '/api/quests']) {
      const { headers } = await raw(`${api.url}${path}`, { headers: auth });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  it('never lets the text of an internal fault out, but logs it under the incident that it names', async () => {
    verifies('http.faults-stay-inside');
    const lines: { message: string; fields: Record<string, unknown> | undefined }[] = [];
    const logger = {
      log: (_: string, message: string, fields?: Record<string, unknown>) => void lines.push({ message, fields }),
    };
    await using api = await served({ logger });
    api.engine.fault = new Error('secret /home/ada/.ssh/id_rsa');
    const answer = await raw(`${api.url}/api/doctor`, { headers: auth });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret');
    const { error } = JSON.parse(answer.text) as { error: { code: string; details: { incident: string } } };
    expect(error.code).toBe('internal');
    const logged = lines.find((line) => line.fields?.['incident'] === error.details.incident);
    expect(String(logged?.fields?.['error'])).toContain('secret /home/ada/.ssh/id_rsa');
  });

  it('does not write tokens or queries into the log', async () => {
    const lines: string[] = [];
    const logger = {
      log: (_: string, message: string, fields?: Record<string, unknown>) =>
        void lines.push(JSON.stringify({ message, fields })),
    };
    await using api = await served({ logger });
    await raw(`${api.url}/api/quests?token=${TOKEN}`, { headers: auth });
    expect(lines.join('\n')).toContain('"path":"/api/quests"');
    expect(lines.join('\n')).not.toContain(TOKEN);
  });

  it('refuses bodies over one MiB, declared or not', async () => {
    verifies('http.bounded-requests');
    await using api = await served();
    const body = JSON.stringify({ title: 'x', goal: 'y'.repeat(1024 * 1024) });
    const headers = { ...auth, 'content-type': 'application/json' };
    const declared = await raw(`${api.url}/api/quests`, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      body,
    });
    const chunked = await raw(`${api.url}/api/quests`, {
      method: 'POST',
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body,
    });
    for (const answer of [declared, chunked]) {
      expect(answer.status).toBe(413);
      expect(errorOf(answer).code).toBe('payload_too_large');
    }
  });
});
