import type { Sighting } from './text-scanner.ts';

/** Sightings whose surroundings are kept, and sightings in all: of a table that stands in a million files, the first. */
const MOST_WITH_SURROUNDINGS = 50_000;
const MOST_SIGHTINGS = 400_000;
/** A row that stands in one text more often tells nothing new. */
const MOST_OF_ONE_ROW = 2;

/** One sighting and the text that it is from. */
export interface Seen extends Sighting {
  readonly text: number;
}

/** A text that was searched: a file, or something that was unpacked from one. */
export interface SearchedText {
  /** The file, relative to the searched folder. */
  readonly file: string;
  /** Its path within that, with the names of what it was unpacked from. */
  readonly path: string;
  readonly seen: Seen[];
}

/** Gathers where rows were seen in a repository. Only texts with sightings are kept. */
export class Sightings {
  readonly texts: SearchedText[] = [];
  #count = 0;
  #current: SearchedText | undefined;
  readonly #times = new Map<number, number>();

  begin(file: string, path: string): void {
    this.#current = { file, path, seen: [] };
    this.#times.clear();
  }

  see(sighting: Sighting): void {
    const text = this.#current;
    if (text === undefined || this.#count >= MOST_SIGHTINGS) return;
    const times = (this.#times.get(sighting.row) ?? 0) + 1;
    this.#times.set(sighting.row, times);
    if (times > MOST_OF_ONE_ROW) return;
    if (text.seen.length === 0) this.texts.push(text);
    this.#count += 1;
    const { row, by } = sighting;
    const at = this.texts.length - 1;
    text.seen.push(this.#count > MOST_WITH_SURROUNDINGS ? { row, by, text: at } : { ...sighting, text: at });
  }
}
