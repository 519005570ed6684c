import { temporaryFolder, verifies } from '@assay/testkit';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createHttpApi, DEFAULT_PORT, serveHttp } from '../src/index.ts';
import { socketPathFor } from '../src/socket-path.ts';
import { MemoryEngine } from './support/memory-engine.ts';
import { apiOptions, auth, raw } from './support/serve.ts';

const app = () => createHttpApi(apiOptions(new MemoryEngine()));
const signal = new AbortController().signal;

it('refuses a configured port that is taken and names it', async () => {
  verifies('http.port');
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(serveHttp({ app: app(), host: '127.0.0.1', port, signal })).rejects.toMatchObject({
    code: 'port_in_use',
    message: `port ${port} is in use`,
    details: { port },
  });
  other.close();
});

it('takes another port when none is configured and the usual one is taken', async () => {
  verifies('http.port');
  expect(DEFAULT_PORT).toBe(4870);
  await using first = await serveHttp({ app: app(), host: '127.0.0.1', port: 'auto', signal });
  await using second = await serveHttp({ app: app(), host: '127.0.0.1', port: 'auto', signal });
  expect(second.port).not.toBe(first.port);
  expect(second.port).not.toBe(4870);
  expect((await raw(`${second.url}/api/health`, {})).status).toBe(200);
});

it('also listens on a socket that only the owner can open, in place of one left by a crash', async () => {
  verifies('http.socket');
  await using folder = await temporaryFolder('s');
  const socketPath = join(folder.path, 'runtime', 'daemon.sock');
  await mkdir(join(folder.path, 'runtime'));
  await writeFile(socketPath, 'left over');
  const server = await serveHttp({ app: app(), host: '127.0.0.1', port: 0, socketPath, signal });
  expect(server.socket).toBe(socketPath);
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
  const answer = await raw('http://localhost/api/quests', { socketPath, headers: auth });
  expect([answer.status, answer.text]).toEqual([200, '{"quests":[],"nextCursor":null}']);
  await server.close();
  await expect(stat(socketPath)).rejects.toThrow('ENOENT');
});

it('uses a short path of its own when the wanted one is too long, and no folder of somebody else', async () => {
  verifies('http.socket');
  await using folder = await temporaryFolder('s');
  const long = join(folder.path, 'x'.repeat(120), 'runtime', 'daemon.sock');
  const short = await socketPathFor(long, folder.path);
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(100);
  expect(await socketPathFor(long, folder.path)).toBe(short);
  expect(await socketPathFor(`${long}2`, folder.path)).not.toBe(short);
  await using open = await temporaryFolder('s');
  await mkdir(join(open.path, `assay-${process.getuid!()}`), { mode: 0o777 });
  const { chmod } = await import('node:fs/promises');
  await chmod(join(open.path, `assay-${process.getuid!()}`), 0o777);
  await expect(socketPathFor(long, open.path)).rejects.toMatchObject({ code: 'daemon_start_failed' });
});

it('answers a request without Host in the shape of every error', async () => {
  verifies('http.errors-are-json');
  await using server = await serveHttp({ app: app(), host: '127.0.0.1', port: 0, signal });
  for (const lines of ['GET /api/health HTTP/1.1\r\nconnection: close', 'GET /api/health HTTP/1.0', 'no HTTP at all']) {
    const [head = '', body = ''] = (await exchange(server.port, `${lines}\r\n\r\n`)).split('\r\n\r\n');
    expect(head, lines).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head.toLowerCase(), lines).toContain('content-type: application/json');
    expect(JSON.parse(body), lines).toEqual({
      error: { code: 'invalid_request', message: 'this is not a valid HTTP request', details: {} },
    });
  }
});

/** Sends bytes as they are and gives all that comes back until the server closes the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.once('error', reject).once('close', () => resolve(answer));
  });
}

it('closes when its signal aborts', async () => {
  const closing = new AbortController();
  const server = await serveHttp({ app: app(), host: '127.0.0.1', port: 0, signal: closing.signal });
  closing.abort();
  await server.close();
  await expect(raw(`${server.url}/api/health`, {})).rejects.toThrow('ECONNREFUSED');
});
