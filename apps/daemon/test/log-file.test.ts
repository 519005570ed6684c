import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MovingClock, temporaryFolder, verifies } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { logFile, type LogFileOptions } from '../src/log-file.ts';

function loggerIn(folder: string, more: Partial<LogFileOptions> = {}) {
  const lost: string[] = [];
  const path = join(folder, 'daemon.jsonl');
  const fallback = (line: string) => void lost.push(line);
  return { path, lost, logger: logFile({ path, clock: new MovingClock(), debug: false, fallback, ...more }) };
}

const messages = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message);

describe('the log of the daemon', () => {
  it('holds JSON lines that only the owner can read, and debug lines only when they are asked for', async () => {
    verifies('cli.daemon-log');
    await using folder = await temporaryFolder('assay-log');
    const quiet = loggerIn(folder.path);
    quiet.logger.log('debug', 'request', { path: '/api/health' });
    quiet.logger.log('info', 'the daemon listens', { pid: 7 });
    quiet.logger.log('error', 'it broke');
    expect(await messages(quiet.path)).toEqual(['the daemon listens', 'it broke']);
    expect(JSON.parse((await readFile(quiet.path, 'utf8')).split('\n')[0]!)).toMatchObject({ level: 'info', pid: 7 });
    expect((await stat(quiet.path)).mode & 0o777).toBe(0o600);
    const chatty = loggerIn(folder.path, { debug: true });
    chatty.logger.log('debug', 'request');
    expect(await messages(chatty.path)).toEqual(['the daemon listens', 'it broke', 'request']);
  });

  it('begins a new file before one grows over the limit and keeps three, also over restarts', async () => {
    verifies('cli.daemon-log');
    await using folder = await temporaryFolder('assay-log');
    const say = (text: string) => loggerIn(folder.path, { maxBytes: 200 }).logger.log('info', text);
    for (const text of ['a', 'b', 'c', 'd', 'e']) say(text + '.'.repeat(110));
    const { path } = loggerIn(folder.path);
    expect((await readdir(folder.path)).sort()).toEqual(['daemon.jsonl', 'daemon.jsonl.1', 'daemon.jsonl.2']);
    const first = async (file: string) => (await messages(file)).map((message) => message[0]);
    expect([await first(path), await first(`${path}.1`), await first(`${path}.2`)]).toEqual([['e'], ['d'], ['c']]);
    for (const name of [path, `${path}.1`, `${path}.2`]) expect((await stat(name)).size).toBeLessThanOrEqual(200);
  });

  it('gives its lines away while the file cannot be written, and writes again later', async () => {
    verifies('cli.daemon-log');
    await using folder = await temporaryFolder('assay-log');
    const { path, lost, logger } = loggerIn(join(folder.path, 'logs'));
    logger.log('warn', 'lost');
    expect(lost.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(['lost']);
    await mkdir(join(folder.path, 'logs'));
    logger.log('warn', 'kept');
    expect(await messages(path)).toEqual(['kept']);
    expect(lost).toHaveLength(1);
  });
});
