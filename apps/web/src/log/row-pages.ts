/** Rows are fetched in pages of this many. */
export const PAGE_ROWS = 250;
const MAX_PAGES = 40;

export interface RowPagesOptions {
  readonly fetch: (from: number, limit: number, signal: AbortSignal) => Promise<readonly string[]>;
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

interface Page {
  readonly lines: readonly string[];
  readonly stop: AbortController | undefined;
}

/** The rows around what is seen: pages that are fetched when they come near, and dropped when they are long gone. */
export class RowPages {
  readonly #options: RowPagesOptions;
  readonly #pages = new Map<number, Page>();
  #wanted: readonly [from: number, to: number] = [0, 0];

  constructor(options: RowPagesOptions) {
    this.#options = options;
  }

  /** The row's text, or undefined while it is on its way. */
  row(index: number): string | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.lines[index % PAGE_ROWS];
  }

  /** Fetches what is missing of these rows, and stops fetching what is no longer near. */
  want(from: number, to: number): void {
    this.#wanted = [from, to];
    const [first, last] = [Math.floor(from / PAGE_ROWS), Math.floor(Math.max(from, to - 1) / PAGE_ROWS)];
    for (const [number, page] of this.#pages)
      if (page.stop !== undefined && (number < first - 1 || number > last + 1)) {
        page.stop.abort(new Error('scrolled away'));
        this.#pages.delete(number);
      }
    for (let number = first; number <= last; number += 1) {
      const page = this.#pages.get(number);
      const needed = Math.min(PAGE_ROWS, to - number * PAGE_ROWS);
      if (page === undefined || (page.stop === undefined && page.lines.length < needed))
        this.#fetch(number, page?.lines ?? []);
      else {
        this.#pages.delete(number); // seen now: the last to be dropped
        this.#pages.set(number, page);
      }
    }
    for (const number of this.#pages.keys())
      if (this.#pages.size > MAX_PAGES) this.#pages.delete(number);
      else break;
  }

  /** Asks for the rest of a page. Long rows come in several answers, and a log may have grown since the last. */
  #fetch(number: number, lines: readonly string[]): void {
    const stop = new AbortController();
    const page: Page = { lines, stop };
    this.#pages.delete(number);
    this.#pages.set(number, page);
    void this.#options.fetch(number * PAGE_ROWS + lines.length, PAGE_ROWS - lines.length, stop.signal).then(
      (fetched) => this.#arrived(number, page, fetched),
      (error: unknown) => {
        if (this.#pages.get(number) === page) this.#pages.delete(number);
        if (!stop.signal.aborted) this.#options.onError(error);
      },
    );
  }

  #arrived(number: number, page: Page, fetched: readonly string[]): void {
    if (this.#pages.get(number) !== page) return;
    this.#pages.set(number, { lines: [...page.lines, ...fetched], stop: undefined });
    this.#options.onChange();
    if (fetched.length > 0) this.want(...this.#wanted);
  }

  /** The last row of a growing log may have been cut, and so may an answer that is on its way: they are asked for again. */
  forgetFrom(row: number): void {
    const first = Math.floor(row / PAGE_ROWS);
    for (const [number, { lines, stop }] of this.#pages) {
      if (number < first) continue;
      stop?.abort(new Error('the log has grown'));
      const kept = lines.slice(0, Math.max(0, row - number * PAGE_ROWS));
      this.#pages.set(number, { lines: kept, stop: undefined });
    }
  }

  dispose(): void {
    for (const { stop } of this.#pages.values()) stop?.abort(new Error('the log was closed'));
    this.#pages.clear();
  }
}
