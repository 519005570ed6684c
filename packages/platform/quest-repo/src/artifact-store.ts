import { chmod, copyFile, constants, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { AssayError, canonicalJson, errorCode, isId, isoTime, newId, type Clock } from '@assay/foundation';
import { artifactSchema, migrateRecord, type Artifact, type ArtifactType, type EventData } from '@assay/contracts';
import { exists, readJson, sha256File, sha256Text, syncDirectory, writeJsonDurable } from '@assay/files';
import { questPaths } from './quest-paths.ts';

/** Files up to this size are committed; larger ones live by hash under `.assay/blobs/`. */
const COMMITTED_BYTES = 1 << 20;

/** A task of a plan, or what a person asked for: a protocol, a comparison. */
export interface ArtifactProducer {
  readonly plan?: string;
  readonly task?: string;
  readonly comparison?: string;
  readonly attempt: number;
}

export interface ArtifactInput {
  /** Given when a publication may be repeated after a crash: the same id gives the same artifact. */
  readonly id?: string;
  readonly key: string;
  readonly type: ArtifactType;
  readonly producer: ArtifactProducer;
  /** A regular file inside the attempt's own directory; it is moved. Exactly one of `file` and `value` is given. */
  readonly file?: string;
  readonly value?: unknown;
  readonly mediaType?: string;
  readonly evidence?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PublishedRecord {
  readonly artifact: Artifact;
  /** Relative to the quest. */
  readonly record: string;
  /** Of the record's bytes. */
  readonly recordSha256: string;
}

/** What the journal holds of an artifact: the hash of its content, and of everything that its record says. */
export function publishedData({ artifact, record, recordSha256 }: PublishedRecord): EventData<'artifact.published'> {
  const { id, key, type, sha256 } = artifact;
  return { artifactId: id, key, type, record, sha256, recordSha256 };
}

/** The artifacts of one quest: a record per artifact, and exactly one file for those that have one. */
export interface ArtifactStore {
  /** Writes file and record durably. The artifact counts when the caller has journaled it. */
  publish(input: ArtifactInput): Promise<PublishedRecord>;
  /** A record that does not stand under its own type and id is a copy, and not read. */
  read(id: string): Promise<Artifact | undefined>;
  list(): Promise<readonly Artifact[]>;
  /** The hash of the bytes of an artifact's record; undefined when none stands where the artifact says that it belongs. */
  recordHash(artifact: Pick<Artifact, 'id' | 'type'>): Promise<string | undefined>;
  /**
   * Absolute path of an artifact's file. Throws `output_unsafe` for a record whose path leads out of the places where
   * files are published: a record of a quest from elsewhere is not believed.
   */
  fileOf(artifact: Artifact): string | undefined;
  /** As `fileOf`, after a look at the disk: links anywhere on the way, or another size, are refused. */
  openFile(artifact: Artifact): Promise<string | undefined>;
  /** Keeps a copy of a file by its hash and resolves with its path relative to the quest. The original stays. */
  keepCopy(file: string, sha256: string): Promise<string>;
}

export function createArtifactStore(options: {
  readonly root: string;
  readonly quest: string;
  readonly clock: Clock;
}): ArtifactStore {
  const paths = questPaths(options.root);

  async function publish(input: ArtifactInput) {
    const id = input.id ?? newId('artifact');
    const placed = input.file === undefined ? placeValue(input.value) : await placeFile(id, input);
    const artifact: Artifact = artifactSchema.parse({
      v: 1,
      id,
      key: input.key,
      type: input.type,
      quest: options.quest,
      producer: input.producer,
      ...placed,
      mediaType: input.mediaType ?? (input.file === undefined ? 'application/json' : 'application/octet-stream'),
      evidence: [...(input.evidence ?? [])],
      createdAt: isoTime(options.clock.now()),
      metadata: { ...input.metadata },
    });
    const folder = join(paths.artifacts, input.type);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const record = join(folder, `${id}.json`);
    await writeJsonDurable(record, artifact, { mode: 0o644 });
    return { artifact, record: relative(options.root, record), recordSha256: await sha256File(record) };
  }

  /**
   * Moves a file of an attempt to its published place. The pointer that stays behind is written first, so that a
   * publication which a crash cut short is completed by publishing again.
   */
  async function placeFile(id: string, input: ArtifactInput): Promise<Placed> {
    const source = input.file!;
    const own = ownFolder(input.producer);
    if (own === undefined || relative(own, source).startsWith('..'))
      throw new AssayError('output_unsafe', `artifact ${input.key} is not a file of its own attempt`, {
        why: `it is ${source}`,
        hint: 'retry the task; if it comes again, something else writes into the quest',
      });
    const pointer = `${source}.artifact.json`;
    const begun = (await readJson(pointer)) as Placed | undefined;
    const placed = begun ?? (await describeFile(id, source, input));
    const target = join(options.root, placed.path);
    if (begun !== undefined && (await exists(target))) return placed;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeJsonDurable(pointer, placed);
    await rename(source, target);
    await syncDirectory(dirname(target));
    return placed;
  }

  /** Where a producer may take a file from: the attempt of a task, the folder of a comparison. */
  function ownFolder({ plan, task, comparison, attempt }: ArtifactProducer): string | undefined {
    if (plan !== undefined && task !== undefined) return paths.attempt({ plan, task, attempt });
    return comparison === undefined ? undefined : paths.comparison(comparison);
  }

  async function describeFile(id: string, source: string, input: ArtifactInput): Promise<Placed> {
    const stat = await lstat(source);
    if (!stat.isFile() || stat.nlink !== 1)
      throw new AssayError('output_unsafe', `artifact ${input.key} is not a regular file`, {
        why: 'links and special files could show something else later than what was checked',
        hint: 'the program that is measured must write a plain file of its own',
      });
    await chmod(source, 0o644);
    await syncFileAt(source);
    const sha256 = await sha256File(source);
    const target =
      stat.size <= COMMITTED_BYTES
        ? join(paths.artifacts, input.type, id, basename(source))
        : join(paths.blobs, sha256);
    return { sha256, size: stat.size, path: relative(options.root, target) };
  }

  async function read(id: string): Promise<Artifact | undefined> {
    if (!isId('artifact', id)) return undefined;
    for (const type of await foldersOf(paths.artifacts)) {
      const content = await readJson(join(paths.artifacts, type, `${id}.json`));
      const artifact = content === undefined ? undefined : parseArtifact(content);
      if (artifact?.type === type && artifact.id === id) return artifact;
    }
    return undefined;
  }

  async function list(): Promise<readonly Artifact[]> {
    const found: Artifact[] = [];
    for (const type of await foldersOf(paths.artifacts))
      for (const name of (await readdir(join(paths.artifacts, type))).filter((n) => n.endsWith('.json'))) {
        const artifact = parseArtifact(await readJson(join(paths.artifacts, type, name)));
        if (artifact.type === type && `${artifact.id}.json` === name) found.push(artifact);
      }
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async function keepCopy(file: string, sha256: string): Promise<string> {
    const target = join(paths.blobs, sha256);
    await mkdir(paths.blobs, { recursive: true, mode: 0o700 });
    const temporary = `${target}.${newId('exec')}.tmp`;
    await copyFile(file, temporary, constants.COPYFILE_FICLONE);
    try {
      await chmod(temporary, 0o600);
      const copied = await sha256File(temporary);
      if (copied !== sha256)
        throw new AssayError('dataset_changed', `${file} changed while it was copied`, { hint: 'run the plan again' });
      await syncFileAt(temporary);
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
    await syncDirectory(paths.blobs);
    return relative(options.root, target);
  }

  return {
    publish,
    read,
    list,
    keepCopy,
    async recordHash({ id, type }) {
      const record = join(paths.artifacts, type, `${id}.json`);
      return (await exists(record)) ? sha256File(record) : undefined;
    },
    fileOf: (artifact) => (artifact.path === undefined ? undefined : publishedPath(options.root, artifact)),
    async openFile(artifact) {
      if (artifact.path === undefined) return undefined;
      const file = publishedPath(options.root, artifact);
      if (!(await exists(file))) return file; // the caller says that it is missing
      if ((await realpath(file)) !== join(await realpath(options.root), artifact.path))
        throw leadsOut(artifact, 'it is reached through a link');
      const { size } = await lstat(file);
      if (size === artifact.size && (await sha256File(file)) === artifact.sha256) return file;
      throw new AssayError('output_unsafe', `the file of artifact ${artifact.id} is not what was published`, {
        why: `${artifact.path} has other bytes than its record says`,
        hint: 'run "assay fsck"; restore the file from git or a backup',
      });
    },
  };
}

function publishedPath(root: string, artifact: Artifact): string {
  const parts = (artifact.path ?? '').split('/');
  const published = parts[0] === 'artifacts' || (parts[0] === '.assay' && parts[1] === 'blobs');
  if (!published || parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0')))
    throw leadsOut(artifact, `its path is "${artifact.path ?? ''}"`);
  return join(root, ...parts);
}

function leadsOut(artifact: Artifact, why: string): AssayError {
  return new AssayError('output_unsafe', `the file of artifact ${artifact.id} is not one that was published`, {
    why,
    hint: 'the record was changed: run "assay fsck", and restore it from git',
  });
}

interface Placed {
  readonly sha256: string;
  readonly size: number;
  readonly path: string;
}

function placeValue(value: unknown) {
  const text = canonicalJson(value);
  return { sha256: sha256Text(text), size: Buffer.byteLength(text), value };
}

export function parseArtifact(content: unknown): Artifact {
  return artifactSchema.parse(migrateRecord(content, { kind: 'artifact', current: 1, migrations: new Map() }));
}

async function foldersOf(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function syncFileAt(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
