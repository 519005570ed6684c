import { extname, relative } from 'node:path';
import { throwIfAborted } from '@assay/foundation';
import { sha256File } from '@assay/files';
import { createColumnFinder } from './columns/column-finder.ts';
import type { ColumnSample } from './columns/column-sample.ts';
import { SymbolBlock } from './columns/symbol-block.ts';
import { regularFiles, type RepositoryFile } from './repository-files.ts';
import { createRowFinder, type SampledRow } from './row-finder.ts';
import { searchBinary } from './search-binary.ts';
import { ROWS_THAT_PROVE, searchText, type TextSearch } from './search-text.ts';
import { isDamaged, piecesOf, unpackedPiecesOf } from './text-pieces.ts';

export interface DataCopyQuery {
  readonly datasetSha256: string;
  readonly datasetSize: number;
  /** Telling rows of the data set. With fewer than five, files are compared by their hash alone. */
  readonly rows: readonly SampledRow[];
  /** Rows by which the target's column is searched for apart from them; without a target there is none. */
  readonly columns?: ColumnSample | undefined;
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

/** Compressed and binary forms of tables that are not decoded. */
const notText = new Set(
  '.tgz .zip .bz2 .xz .zst .7z .rar .parquet .xls .xlsx .ods .db .sqlite .sqlite3 .h5 .hdf5 .feather .arrow .mat .rds .rdata'.split(
    ' ',
  ),
);

/**
 * Files of a repository that hold the data set itself: the same bytes; text of any form in which at least five sampled
 * rows stand, each with all its values and its target near one another; or the targets apart from the rows, in their
 * order or in that of a feature, also in a code or rounded, in text, NumPy files and pickles. An adapter must not find
 * the answers there. Many other rows of the same kind can hold rows of few values by chance: then too much is hidden,
 * not too little.
 */
export async function findDataCopies(folder: string, query: DataCopyQuery): Promise<DataCopies> {
  const { signal } = query;
  const copies: DataCopy[] = [];
  const notSearched: NotSearched[] = [];
  const search = textSearch(query);
  const { files, beyond } = await regularFiles(folder, { most: MOST_FILES, mostNamed: MOST_LISTED }, signal);
  let notSearchedCount = beyond.count;
  for (const file of files) {
    throwIfAborted(signal);
    const path = relative(folder, file.path);
    const { reason, hindrance } = await searchFile(file, query, search);
    if (reason !== undefined) copies.push({ path, reason });
    else if (hindrance !== undefined && ++notSearchedCount <= MOST_LISTED)
      notSearched.push({ path, reason: hindrance });
  }
  for (const path of beyond.first)
    notSearched.push({ path: relative(folder, path), reason: `it is beyond the first ${MOST_FILES} files` });
  const byHashOnly = search.rows === undefined && search.columns?.finder.knowsOrder !== true;
  return { copies, notSearched: notSearched.slice(0, MOST_LISTED), notSearchedCount, byHashOnly };
}

function textSearch({ rows, columns }: DataCopyQuery): TextSearch {
  return {
    rows: rows.length < ROWS_THAT_PROVE ? undefined : createRowFinder(rows),
    columns: columns === undefined ? undefined : { finder: createColumnFinder(columns), block: new SymbolBlock() },
  };
}

interface FileFound {
  readonly reason?: string | undefined;
  readonly hindrance?: string | undefined;
}

async function searchFile(file: RepositoryFile, query: DataCopyQuery, search: TextSearch): Promise<FileFound> {
  if (await isTheDataSet(file, query)) return { reason: 'it is the data set itself' };
  if (file.size === 0) return {};
  const hindrance = whyNotSearched(file);
  if (hindrance !== undefined) return { hindrance };
  if (isPacked(file)) return await searchPacked(file, search, query.signal);
  const inText = await searchText(piecesOf(file.path, query.signal), search, query.signal);
  if (inText !== undefined) return { reason: inText };
  if (search.columns === undefined) return isArchive(file) ? { hindrance: 'it is compressed or binary' } : {};
  return (await searchBinary(file, search.columns.finder, query.signal)) ?? {};
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

async function searchPacked({ path }: RepositoryFile, search: TextSearch, signal: AbortSignal): Promise<FileFound> {
  const unpacked = unpackedPiecesOf(path, LARGEST_SEARCHED, signal);
  try {
    const reason = await searchText(unpacked.pieces, search, signal);
    if (reason === undefined && unpacked.cut()) return { hindrance: 'unpacked it is larger than 512 MiB' };
    return { reason };
  } catch (error) {
    if (isDamaged(error)) return { hindrance: 'it cannot be unpacked' };
    throw error;
  }
}

/** One packed file; archives of many files are not searched. */
function isPacked({ path }: RepositoryFile): boolean {
  const name = path.toLowerCase();
  return name.endsWith('.gz') && !name.endsWith('.tar.gz');
}

/** Forms that are searched for columns only. */
function isArchive({ path }: RepositoryFile): boolean {
  return ['.npy', '.npz', '.pkl', '.pickle', '.joblib'].includes(extname(path).toLowerCase());
}

function whyNotSearched({ path, size }: RepositoryFile): string | undefined {
  if (notText.has(extname(path).toLowerCase()) || path.toLowerCase().endsWith('.tar.gz'))
    return 'it is compressed or binary';
  return size > LARGEST_SEARCHED ? 'it is larger than 512 MiB' : undefined;
}

async function isTheDataSet({ path, size }: RepositoryFile, query: DataCopyQuery): Promise<boolean> {
  return size === query.datasetSize && (await sha256File(path, query.signal)) === query.datasetSha256;
}
