import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, verifies, MovingClock } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { auth, errorOf, raw, served } from './support/serve.ts';

describe('the page', () => {
  it('is served with a policy under which only its own files run, without a token', async () => {
    verifies('http.page-files');
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'assets'));
    await writeFile(join(folder.path, 'index.html'), '<!doctype html><title>Assay</title>');
    await writeFile(join(folder.path, 'assets', 'app-1234.js'), 'export {};');
    await using api = await served({ pageDir: folder.path });
    for (const path of ['/', '/plans/plan_1', '/quests/quest_1/report?x=1', '/a/../index.html']) {
      const page = await raw(`${api.url}${path}`);
      expect(page.status, path).toBe(200);
      expect(page.text).toContain('<title>Assay</title>');
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(page.headers['cache-control']).toBe('no-cache');
    }
    const script = await raw(`${api.url}/assets/app-1234.js`);
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const again = await raw(`${api.url}/assets/app-1234.js`, {
      headers: { 'if-none-match': String(script.headers['etag']) },
    });
    expect(again.status).toBe(304);
    expect(again.headers['content-security-policy']).toBe(script.headers['content-security-policy']);
    for (const path of ['/assets/other.js', '/assets/../../etc/passwd', '/api/nothing'])
      expect((await raw(`${api.url}${path}`, { headers: auth })).text, path).not.toContain('root:');
    expect((await raw(`${api.url}/assets/other.js`)).status).toBe(404);
    expect((await raw(`${api.url}/api/nothing`)).status).toBe(401);
    expect((await raw(`${api.url}/plans/x`, { method: 'POST' })).status).toBe(404);
    expect((await raw(`${api.url}/`, { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('says so when the program was built without one', async () => {
    verifies('http.page-files');
    await using folder = await temporaryFolder();
    await using api = await served({ pageDir: join(folder.path, 'none') });
    const answer = await raw(`${api.url}/`);
    expect(answer.status).toBe(404);
    expect(errorOf(answer).message).toBe('this program was built without its page');
  });
});

describe('a link', () => {
  it('opens the page once', async () => {
    verifies('http.one-time-link');
    await using api = await served();
    const { url } = await api.client.createLink();
    const match = /^http:\/\/127\.0\.0\.1:4870\/#link=([A-Za-z0-9_-]{43})$/.exec(url);
    const redeem = () =>
      raw(`${api.url}/api/link/redeem`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: match![1] }),
      });
    const first = await redeem();
    expect(first.status).toBe(200);
    const { token } = JSON.parse(first.text) as { token: string };
    expect((await raw(`${api.url}/api/plans`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    const second = await redeem();
    expect(second.status).toBe(401);
    expect(errorOf(second).hint).toBe('run "assay up" for a new one');
  });

  it('is void after ten minutes', async () => {
    verifies('http.one-time-link');
    const clock = new MovingClock(Date.parse('2026-01-01T00:00:00Z'));
    await using api = await served({ clock });
    const { url, expiresAt } = await api.client.createLink();
    expect(expiresAt).toBe('2026-01-01T00:10:00.000Z');
    await clock.advance(600_001);
    const code = url.split('#link=')[1]!;
    await expect(api.client.redeemLink({ body: { code } })).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
