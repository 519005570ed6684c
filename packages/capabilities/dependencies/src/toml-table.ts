import { parse, TomlError } from 'smol-toml';

export type Table = Readonly<Record<string, unknown>>;

/** True for a table of TOML or a mapping of YAML. */
export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The table under these keys, or undefined. */
export function tableAt(table: Table, ...keys: readonly string[]): Table | undefined {
  let found: unknown = table;
  for (const key of keys) found = isTable(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return isTable(found) ? found : undefined;
}

/** The texts of a list; empty for anything else. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Parses TOML, or says what is wrong with it and on which line. */
export function parseToml(
  text: string,
): { readonly table: Table } | { readonly problem: string; readonly line: number } {
  try {
    return { table: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problem: `it is not valid TOML: ${error.message.split('\n')[0]}`, line: error.line };
  }
}
