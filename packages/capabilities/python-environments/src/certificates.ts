import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MOST_BYTES = 4 << 20;
const MOST_FILES = 500;

/** The certificates (PEM) of a file or a folder that pip is told to trust; undefined when there are none. */
export function certificatesIn(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const files = found.isDirectory()
    ? readdirSync(path)
        .sort()
        .slice(0, MOST_FILES)
        .map((name) => join(path, name))
    : [path];
  const texts = files.flatMap((file) => {
    const one = statSync(file, { throwIfNoEntry: false });
    return one?.isFile() === true && one.size <= MOST_BYTES ? [readFileSync(file, 'utf8')] : [];
  });
  const pem = texts.filter((text) => text.includes('-----BEGIN CERTIFICATE-----')).join('\n');
  return pem === '' ? undefined : pem;
}
