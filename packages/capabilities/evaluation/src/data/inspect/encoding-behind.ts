import { isAscii } from 'node:buffer';
import type { AssayError } from '@assay/foundation';
import { DataFile } from '../data-file.ts';
import { limits } from '../limits.ts';
import { contentOf } from '../unpack/content.ts';
import { detectEncoding } from './detect-encoding.ts';
import { encodingQuestion, SURE, type Inspection } from './inspect-table.ts';

/**
 * The inspection with the encoding by the first characters beyond ASCII when these stand far behind the start of a file
 * that was taken for UTF-8. Undefined when valid UTF-8 stands before them: the file mixes encodings then. Throws the
 * question when the encoding cannot be told for sure.
 */
export async function encodingBehind(
  path: string,
  inspection: Inspection,
  error: AssayError,
  signal: AbortSignal | undefined,
): Promise<Inspection | undefined> {
  const { offset } = error.details;
  if (error.code !== 'dataset_encoding' || inspection.shape.encoding !== 'utf-8') return undefined;
  if (typeof offset !== 'number' || offset < limits.headBytes / 2) return undefined;
  const sample = await firstBeyondAscii(path, inspection, { offset, signal });
  if (sample === undefined) return undefined;
  const guess = detectEncoding(sample.bytes);
  const question = encodingQuestion(guess, sample.name);
  if (guess.encoding === 'utf-8') return undefined;
  if (guess.confidence < SURE) throw question.refusal;
  const { encoding, confidence, evidence } = guess;
  const where = `the first character beyond ASCII is byte ${offset}`;
  return {
    ...inspection,
    shape: { ...inspection.shape, encoding },
    findings: [
      ...inspection.findings,
      { what: 'encoding', value: encoding, confidence, evidence: [where, ...evidence] },
    ],
  };
}

/** Bytes from shortly before the offset; undefined when something beyond ASCII stands before it. */
async function firstBeyondAscii(
  path: string,
  { shape }: Inspection,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal | undefined },
): Promise<{ readonly name: string; readonly bytes: Buffer } | undefined> {
  await using file = await DataFile.open(path);
  const parts: Buffer[] = [];
  let at = 0;
  for await (const chunk of contentOf(file, shape, signal)) {
    const before = chunk.subarray(0, Math.max(0, offset - at));
    if (!isAscii(before) && !(at === 0 && before.length > 3 && isAscii(before.subarray(3)))) return undefined;
    const from = Math.max(0, offset - at - 256);
    if (from < chunk.length) parts.push(Buffer.from(chunk.subarray(from)));
    at += chunk.length;
    if (at > offset + limits.headBytes) break;
  }
  const bytes = Buffer.concat(parts);
  const lineStart = bytes.indexOf(10) + 1;
  return { name: file.name, bytes: bytes.subarray(lineStart, lineStart + limits.headBytes) };
}
