import { lstat, open, readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { throwIfAborted } from '@assay/foundation';
import { sha256File } from '@assay/files';
import { createRowFinder, type RowFinder, type SampledRow } from './row-finder.ts';
import { createTokenizer } from './text-tokens.ts';

export interface DataCopyQuery {
  readonly datasetSha256: string;
  readonly datasetSize: number;
  /** Telling rows of the data set. With fewer than five, files are compared by their hash alone. */
  readonly rows: readonly SampledRow[];
  readonly signal: AbortSignal;
}

export interface DataCopy {
  /** Relative to the searched folder, with `/`. */
  readonly path: string;
  readonly reason: string;
}

/** A file that may hold data, and why it was not searched. */
export type NotSearched = DataCopy;

/** What a search could not see. */
export interface SearchLimits {
  /** The first files that may hold data and could not be read as text. */
  readonly notSearched: readonly NotSearched[];
  readonly notSearchedCount: number;
  /** True when the data is too plain for its rows to be recognised in a text. */
  readonly byHashOnly: boolean;
}

export interface DataCopies extends SearchLimits {
  readonly copies: readonly DataCopy[];
}

const MOST_FILES = 20_000;
const LARGEST_SEARCHED = 512 * (1 << 20);
const MOST_LISTED = 20;
const PIECE = 256 * 1024;
/** So many of the sampled rows in one file make it a copy of the data. */
const ROWS_THAT_PROVE = 5;

/** Compressed and binary forms of tables: their rows do not stand in them as text. */
const notText = new Set(
  '.gz .tgz .zip .bz2 .xz .zst .7z .rar .npz .npy .parquet .pkl .pickle .joblib .xls .xlsx .ods .db .sqlite .sqlite3 .h5 .hdf5 .feather .arrow .mat .rds .rdata'.split(
    ' ',
  ),
);

/**
 * Files of a repository that hold the data set itself: the same bytes, or text of any form in which at least five
 * sampled rows stand, each with all its values and its target near one another. An adapter must not find the answers
 * there. Many other rows of the same kind can hold rows of few values by chance: then too much is hidden, not too
 * little. Columns that are stored one after the other, rounded and encoded values are not recognised.
 */
export async function findDataCopies(folder: string, query: DataCopyQuery): Promise<DataCopies> {
  const copies: DataCopy[] = [];
  const notSearched: NotSearched[] = [];
  const finder = query.rows.length < ROWS_THAT_PROVE ? undefined : createRowFinder(query.rows);
  const { files, beyond } = await regularFiles(folder, query.signal);
  let notSearchedCount = beyond.count;
  for (const file of files) {
    throwIfAborted(query.signal);
    const path = relative(folder, file.path);
    const hindrance = whyNotSearched(file);
    if (await isTheDataSet(file, query)) copies.push({ path, reason: 'it is the data set itself' });
    else if (file.size === 0) continue;
    else if (hindrance !== undefined) {
      notSearchedCount++;
      if (notSearched.length < MOST_LISTED) notSearched.push({ path, reason: hindrance });
    } else if (finder !== undefined && (await holdsRows(file.path, finder, query.signal)))
      copies.push({ path, reason: 'sampled rows of the data stand in it, each with its target' });
  }
  for (const path of beyond.first)
    notSearched.push({ path: relative(folder, path), reason: `it is beyond the first ${MOST_FILES} files` });
  return { copies, notSearched: notSearched.slice(0, MOST_LISTED), notSearchedCount, byHashOnly: finder === undefined };
}

/** What a person must know about the limits of a search, in sentences. */
export function searchNotes({ notSearched, notSearchedCount, byHashOnly }: SearchLimits): string[] {
  const notes = notSearched.map(({ path, reason }) => `${path} was not searched for copies of the data: ${reason}`);
  const more = notSearchedCount - notSearched.length;
  if (more > 0) notes.push(`and ${more} more files were not searched for copies of the data`);
  if (byHashOnly)
    notes.push(
      'the data is too plain to be searched for in the repository: only files that are the same, byte for byte, were hidden',
    );
  return notes;
}

interface RepositoryFile {
  readonly path: string;
  readonly size: number;
}

function whyNotSearched({ path, size }: RepositoryFile): string | undefined {
  if (notText.has(extname(path).toLowerCase())) return 'it is compressed or binary';
  return size > LARGEST_SEARCHED ? 'it is larger than 512 MiB' : undefined;
}

async function isTheDataSet({ path, size }: RepositoryFile, query: DataCopyQuery): Promise<boolean> {
  return size === query.datasetSize && (await sha256File(path, query.signal)) === query.datasetSha256;
}

/** Reads until enough rows are found, a piece at a time. */
async function holdsRows(path: string, finder: RowFinder, signal: AbortSignal): Promise<boolean> {
  finder.begin();
  const tokenizer = createTokenizer((token) => finder.see(token), finder.tokens);
  await using file = await open(path, 'r');
  const buffer = Buffer.allocUnsafe(PIECE);
  let decoder: StringDecoder | undefined;
  for (;;) {
    throwIfAborted(signal);
    const { bytesRead } = await file.read(buffer, 0, PIECE);
    const piece = buffer.subarray(0, bytesRead);
    decoder ??= new StringDecoder(piece[0] === 0xff && piece[1] === 0xfe ? 'utf16le' : 'utf8');
    if (bytesRead === 0) break;
    tokenizer.push(decoder.write(piece));
    if (finder.found() >= ROWS_THAT_PROVE) return true;
  }
  tokenizer.push(decoder.end());
  tokenizer.end();
  return finder.found() >= ROWS_THAT_PROVE;
}

interface RepositoryFiles {
  readonly files: RepositoryFile[];
  readonly beyond: { readonly first: string[]; count: number };
}

/** As many files as are searched, in the order of their paths, and the first and number of those beyond. */
async function regularFiles(folder: string, signal: AbortSignal): Promise<RepositoryFiles> {
  const files: RepositoryFile[] = [];
  const beyond = { first: [] as string[], count: 0 };
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    throwIfAborted(signal);
    const entries = (await readdir(at, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      if (files.length < MOST_FILES) files.push({ path, size: (await lstat(path)).size });
      else if (++beyond.count <= MOST_LISTED) beyond.first.push(path);
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, beyond };
}
