import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import { PROTOCOL_VERSION } from './session-host/protocol.ts';

/** Linux and Node cut longer socket paths without a word. */
const MAX_SOCKET_PATH_BYTES = 100;
const PRIVATE = 0o700;
const PERMISSION_BITS = 0o777;

export interface HostAddress {
  readonly runtimeDir: string;
  readonly socket: string;
  /** Name of the abstract socket that at most one host of this home holds; the kernel frees it when the host dies. */
  readonly lock: string;
  /** Begins the names of the home's control groups. */
  readonly groupPrefix: string;
  readonly log: string;
}

/** Where the session host of a home is reached. Makes the folders, for this user alone. */
export function hostAddress(home: string): HostAddress {
  mkdirSync(home, { recursive: true, mode: PRIVATE });
  const real = realpathSync(home);
  const runtimeDir = join(real, 'runtime');
  mkdirSync(runtimeDir, { recursive: true, mode: PRIVATE });
  const hash = createHash('sha256').update(`${userId()}\0${real}`).digest('hex');
  const name = `session-host-${PROTOCOL_VERSION}.sock`;
  const direct = join(runtimeDir, name);
  const short = Buffer.byteLength(direct) <= MAX_SOCKET_PATH_BYTES;
  return {
    runtimeDir,
    socket: short ? direct : join(shortFolder(hash), name),
    lock: `\0assay-host-${PROTOCOL_VERSION}-${hash}`,
    groupPrefix: `assay-${hash.slice(0, 12)}-`,
    log: join(runtimeDir, 'session-host.log'),
  };
}

/** A folder under the temporary one, where anybody could have made it first: ours and closed, or an error. */
function shortFolder(hash: string): string {
  const folder = join(tmpdir(), `assay-${userId()}-${hash.slice(0, 16)}`);
  mkdirSync(folder, { recursive: true, mode: PRIVATE });
  const stat = lstatSync(folder);
  if (stat.isDirectory() && stat.uid === userId() && (stat.mode & PERMISSION_BITS) === PRIVATE) return folder;
  throw new AssayError('sandbox_unavailable', `${folder} cannot hold the socket of the session host`, {
    why: 'it is not a folder of this user alone',
    hint: `remove it, or set TMPDIR to a folder of your own`,
  });
}

function userId(): number {
  return process.getuid?.() ?? 0;
}
