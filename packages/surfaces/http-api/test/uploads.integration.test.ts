import { request } from 'node:http';
import { createClient } from '@assay/client';
import { verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { auth, errorOf, raw, served, TOKEN, type RawAnswer } from './support/serve.ts';

const FRAME = '--cut';
const type = { ...auth, 'content-type': 'multipart/form-data; boundary=cut' };
const part = (name: string, content: string) =>
  `${FRAME}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n${content}\r\n`;

describe('sending a file', () => {
  it('keeps its bytes and name, and gives them back as a download only', async () => {
    verifies('uploads.kept', 'http.artifacts-are-downloads');
    await using api = await served();
    const bytes = new Uint8Array(70_000).map((_, i) => i % 251);
    const upload = await api.client.createUpload({ file: new Blob([bytes]), name: '企鹅 1.csv' });
    expect(upload).toMatchObject({ name: '企鹅 1.csv', size: 70_000, ownerId: 'local' });
    const answer = await api.client.uploadContent({ upload: upload.id });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    const tagged = { ...auth, 'if-none-match': answer.headers.get('etag')! };
    expect((await raw(`${api.url}/api/uploads/${upload.id}/content`, { headers: tagged })).status).toBe(304);
    const bob = createClient({ baseUrl: api.url, token: TOKEN, userId: 'bob' });
    await expect(bob.uploadContent({ upload: upload.id })).rejects.toMatchObject({ code: 'not_owner' });
    await expect(bob.removeUpload({ upload: upload.id })).rejects.toMatchObject({ code: 'not_owner' });
    expect((await bob.listUploads()).uploads).toEqual([]);
    await api.client.removeUpload({ upload: upload.id });
    await expect(api.client.uploadContent({ upload: upload.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each<[string, string, string]>([
    ['without an end', part('a.csv', 'a,b').slice(0, -2), 'invalid_request'],
    ['with two files', `${part('a.csv', 'a')}${part('b.csv', 'b')}${FRAME}--\r\n`, 'invalid_request'],
    [
      'with no file',
      `${FRAME}\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n${FRAME}--\r\n`,
      'invalid_request',
    ],
    ['with no part', '', 'invalid_request'],
    ['with no boundary', 'what is this', 'invalid_request'],
  ])('keeps nothing of a request %s', async (_, body, code) => {
    verifies('uploads.whole-or-nothing');
    await using api = await served();
    const answer = await raw(`${api.url}/api/uploads`, { method: 'POST', headers: type, body });
    expect(errorOf(answer).code, answer.text).toBe(code);
    expect(api.engine.uploads.size).toBe(0);
  });

  it('is refused in another form than multipart/form-data', async () => {
    await using api = await served();
    for (const contentType of ['text/csv', 'application/json', 'multipart/form-data']) {
      const headers = { ...auth, 'content-type': contentType };
      const answer = await raw(`${api.url}/api/uploads`, { method: 'POST', headers, body: '{}' });
      expect([400, 415], answer.text).toContain(answer.status);
    }
    expect((await raw(`${api.url}/api/uploads`, { method: 'POST', body: part('a', 'b') })).status).toBe(401);
  });

  it('says why a file is refused that is still on its way', async () => {
    verifies('uploads.limits');
    await using api = await served();
    const file = new Blob(['x'.repeat(40 * 1024 * 1024)]);
    await expect(api.client.createUpload({ file, name: 'large.csv' })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(api.engine.received).toBeLessThan(4 * 1024 * 1024);
    expect(api.engine.uploads.size).toBe(0);
  });

  it('keeps nothing when its sender goes away', async () => {
    verifies('uploads.whole-or-nothing');
    await using api = await served();
    api.engine.mostBytes = 1 << 30;
    const stop = new AbortController();
    const gone = new Promise((resolve) => {
      const sent = request(`${api.url}/api/uploads`, {
        method: 'POST',
        headers: { ...type, 'content-length': '999999' },
        signal: stop.signal,
      });
      sent.on('error', resolve);
      sent.write(part('a.csv', 'a,b\n1,2\n'.repeat(100)).slice(0, -2));
      const timer = setInterval(() => {
        if (api.engine.received === 0) return;
        clearInterval(timer);
        stop.abort();
      }, 5);
    });
    await gone;
    const next: RawAnswer = await raw(`${api.url}/api/uploads`, { headers: auth });
    expect(JSON.parse(next.text)).toMatchObject({ uploads: [] });
    expect(api.engine.uploads.size).toBe(0);
  });
});

describe('asking what is in a file', () => {
  it('takes exactly one file', async () => {
    verifies('http.errors-name-the-field');
    await using api = await served();
    const ask = async (body: unknown) => {
      const headers = { ...auth, 'content-type': 'application/json' };
      const answer = await raw(`${api.url}/api/data/profile`, { method: 'POST', headers, body: JSON.stringify(body) });
      return `${answer.status} ${errorOf(answer).why ?? errorOf(answer).message}`;
    };
    expect(await ask({})).toBe('400 path: name one file: uploadId or path');
    expect(await ask({ path: '/a', uploadId: 'upload_1' })).toBe('400 path: name one file: uploadId or path');
    expect(await ask({ path: '/a', taget: 'x' })).toBe('400 taget: this member is not known here');
    expect(await ask({ path: '/a' })).toBe('422 there is no /a');
  });
});
