import type { Language } from '../i18n/texts.tsx';

/** `0.9640`; a true minus sign. */
export function decimal(value: number, digits = 4): string {
  return value.toFixed(digits).replace('-', '−');
}

export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export function secondsBetween(from: string | null, to: string | null, now: number): number | undefined {
  return from === null ? undefined : Math.max(0, ((to === null ? now : Date.parse(to)) - Date.parse(from)) / 1000);
}

export function ago(instant: string, now: number, language: Language): string {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (seconds < 60) return format.format(0, 'second');
  if (seconds < 3600) return format.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return format.format(-Math.floor(seconds / 3600), 'hour');
  return format.format(-Math.floor(seconds / 86_400), 'day');
}

/** `1,234,567`. */
export function countText(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(count);
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Text of a data file or a repository without controls and characters that reorder or hide. */
export function plain(text: string): string {
  return text.replaceAll(
    /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (c) => `⟨U+${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Last part of a path or address. */
export function lastPart(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? path
  );
}
