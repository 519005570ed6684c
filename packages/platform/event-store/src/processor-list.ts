/** `0-3,8` without its first processor, `1-3,8`; undefined when none would be left, or when it is no such list. */
export function withoutFirst(list: string): string | undefined {
  const found = /^(\d+)(?:-(\d+))?((?:,\d+(?:-\d+)?)*)$/.exec(list);
  if (found === null) return undefined;
  const [first, last] = [Number(found[1]), Number(found[2] ?? found[1])];
  const rest = found[3] === '' ? [] : [found[3]!.slice(1)];
  if (last > first) rest.unshift(last === first + 1 ? String(last) : `${first + 1}-${last}`);
  return rest.length === 0 ? undefined : rest.join(',');
}
