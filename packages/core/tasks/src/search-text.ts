import { StringDecoder } from 'node:string_decoder';
import type { ColumnFinder, ColumnReason } from './columns/column-finder.ts';
import type { SymbolBlock } from './columns/symbol-block.ts';
import type { RowFinder } from './row-finder.ts';
import { PIECE } from './text-pieces.ts';
import { createTokenizer, type Signatures } from './text-tokens.ts';
import type { TextScanner } from './traces/text-scanner.ts';

/** So many of the sampled rows in one file make it a copy of the data. */
export const ROWS_THAT_PROVE = 5;

export const ROWS_FOUND = 'sampled rows of the data stand in it, each with its target';

/** Looks for rows, columns and texts of the data set; memory is used again for every text. */
export interface TextSearch {
  readonly rows: { readonly finder: RowFinder; readonly words: Signatures } | undefined;
  readonly columns: { readonly finder: ColumnFinder; readonly block: SymbolBlock } | undefined;
  /** Tells what it sees to someone else: what that proves is known when all texts were read. */
  readonly texts: TextScanner | undefined;
}

/** Reads the pieces of a text once, until rows or a column of the data are found. */
export async function searchText(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  { rows, columns, texts }: TextSearch,
  signal: AbortSignal,
): Promise<typeof ROWS_FOUND | ColumnReason | undefined> {
  rows?.finder.begin();
  columns?.block.clear();
  texts?.begin();
  const found = () => rows !== undefined && rows.finder.found() >= ROWS_THAT_PROVE;
  const tokenizer = createTokenizer(
    {
      token: (token) => rows?.finder.see(token),
      ...(columns && { symbol: (value) => columns.block.push(value), lineEnd: () => columns.block.endLine() }),
      ...(texts && { text: (piece) => texts.push(piece) }),
    },
    rows?.words ?? [],
  );
  let decoder: StringDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new StringDecoder(piece[0] === 0xff && piece[1] === 0xfe ? 'utf16le' : 'utf8');
    tokenizer.push(decoder.write(piece));
    if (found()) return ROWS_FOUND;
    if (columns === undefined || columns.block.hasRoomFor(PIECE)) continue;
    const reason = await columns.finder.inText(columns.block, signal);
    if (reason !== undefined) return reason;
    columns.block.clear();
  }
  if (decoder !== undefined) tokenizer.push(decoder.end());
  tokenizer.end();
  texts?.end();
  if (found()) return ROWS_FOUND;
  columns?.block.endLine();
  return await columns?.finder.inText(columns.block, signal);
}
