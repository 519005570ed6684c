import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@assay/testkit';

/** A folder with one data file in it. */
export interface DataFolder extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly path: string;
}

export async function dataFile(name: string, content: string | Uint8Array): Promise<DataFolder> {
  const folder = await temporaryFolder('assay-evaluation');
  const path = join(folder.path, name);
  await writeFile(path, content);
  return { folder, path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Rows of three species with a number, a text and an id; every tenth target is missing when `gaps` is set. */
export function penguins(rows: number, options: { readonly gaps?: boolean } = {}): string {
  const species = ['Adelie', 'Chinstrap', 'Gentoo'];
  const lines = Array.from({ length: rows }, (_, i) => {
    const target = options.gaps === true && i % 10 === 9 ? 'NA' : species[(i * 7) % 3];
    return `${i + 1},${target},${(30 + ((i * 13) % 200) / 10).toFixed(1)},${i % 2 === 0 ? 'male' : 'female'}`;
  });
  return `id,species,bill_length_mm,sex\n${lines.join('\n')}\n`;
}
