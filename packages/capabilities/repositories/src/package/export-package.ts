import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError } from '@assay/foundation';
import type { ExportJob, Written } from '../export.ts';
import { nearNames } from '../near-names.ts';
import { noChanges } from '../git/working-tree.ts';
import { askIndex } from './ask-index.ts';
import { refusal, type PackageFile } from './find-package.ts';
import { unpackTarGz } from './unpack-tar.ts';
import { unpackZip } from './unpack-zip.ts';
import { TreeWriter } from './tree-writer.ts';

/** Compressed; the unpacked tree has the bounds of every tree. */
const MOST_BYTES = 1024 ** 3;

/** Downloads the file that was found, checks its hash and unpacks it to the staging folder. Nothing of it runs. */
export async function exportPackage(job: ExportJob): Promise<Written> {
  const { ref, options, deadline, limits, staging } = job;
  const file = ref.package!;
  if (options.packages === undefined) throw refusal(file.name, 'no_pip', 'no Python is known');
  const scratch = await mkdtemp(join(tmpdir(), 'assay-package-'));
  try {
    const archive = join(scratch, 'archive');
    deadline.check();
    options.onProgress?.(`downloading ${file.file}`);
    const args = ['fetch', file.name, file.version, file.file, String(MOST_BYTES), archive];
    const call = { signal: options.signal, timeoutMs: Math.max(1, deadline.remainingMs()) };
    const came = await askIndex(options.packages, args, call);
    if (typeof came['refused'] === 'string') throw refusal(file.name, came['refused'], text(came['why']));
    requireSame(file, text(came['sha256']));
    const writer = new TreeWriter(staging, {
      limits,
      subfolder: ref.subfolder,
      shown: ref.given,
      checkTime: deadline.check,
    });
    if (file.file.endsWith('.tar.gz') || file.file.endsWith('.tgz')) await unpackTarGz(archive, writer, options.signal);
    else await unpackZip(archive, writer, { signal: options.signal, stripTop: file.kind === 'sdist' });
    if (ref.subfolder !== '' && writer.files === 0) throw noSubfolder(ref.given, ref.subfolder, writer.foldersSeen);
    const note = `${file.file}, sha256 ${text(came['sha256'])}`;
    const { skipped } = writer;
    return { commit: null, skipped, submodules: [], notes: [note], changes: () => Promise.resolve(noChanges) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The script compares with what the index says now; this compares with what it said when the file was found. */
function requireSame(file: PackageFile, sha256: string): void {
  if (file.hashName !== 'sha256' || file.hash === sha256) return;
  throw refusal(file.name, 'other_hash', `its sha256 is ${sha256}, the index said ${file.hash}`);
}

function noSubfolder(shown: string, subfolder: string, folders: readonly string[]): AssayError {
  return new AssayError('repository_missing', `${shown} has no folder ${subfolder}`, {
    why: `nearest: ${nearNames(subfolder, folders, 5).join(', ')}`,
    hint: 'write the folder from the top of the package',
  });
}
