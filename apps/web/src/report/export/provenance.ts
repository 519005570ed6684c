/** Every export names what it comes from. */
export interface Provenance {
  readonly title: string;
  readonly plan: string;
  /** When the numbers were computed. */
  readonly date: string;
  readonly ok: number;
  readonly total: number;
  /** The sentence of it, in the language of the page. */
  readonly sentence: string;
}

/** `penguins-2026-12-01-confusion.csv`: letters, digits and dashes of any script. */
export function fileName({ title, date }: Provenance, what: string, extension: string): string {
  const safe = (part: string) => part.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return `${[title, date.slice(0, 10), what]
    .map(safe)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 120)}.${extension}`;
}

/** Hands bytes to the browser as a download. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
