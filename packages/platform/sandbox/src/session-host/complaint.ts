import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { sessionFiles } from '../session-files.ts';
import type { StartRequest } from './protocol.ts';

const MAX_BYTES = 2000;

/**
 * What the prologue or the backend wrote before it gave up, made readable. Only meaningful when the command never
 * started: then nothing else wrote into the log.
 */
export function complaintIn(request: Pick<StartRequest, 'dir' | 'separateStreams'>): string {
  const text = firstBytes(join(request.dir, request.separateStreams ? sessionFiles.stderr : sessionFiles.output));
  return text
    .trim()
    .replace(/^bwrap: execvp (.*): (.+)$/s, 'the command $1 could not be started: $2')
    .replace(/^bwrap: Can't chdir to (.*): (.+)$/s, 'the working folder $1 is not there inside the sandbox: $2')
    .replace(/^bwrap: /, 'bubblewrap: ');
}

function firstBytes(file: string): string {
  const buffer = Buffer.alloc(MAX_BYTES);
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    return buffer.subarray(0, readSync(fd, buffer, 0, MAX_BYTES, 0)).toString('utf8');
  } catch {
    return '';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
