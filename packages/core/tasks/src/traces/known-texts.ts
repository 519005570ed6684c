import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DatasetManifest } from '@assay/contracts';
import { throwIfAborted } from '@assay/foundation';
import { readKnownTable } from '@assay/evaluation';
import { AnchorTable, type Anchor } from './anchor-table.ts';
import { confirmingHash, lettersOf, rollingHash } from './letters.ts';

/** A longer text is recognised by so many of its first and last letters, a shorter one by all. */
export const LETTERS = 24;
/** Shorter texts stand everywhere. */
const FEWEST_LETTERS = 8;
/** Of more rows, evenly spread ones are known. */
const MOST_ROWS = 400_000;
const MOST_TEXT_COLUMNS = 2;
const MOST_LABELS = 1000;
const HASHED_ROWS = 4096;

/** Rows of the data set, to be recognised by their texts or by hashes of these. */
export interface KnownTexts {
  readonly kind: 'labels' | 'numbers';
  /** Of each known row: the number of its label, or its value. */
  readonly targets: Float64Array;
  /** Of all rows, how many have each label; of numbers, none. */
  readonly shares: Float64Array;
  readonly anchors: AnchorTable;
  /** Lengths of the texts that are recognised as a whole. */
  readonly lengths: readonly number[];
  /** Rows by the first eight digits of a hash of their text, with the whole hash. */
  readonly hashes: ReadonlyMap<string, { readonly row: number; readonly hash: string }>;
}

interface Collected {
  readonly targets: number[];
  readonly texts: { readonly row: number; readonly text: string }[];
}

/** Undefined without a target, for more than 1,000 labels, and when no column holds texts of eight letters or more. */
export async function knownTexts(manifest: DatasetManifest, signal: AbortSignal): Promise<KnownTexts | undefined> {
  const target = manifest.columns.find(({ name }) => name === manifest.targetColumn);
  if (target === undefined) return undefined;
  const kind = manifest.suggestedTask === 'regression' ? 'numbers' : 'labels';
  const columns = manifest.columns
    .filter(({ name, inferredType }) => name !== target.name && inferredType === 'text')
    .slice(0, 64);
  if (columns.length === 0) return undefined;
  const labels = new Map<string, number>();
  const targets: number[] = [];
  const lengths = new Set<number>();
  const every = Math.max(1, Math.ceil(manifest.rowCount / MOST_ROWS));
  const hashedEvery = every * Math.max(1, Math.ceil(manifest.rowCount / every / HASHED_ROWS));
  const most = Math.min(MOST_ROWS, manifest.rowCount) * MOST_TEXT_COLUMNS * 2;
  const anchors = new AnchorTable(most);
  const hashed: Collected['texts'] = [];
  await readKnownTable(
    manifest,
    (view) => {
      if (view.index % every !== 0) return;
      const text = view.text(target.position);
      if (text === null) return;
      const value = kind === 'numbers' ? Number(text) : labelNumber(labels, text);
      const row = targets.push(value) - 1;
      const cells = columns.map(({ position }) => view.text(position) ?? '');
      const longest = cells.toSorted((a, b) => b.length - a.length).slice(0, MOST_TEXT_COLUMNS);
      for (const cell of longest) addText(cell, row);
      if (view.index % hashedEvery === 0 && longest[0]!.length >= FEWEST_LETTERS)
        hashed.push({ row, text: longest[0]! });
    },
    { signal },
  );
  if (labels.size > MOST_LABELS) return undefined;

  function addText(cell: string, row: number): void {
    const letters = lettersOf(cell);
    if (letters.length < FEWEST_LETTERS) return;
    const add = (part: Anchor['part'], start: number, end: number) => {
      const hashes = { first: rollingHash(letters, start, end), second: confirmingHash(letters, start, end) };
      anchors.add(hashes, { row, part }, (other) => targets[other] === targets[row]);
    };
    if (letters.length <= LETTERS) {
      lengths.add(letters.length);
      add('whole', 0, letters.length);
      return;
    }
    add('start', 0, LETTERS);
    add('end', letters.length - LETTERS, letters.length);
  }

  return {
    kind,
    targets: Float64Array.from(targets),
    shares: kind === 'labels' ? sharesOf(targets, labels.size) : new Float64Array(0),
    anchors,
    lengths: [...lengths],
    hashes: await hashesOf(hashed, signal),
  };
}

function labelNumber(labels: Map<string, number>, text: string): number {
  const known = labels.get(text);
  if (known !== undefined) return known;
  if (labels.size > MOST_LABELS) return Number.NaN;
  labels.set(text, labels.size);
  return labels.size - 1;
}

function sharesOf(targets: readonly number[], labels: number): Float64Array {
  const shares = new Float64Array(labels);
  for (const label of targets) if (!Number.isNaN(label)) shares[label]! += 1 / targets.length;
  return shares;
}

const algorithms = ['md5', 'sha1', 'sha256', 'sha512', 'blake2b512'];
/** How a text may have been cleaned before it was hashed. */
const cleanings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trim(),
  (text) => text.toLowerCase(),
  (text) => text.trim().toLowerCase(),
  (text) => `${text}\n`,
  (text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s]/gu, ''),
];

async function hashesOf(texts: Collected['texts'], signal: AbortSignal): Promise<KnownTexts['hashes']> {
  const hashes = new Map<string, { row: number; hash: string }>();
  for (const [at, { row, text }] of texts.entries()) {
    for (const form of new Set(cleanings.map((clean) => clean(text))))
      for (const algorithm of algorithms) {
        const hash = createHash(algorithm).update(form).digest('hex');
        hashes.set(hash.slice(0, 8), { row, hash });
      }
    if (at % 256 !== 0) continue;
    await setImmediate();
    throwIfAborted(signal);
  }
  return hashes;
}
