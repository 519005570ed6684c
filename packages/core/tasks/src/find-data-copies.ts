import { open, readFile } from 'node:fs/promises';
import { extname, relative } from 'node:path';
import { throwIfAborted } from '@assay/foundation';
import { sha256File } from '@assay/files';
import { createColumnFinder } from './columns/column-finder.ts';
import type { ColumnSample } from './columns/column-sample.ts';
import { SymbolBlock } from './columns/symbol-block.ts';
import { collapseFolders } from './collapse-folders.ts';
import { formOf } from './packed/form-of.ts';
import { searchEncoded, searchMembers, type InnerSearch } from './packed/search-packed.ts';
import { regularFiles, type RepositoryFile } from './repository-files.ts';
import { createRowFinder, type SampledRow } from './row-finder.ts';
import { searchBinary } from './search-binary.ts';
import { ROWS_THAT_PROVE, searchText, type TextSearch } from './search-text.ts';
import { SPREAD_ROWS, SpreadRows } from './spread-rows.ts';
import { isDamaged, PIECE, piecesOf, unpackedPiecesOf } from './text-pieces.ts';
import { signaturesOf } from './text-tokens.ts';
import { judgeSightings } from './traces/judge-sightings.ts';
import type { KnownTexts } from './traces/known-texts.ts';
import { Sightings } from './traces/sightings.ts';
import { createTextScanner } from './traces/text-scanner.ts';

export interface DataCopyQuery {
  readonly datasetSha256: string;
  readonly datasetSize: number;
  /** Telling rows of the data set. With fewer than five, files are compared by their hash alone. */
  readonly rows: readonly SampledRow[];
  /** Rows by which the target's column is searched for apart from them; without a target there is none. */
  readonly columns?: ColumnSample | undefined;
  /** Texts of rows, which are searched for wherever labels may stand. */
  readonly texts?: KnownTexts | undefined;
  readonly bounds?: Partial<SearchBounds> | undefined;
  readonly signal: AbortSignal;
  /** Hears now and then how far the search is. */
  readonly onProgress?: ((says: string) => void) | undefined;
}

/** What a search may cost. What is beyond is named as not searched. */
export interface SearchBounds {
  readonly files: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Whether a file is worth a look; the others are neither searched nor named. */
  readonly matters: (path: string) => boolean;
}

const usualBounds: SearchBounds = { files: 200_000, bytes: 8 * 2 ** 30, seconds: 600, matters: () => true };

export interface DataCopy {
  /** A file, or a folder of many copies; relative to the searched folder, with `/`. */
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

const LARGEST_SEARCHED = 512 * (1 << 20);
const MOST_LISTED = 20;
const PROGRESS_MS = 5000;
const HEAD = 512;

/**
 * Files of a repository that hold the data set itself: the same bytes; text of any form in which at least five sampled
 * rows stand, each with all its values and its target near one another, also one by one in many files; the targets apart
 * from the rows, in their order or in that of a feature, also in a code or rounded, in text, NumPy files and pickles; or
 * texts of rows (or hashes of these) in places that tell their labels. Archives and encoded constants are opened. An
 * adapter must not find the answers there. Many other rows of the same kind can hold rows of few values by chance: then
 * too much is hidden, not too little.
 */
export async function findDataCopies(folder: string, query: DataCopyQuery): Promise<DataCopies> {
  const { signal } = query;
  const bounds = { ...usualBounds, ...query.bounds };
  const { files, beyond } = await regularFiles(folder, { most: bounds.files, mostNamed: MOST_LISTED }, signal);
  const search = new CopySearch(query);
  const started = performance.now();
  let told = started;
  let bytes = 0;
  for (const [at, file] of files.entries()) {
    throwIfAborted(signal);
    const path = relative(folder, file.path);
    if (!bounds.matters(path)) continue;
    const now = performance.now();
    if (now - told > PROGRESS_MS) {
      told = now;
      query.onProgress?.(`searching for copies of the data: ${at} of ${files.length} files`);
    }
    if (now - started >= bounds.seconds * 1000) search.hinder(path, `the search had taken ${bounds.seconds} s`);
    else if (bytes + file.size > bounds.bytes && file.size > 0)
      search.hinder(path, `together the files are larger than ${Math.round(bounds.bytes / 2 ** 20)} MiB`);
    else {
      bytes += file.size;
      await search.file(file, path);
    }
  }
  for (const path of beyond.first)
    search.hinder(relative(folder, path), `it is beyond the first ${bounds.files} files`);
  search.hinderMore(beyond.count - beyond.first.length);
  return search.finish(files.map(({ path }) => relative(folder, path)));
}

/** One search through one folder. */
class CopySearch {
  readonly #query: DataCopyQuery;
  readonly #search: TextSearch;
  readonly #seen = new Sightings();
  readonly #spread = new SpreadRows();
  readonly #copies = new Map<string, string>();
  readonly #notSearched: NotSearched[] = [];
  #notSearchedCount = 0;

  constructor(query: DataCopyQuery) {
    this.#query = query;
    const { rows, columns, texts } = query;
    const finder = rows.length < ROWS_THAT_PROVE ? undefined : createRowFinder(rows);
    this.#search = {
      rows: finder === undefined ? undefined : { finder, words: signaturesOf(finder.tokens) },
      columns: columns === undefined ? undefined : { finder: createColumnFinder(columns), block: new SymbolBlock() },
      texts: texts === undefined ? undefined : createTextScanner(texts, (sighting) => this.#seen.see(sighting)),
    };
  }

  hinder(path: string, reason: string): void {
    if (++this.#notSearchedCount <= MOST_LISTED) this.#notSearched.push({ path, reason });
  }

  hinderMore(count: number): void {
    this.#notSearchedCount += count;
  }

  async file(file: RepositoryFile, path: string): Promise<void> {
    const { reason, hindrance } = await this.#look(file, path);
    if (reason !== undefined) this.#copies.set(path, reason);
    else if (hindrance !== undefined) this.hinder(path, hindrance);
  }

  finish(files: readonly string[]): DataCopies {
    const { texts } = this.#query;
    if (texts !== undefined)
      for (const [path, reason] of judgeSightings(this.#seen.texts, texts)) this.#note(path, reason);
    for (const path of this.#spread.files(files)) this.#note(path, SPREAD_ROWS);
    const copies = [...this.#copies].map(([path, reason]) => ({ path, reason }));
    const { rows, columns } = this.#search;
    return {
      copies: collapseFolders(copies, files),
      notSearched: this.#notSearched,
      notSearchedCount: this.#notSearchedCount,
      byHashOnly: rows === undefined && columns?.finder.knowsOrder !== true && texts === undefined,
    };
  }

  #note(path: string, reason: string): void {
    if (!this.#copies.has(path)) this.#copies.set(path, reason);
  }

  async #look(found: RepositoryFile, path: string): Promise<FileFound> {
    const { signal } = this.#query;
    // Opening a small file takes longer than searching it: it is read once.
    const file = found.size > PIECE ? found : { ...found, bytes: await readFile(found.path, { signal }) };
    if (await isTheDataSet(file, this.#query)) return { reason: 'it is the data set itself' };
    if (file.size === 0) return {};
    if (file.size > LARGEST_SEARCHED) return { hindrance: 'it is larger than 512 MiB' };
    const form = formOf(await firstBytes(file));
    if (typeof form === 'object') return { hindrance: `it is ${form.closed}, which is not opened` };
    if (isArrays(file)) return await this.#binary(file);
    if (form === 'gzip' && !isPickle(file)) return await this.#gzip(file, path);
    if (form !== 'text') return await searchMembers(file, form, this.#inner(path, path));
    const pieces = file.bytes === undefined ? piecesOf(file.path, signal) : [file.bytes];
    const inText = await this.#text(pieces, path, path);
    if (inText !== undefined) return { reason: inText };
    const inBinary = await this.#binary(file);
    if (inBinary.reason !== undefined) return inBinary;
    const encoded = await searchEncoded(file, this.#inner(path, path));
    return encoded.reason === undefined ? { ...inBinary, ...encoded } : encoded;
  }

  async #text(
    pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
    file: string,
    path: string,
  ): Promise<string | undefined> {
    this.#seen.begin(file, path);
    const reason = await searchText(pieces, this.#search, this.#query.signal);
    if (reason === undefined && this.#search.rows !== undefined)
      this.#spread.add(file, this.#search.rows.finder.share());
    return reason;
  }

  async #binary(file: RepositoryFile): Promise<FileFound> {
    const { columns } = this.#search;
    if (columns === undefined) return isArrays(file) ? { hindrance: 'it is a NumPy file' } : {};
    return (await searchBinary(file, columns.finder, this.#query.signal)) ?? {};
  }

  async #gzip({ path: file, size }: RepositoryFile, path: string): Promise<FileFound> {
    const unpacked = unpackedPiecesOf(file, LARGEST_SEARCHED, this.#query.signal);
    try {
      const reason = await this.#text(unpacked.pieces, path, path);
      if (reason === undefined && unpacked.cut()) return { hindrance: 'unpacked it is larger than 512 MiB' };
      if (reason !== undefined) return { reason };
    } catch (error) {
      if (isDamaged(error)) return { hindrance: 'it cannot be unpacked' };
      throw error;
    }
    // As one text, a tar archive tells neither names nor places.
    return await searchMembers({ path: file, size }, 'gzip', this.#inner(path, path));
  }

  /** How what is inside of a file is searched. */
  #inner(file: string, path: string): InnerSearch {
    const { signal } = this.#query;
    return {
      signal,
      text: (bytes, name) => this.#text([bytes], file, name === '' ? path : `${path}/${name}`),
      knowsTexts: this.#search.rows !== undefined || this.#search.texts !== undefined,
    };
  }
}

export interface FileFound {
  readonly reason?: string | undefined;
  readonly hindrance?: string | undefined;
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

/** Arrays of NumPy are searched for columns only. */
function isArrays({ path }: RepositoryFile): boolean {
  return ['.npy', '.npz'].includes(extname(path).toLowerCase());
}

function isPickle({ path }: RepositoryFile): boolean {
  return ['.pkl', '.pickle', '.joblib'].includes(extname(path).toLowerCase());
}

async function firstBytes({ path, bytes }: RepositoryFile): Promise<Buffer> {
  if (bytes !== undefined) return bytes.subarray(0, HEAD);
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
  return buffer.subarray(0, bytesRead);
}

async function isTheDataSet({ path, size }: RepositoryFile, query: DataCopyQuery): Promise<boolean> {
  return size === query.datasetSize && (await sha256File(path, query.signal)) === query.datasetSha256;
}
