import { StringDecoder } from 'node:string_decoder';
import type { ColumnFinder, ColumnReason } from './columns/column-finder.ts';
import type { SymbolBlock } from './columns/symbol-block.ts';
import type { RowFinder } from './row-finder.ts';
import { PIECE } from './text-pieces.ts';
import { createTokenizer } from './text-tokens.ts';

/** So many of the sampled rows in one file make it a copy of the data. */
export const ROWS_THAT_PROVE = 5;

export const ROWS_FOUND = 'sampled rows of the data stand in it, each with its target';

/** Looks for rows and columns of the data set; memory is used again for every text. */
export interface TextSearch {
  readonly rows: RowFinder | undefined;
  readonly columns: { readonly finder: ColumnFinder; readonly block: SymbolBlock } | undefined;
}

/** Reads the pieces of a text once, until rows or a column of the data are found. */
export async function searchText(
  pieces: AsyncIterable<Buffer>,
  { rows, columns }: TextSearch,
  signal: AbortSignal,
): Promise<typeof ROWS_FOUND | ColumnReason | undefined> {
  rows?.begin();
  columns?.block.clear();
  const found = () => rows !== undefined && rows.found() >= ROWS_THAT_PROVE;
  const tokenizer = createTokenizer(
    {
      token: (token) => rows?.see(token),
      ...(columns && { symbol: (value) => columns.block.push(value), lineEnd: () => columns.block.endLine() }),
    },
    rows?.tokens ?? [],
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
  if (found()) return ROWS_FOUND;
  columns?.block.endLine();
  return await columns?.finder.inText(columns.block, signal);
}
