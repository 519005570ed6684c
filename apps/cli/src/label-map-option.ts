import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AssayError, errorCode } from '@assay/foundation';

const MAX_BYTES = 256 * 1024;

/**
 * What `--map` was given, as one text: a mapping as it is (`0=setosa,1=versicolor` or a JSON object), or the content of a
 * JSON or CSV file (two columns: answer, label). Throws `invalid_request` for a file that cannot be used.
 */
export async function labelMapOption(value: string, cwd: string): Promise<string> {
  if (value.includes('=') || value.trim().startsWith('{')) return value;
  const text = await readMap(resolve(cwd, value));
  return text.trim().startsWith('{') ? text.trim() : fromTable(text, value);
}

async function readMap(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length <= MAX_BYTES) return text;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw unusable(path, 'there is no such file, and a mapping has an equals sign');
  }
  throw unusable(path, `it has more than ${MAX_BYTES} characters`);
}

/** Lines of `answer,label` or `answer<tab>label`, quotes around a cell are taken off; a heading `answer,label` too. */
function fromTable(text: string, name: string): string {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => cellsOf(line));
  const wrong = rows.findIndex((cells) => cells.length !== 2);
  if (rows.length === 0 || wrong >= 0) throw unusable(name, `line ${wrong + 1} has not two cells`);
  const body = /^(answer|said|from|prediction|output)$/i.test(rows[0]![0]!) ? rows.slice(1) : rows;
  return body.map((cells) => cells.map((cell) => cell.replaceAll(/[\\,=]/g, String.raw`\$&`)).join('=')).join(',');
}

function cellsOf(line: string): string[] {
  const cells = line.match(/"(?:[^"]|"")*"|[^,\t]+/g) ?? [];
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim());
}

function unusable(name: string, why: string): AssayError {
  return new AssayError('invalid_request', `${name} is no mapping of labels`, {
    why,
    hint: 'write --map 0=setosa,1=versicolor, or name a JSON object or a CSV file with the columns answer and label',
  });
}
