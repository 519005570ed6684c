/** A place of a row's text by which it is recognised. */
export interface Anchor {
  readonly row: number;
  /** The text begins with these letters, ends with them, or is nothing else. */
  readonly part: 'start' | 'end' | 'whole';
}

const parts = ['start', 'end', 'whole'] as const;
const FILTER_BITS = 22;
/** Anchors of rows with different targets tell none. */
const AMBIGUOUS = -2;
const FREE = -1;

/** From pairs of hashes to anchors, in typed arrays: millions of rows fit. */
export class AnchorTable {
  readonly #filter = new Uint8Array(1 << (FILTER_BITS - 3));
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #anchors: Int32Array;
  readonly #mask: number;

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * most)));
    this.#first = new Int32Array(size);
    this.#second = new Int32Array(size);
    this.#anchors = new Int32Array(size).fill(FREE);
    this.#mask = size - 1;
  }

  /** Takes an anchor; one that stands there already stays when `isSame` says that both tell the same target. */
  add(
    hashes: { readonly first: number; readonly second: number },
    anchor: Anchor,
    isSame: (row: number) => boolean,
  ): void {
    const { first, second } = hashes;
    const at = this.#find(first, second);
    const known = this.#anchors[at]!;
    if (known === FREE) {
      this.#first[at] = first;
      this.#second[at] = second;
      this.#anchors[at] = anchor.row * parts.length + parts.indexOf(anchor.part);
      const bit = first >>> (32 - FILTER_BITS);
      this.#filter[bit >>> 3]! |= 1 << (bit & 7);
    } else if (known !== AMBIGUOUS && !isSame(Math.floor(known / parts.length))) this.#anchors[at] = AMBIGUOUS;
  }

  /** False for most hashes that no anchor has. */
  mayHold(first: number): boolean {
    const bit = first >>> (32 - FILTER_BITS);
    return (this.#filter[bit >>> 3]! & (1 << (bit & 7))) !== 0;
  }

  get(first: number, second: number): Anchor | undefined {
    const known = this.#anchors[this.#find(first, second)]!;
    if (known < 0) return undefined;
    return { row: Math.floor(known / parts.length), part: parts[known % parts.length]! };
  }

  #find(first: number, second: number): number {
    for (let at = first & this.#mask; ; at = (at + 1) & this.#mask) {
      if (this.#anchors[at] === FREE || (this.#first[at] === first && this.#second[at] === second)) return at;
    }
  }
}
