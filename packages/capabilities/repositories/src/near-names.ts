import { distance } from 'fastest-levenshtein';

const COMPARED = 20_000;

/** At most `count` of the names, those first that a slip of the pen could have turned into `wanted`. */
export function nearNames(wanted: string, names: readonly string[], count: number): string[] {
  const plain = wanted.toLowerCase().slice(0, 200);
  return names
    .slice(0, COMPARED)
    .map((name) => {
      const other = name.toLowerCase().slice(0, 200);
      const isPart = other.includes(plain) || plain.includes(other);
      return { name, far: isPart ? Math.abs(other.length - plain.length) / 100 : distance(plain, other) };
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ name }) => name);
}
