import { isUtf8 } from 'node:buffer';
import { AssayError } from '@assay/foundation';
import { basename, dirname, relative } from 'node:path';
import { parseStrictJson, StrictJsonError, type StrictJson } from '../data/strict-json.ts';
import { openOutput } from './open-output.ts';

export interface ReadOutputOptions {
  /** The folder below which no component may be a link; the file's own folder when absent. */
  readonly root?: string | undefined;
  readonly notBefore?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A small JSON object that an adapter wrote, read with the same care as the predictions. */
export async function readOutputObject(
  file: string,
  maxBytes: number,
  options: ReadOutputOptions,
): Promise<ReadonlyMap<string, StrictJson>> {
  const root = options.root ?? dirname(file);
  await using output = await openOutput(root, relative(root, file), { maxBytes, notBefore: options.notBefore });
  const blocks: Buffer[] = [];
  for await (const block of output.blocks(options.signal)) blocks.push(Buffer.from(block));
  const bytes = Buffer.concat(blocks);
  if (!isUtf8(bytes)) throw malformed(file, 'it is not UTF-8');
  try {
    const value = parseStrictJson(bytes.toString('utf8'));
    if (value instanceof Map) return value as ReadonlyMap<string, StrictJson>;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw malformed(file, `not JSON at character ${error.at + 1}: ${error.message}`);
  }
  throw malformed(file, 'it is not a JSON object');
}

function malformed(file: string, why: string): AssayError {
  return new AssayError('output_malformed', `${basename(file)} cannot be read`, {
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint: 'The adapter must write one JSON object into it.',
    details: { file: basename(file) },
  });
}
