import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetPath } from '@assay/entries';

/** The user inside, whoever runs it outside. */
export const INNER_UID = 1000;
export const INNER_GID = 1000;

/** The few files of /etc that programs look into, with nothing of this machine's users and hosts. */
const stubs: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nassay:x:${INNER_UID}:${INNER_GID}:assay:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  group: `root:x:0:\nassay:x:${INNER_GID}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};
const EMPTY = 'empty';
const BRIDGE = 'network-bridge.py';

export interface StubFiles {
  /** Source on this machine and target inside. */
  readonly etc: readonly { readonly source: string; readonly target: string }[];
  /** An empty file, shown where something is masked. */
  readonly empty: string;
  /** Our program that offers the way out inside. */
  readonly bridge: string;
}

/** Writes the stubs below the runtime folder when they are missing or differ. */
export function stubFiles(runtimeDir: string): StubFiles {
  const folder = join(runtimeDir, 'sandbox-root');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bridge = readFileSync(assetPath('python/network_bridge.py'), 'utf8');
  for (const [name, content] of [...Object.entries(stubs), [EMPTY, ''], [BRIDGE, bridge]] as const)
    writeStub(join(folder, name), content);
  return {
    etc: Object.keys(stubs).map((name) => ({ source: join(folder, name), target: `/etc/${name}` })),
    empty: join(folder, EMPTY),
    bridge: join(folder, BRIDGE),
  };
}

function writeStub(path: string, content: string): void {
  try {
    if (readFileSync(path, 'utf8') === content) return;
  } catch {
    // Missing: written below.
  }
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o444 });
  renameSync(temporary, path);
}
