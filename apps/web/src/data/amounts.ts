/** `13.2 KB`: as people say the size of a file. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** `12,345` */
export function whole(count: number): string {
  return count.toLocaleString('en-US');
}

/** A number of a data file, as short as it can be said. */
export function short(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 1e7 || size < 1e-3
      ? value.toExponential(2)
      : value.toLocaleString('en-US', {
          maximumSignificantDigits: Number.isInteger(value) ? 8 : 4,
          // 2009 is a year more often than a quantity.
          useGrouping: size >= 10_000,
        });
  return text.replace('-', '−');
}
