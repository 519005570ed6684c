import { symbolOf, tokensOf } from '../text-tokens.ts';
import { labelsAgree, numbersAgree } from '../columns/agreement.ts';
import { BITS_THAT_PROVE } from '../columns/information.ts';
import type { KnownTexts } from './known-texts.ts';
import type { SearchedText, Seen } from './sightings.ts';

/** How texts of rows were found to tell targets. */
export const traceReasons = {
  beside: 'texts of the data stand in it beside what tells their targets',
  hashes: 'hashes of texts of the data stand in it beside what tells their targets',
  one: 'texts of the data stand in it, nearly all of one label',
  order: 'texts of the data stand in it in the order of their labels',
  name: 'texts of the data stand in it under names of files or folders that tell their targets',
} as const;

export type TraceReason = (typeof traceReasons)[keyof typeof traceReasons];

/** Fewer rows prove nothing. */
const FEWEST_ROWS = 20;
/** Of more sightings, evenly spread ones are judged. */
const MOST_JUDGED = 4000;
const PURE = 0.95;
const TOKENS_AFTER = 8;
const TOKENS_BEFORE = 6;
const UNITS = 12;
const FOLDERS = 6;

type Code = number | undefined;
type CodeOf = (seen: Seen, order: number) => Code;

/**
 * Whether rows that were seen in texts tell their targets, in one text or in many together: by what stands at one place
 * beside each, by names of files and folders, by their order, or by being all of one label. 40 bits of the labels must
 * be told, as for columns. The result names the files and why.
 */
export function judgeSightings(texts: readonly SearchedText[], known: KnownTexts): Map<string, TraceReason> {
  const found = new Map<string, TraceReason>();
  const rest: SearchedText[] = [];
  for (const text of texts) {
    const reason = text.seen.length < FEWEST_ROWS ? undefined : reasonOf(text.seen, known, inOneText(known));
    if (reason === undefined) rest.push(text);
    else found.set(text.file, reason);
  }
  const named = namePlaces(texts);
  for (const group of groupsOf(rest)) {
    const left = group.filter(({ file }) => !found.has(file));
    const seen = left.flatMap((text) => text.seen);
    if (seen.length < FEWEST_ROWS) continue;
    const reason = reasonOf(seen, known, [...inOneText(known), ...named]);
    if (reason !== undefined) for (const { file } of left) found.set(file, reason);
  }
  return found;
}

/** Folders with all below them, the deepest first: strangers elsewhere do not blur a copy. At last everything. */
function groupsOf(texts: readonly SearchedText[]): SearchedText[][] {
  const groups = new Map<string, SearchedText[]>();
  for (const text of texts)
    for (const folder of ['', ...foldersOf(text.path)]) {
      const group = groups.get(folder);
      if (group === undefined) groups.set(folder, [text]);
      else group.push(text);
    }
  return [...groups].toSorted(([a], [b]) => depthOf(b) - depthOf(a)).map(([, group]) => group);
}

const depthOf = (folder: string) => (folder === '' ? 0 : folder.split('/').length);

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(0, FOLDERS).map((_, at) => parts.slice(0, at + 1).join('/'));
}

interface Place {
  readonly reason: TraceReason;
  readonly codeOf: CodeOf;
}

function inOneText(known: KnownTexts): Place[] {
  return known.kind === 'numbers' ? besidePlaces(known) : [onlyOne, ...besidePlaces(known)];
}

const onlyOne: Place = { reason: traceReasons.one, codeOf: () => 0 };

function reasonOf(all: readonly Seen[], known: KnownTexts, places: readonly Place[]): TraceReason | undefined {
  const every = Math.ceil(all.length / MOST_JUDGED);
  const seen = every === 1 ? all : all.filter((_, at) => at % every === 0);
  const byHash = seen.filter(({ by }) => by === 'hash').length > seen.length / 2;
  for (const { reason, codeOf } of places)
    if (tells(seen, known, codeOf)) return byHash && reason === traceReasons.beside ? traceReasons.hashes : reason;
  return known.kind === 'labels' && orderTells(seen, known) ? traceReasons.order : undefined;
}

function tells(seen: readonly Seen[], { kind, targets, shares }: KnownTexts, codeOf: CodeOf): boolean {
  const pairs = { codes: new Float64Array(seen.length), targets: new Float64Array(seen.length), length: 0 };
  const counted = new Set<string>();
  for (const [order, one] of seen.entries()) {
    const code = codeOf(one, order);
    const target = targets[one.row]!;
    if (code === undefined || Number.isNaN(code) || Number.isNaN(target)) continue;
    const key = `${one.row} ${code}`;
    if (counted.has(key)) continue;
    counted.add(key);
    pairs.codes[pairs.length] = code;
    pairs.targets[pairs.length++] = target;
  }
  return kind === 'labels' ? labelsAgree(pairs, shares) : numbersAgree(pairs);
}

/** Whether rows of one label follow one another so that their order tells the labels: lists of one class after another. */
function orderTells(seen: readonly Seen[], { targets, shares }: KnownTexts): boolean {
  const rows: number[] = [];
  for (const { row } of seen) if (rows.at(-1) !== row) rows.push(row);
  if (rows.length < FEWEST_ROWS) return false;
  let saved = 0;
  let same = 1;
  let changes = 0;
  for (let at = 1; at < rows.length; at++) {
    const label = targets[rows[at]!]!;
    const stays = label === targets[rows[at - 1]!]!;
    const likelyStays = (same + 0.5) / (at + 1);
    const predicted = stays ? likelyStays : (1 - likelyStays) / Math.max(1, shares.length - 1);
    saved += Math.log2(Math.max(predicted, 1e-9) / shares[label]!);
    if (stays) same++;
    else changes++;
  }
  return saved >= BITS_THAT_PROVE && changes <= (1 - PURE) * rows.length;
}

/** Places in the names of the texts, counted from the root and from the file. */
function namePlaces(texts: readonly SearchedText[]): Place[] {
  const names = new Map<string, number>();
  const numberOf = (name: string) => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  };
  const parts = texts.map(({ path }) => path.split('/'));
  const words = parts.map((path) =>
    (path.at(-1) ?? '').split(/[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u).filter(Boolean),
  );
  const place = (codeOf: (text: number) => string | undefined): Place => ({
    reason: traceReasons.name,
    codeOf({ text }) {
      const name = codeOf(text);
      return name === undefined ? undefined : numberOf(name);
    },
  });
  const steps = Array.from({ length: FOLDERS }, (_, at) => at);
  return [
    place((text) => parts[text]!.join('/')),
    ...steps.map((step) => place((text) => parts[text]!.slice(0, -1).at(-1 - step))),
    ...steps.map((step) => place((text) => words[text]!.at(step))),
    ...steps.map((step) => place((text) => words[text]!.at(-1 - step))),
    place((text) => parts[text]!.at(-1)!.split('.').at(-1)),
  ];
}

/** Places before and after a row: words, and single units for files that are not written in words. */
function besidePlaces({ kind }: KnownTexts): Place[] {
  const at = (list: readonly number[], place: number): Code => list.at(place);
  const after = memo(({ after: text }) => (text === undefined ? [] : symbolsOf(text)));
  const before = memo(({ before: text }) => (text === undefined ? [] : symbolsOf(text)));
  const place = (codeOf: CodeOf): Place => ({ reason: traceReasons.beside, codeOf });
  const words = [
    ...Array.from({ length: TOKENS_AFTER }, (_, step) => place((seen) => at(after(seen), step))),
    ...Array.from({ length: TOKENS_BEFORE }, (_, step) => place((seen) => at(before(seen), -1 - step))),
  ];
  if (kind === 'numbers') return words;
  return [...words, ...Array.from({ length: UNITS }, (_, step) => place(({ after: text }) => unitPair(text, step)))];
}

/** Marks that end a sentence or a constant: whatever stands behind a text stands behind them. */
const ENDING = /^[\s.,;:!?'")\]]*/;

/** A unit and the first one: what ends a text decides where the next thing stands. */
function unitPair(text: string | undefined, step: number): Code {
  const at = text === undefined ? 0 : ENDING.exec(text)![0].length;
  if (text === undefined || text.length <= at + step) return undefined;
  return text.charCodeAt(at) * 0x1_0000 + text.charCodeAt(at + step);
}

/** The words and numbers of a piece of text. */
function symbolsOf(text: string): number[] {
  return tokensOf(text)
    .filter((token) => typeof token === 'number' || /[\p{L}\p{N}]/u.test(token))
    .map(symbolOf);
}

function memo<T>(make: (seen: Seen) => T): (seen: Seen) => T {
  const made = new WeakMap<Seen, T>();
  return (seen) => {
    const known = made.get(seen);
    if (known !== undefined) return known;
    const value = make(seen);
    made.set(seen, value);
    return value;
  };
}
