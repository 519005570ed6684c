import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { auth, errorOf, raw, served } from './support/serve.ts';
import { openStream } from './support/stream-reader.ts';

describe('the log of a session', () => {
  it('is answered by rows, searched, sent in ranges of bytes and followed', async () => {
    verifies('log.rows-by-number', 'log.search', 'log.routes');
    await using folder = await temporaryFolder('assay-log');
    await using api = await served();
    const file = join(folder.path, 'output.log');
    await writeFile(file, Array.from({ length: 1500 }, (_, at) => `row ${at}\n`).join(''));
    api.engine.logs.set('session_1', file);
    const at = { quest: 'quest_1', session: 'session_1' };
    expect(await api.client.sessionLog({ ...at, query: { from: -2 } })).toMatchObject({
      rows: 1500,
      from: 1498,
      lines: ['row 1498', 'row 1499'],
    });
    expect((await api.client.sessionLog({ ...at, query: { from: 1000, limit: 2 } })).lines).toEqual([
      'row 1000',
      'row 1001',
    ]);
    expect((await api.client.sessionLog({ ...at, query: { from: 9999 } })).lines).toEqual([]);
    const hits = await api.client.searchSessionLog({ ...at, query: { text: 'ROW 149'.toLowerCase() } });
    expect(hits).toMatchObject({ total: 11, complete: true });
    expect(hits.rows.slice(0, 2)).toEqual([149, 1490]);
    const whole = await api.client.sessionLogContent(at);
    expect(await whole.text()).toMatch(/^row 0\nrow 1\n/);
    const address = `${api.url}/api/quests/quest_1/sessions/session_1/log/content`;
    const part = await raw(address, { headers: { ...auth, range: 'bytes=6-10' } });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'row 1', 'bytes 6-10/12390']);
    const tail = await raw(address, { headers: { ...auth, range: 'bytes=-9' } });
    expect([tail.status, tail.text]).toEqual([206, 'row 1499\n']);
    const beyond = await raw(address, { headers: { ...auth, range: 'bytes=99999-' } });
    expect(errorOf(beyond).code).toBe('invalid_request');
    await using stream = await openStream(`${api.url}/api/stream?topics=session:session_1`);
    expect((await stream.next())!.data).toMatchObject({
      event: 'grew',
      data: { output: { rows: 1500, bytes: 12390 }, ended: true },
    });
  });

  it('refuses what is not there and what no search can find', async () => {
    verifies('log.routes');
    await using api = await served();
    const address = `${api.url}/api/quests/quest_1/sessions/session_2/log`;
    expect(errorOf(await raw(address, { headers: auth })).code).toBe('not_found');
    expect(errorOf(await raw(`${address}/search?text=a%0Ab`, { headers: auth })).code).toBe('invalid_request');
    expect(errorOf(await raw(`${address}?limit=100000`, { headers: auth })).code).toBe('invalid_request');
    expect(errorOf(await raw(`${api.url}/api/stream?topics=session:session_2`, { headers: auth })).code).toBe(
      'not_found',
    );
    expect((await raw(address, {})).status).toBe(401);
  });
});
