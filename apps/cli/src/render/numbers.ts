/** Digits after the point that suit a value: 0.974, 12.35, 151.2, 18400; small ones keep three that say something. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (size >= 1000) return 0;
  if (size >= 100) return 1;
  if (size >= 10) return 2;
  if (size === 0 || size >= 0.01) return 3;
  return Math.min(12, 2 - Math.floor(Math.log10(size)));
}

/** A number with a true minus sign and thousands in groups. */
export function formatNumber(value: number, decimals: number): string {
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return value < 0 && Number(text.replaceAll(',', '')) !== 0 ? `−${text}` : text;
}

/** `[0.93, 0.99]` with the same number of decimals in both ends. */
export function formatInterval([low, high]: readonly [number, number], decimals: number): string {
  return `[${formatNumber(low, decimals)}, ${formatNumber(high, decimals)}]`;
}

/** `0.4 s`, `12 s`, `3 min 05 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
