export interface Headers {
  readonly names: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Column names from a header row: blanks around a name are dropped, an empty name becomes `column_<n>` (from 1), a
 * name that stands twice gets `_2`, `_3` …; every change is a warning.
 */
export function readHeaders(cells: readonly string[]): Headers {
  const warnings: string[] = [];
  const taken = new Set(cells.map((cell) => cell.trim()));
  const used = new Set<string>();
  const names = cells.map((cell, i) => {
    const trimmed = cell.trim();
    if (trimmed !== '' && trimmed !== cell) warnings.push(`blanks around the column name "${trimmed}" were dropped`);
    if (trimmed !== '' && !used.has(trimmed)) {
      used.add(trimmed);
      return trimmed;
    }
    const name = freeName(trimmed === '' ? `column_${i + 1}` : trimmed, taken, used);
    used.add(name);
    warnings.push(
      trimmed === ''
        ? `column ${i + 1} has no name and is called "${name}"`
        : `the column name "${trimmed}" stands twice; column ${i + 1} is called "${name}"`,
    );
    return name;
  });
  return { names, warnings };
}

function freeName(base: string, taken: ReadonlySet<string>, used: ReadonlySet<string>): string {
  if (!taken.has(base) && !used.has(base)) return base;
  let n = 2;
  while (taken.has(`${base}_${n}`) || used.has(`${base}_${n}`)) n += 1;
  return `${base}_${n}`;
}
