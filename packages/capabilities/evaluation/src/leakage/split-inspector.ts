import type { DatasetManifest, LeakageWarning } from '@assay/contracts';
import type { RowView } from '../data/row-view.ts';

/** About 450 bytes each. */
const MOST_KEPT = 32_000;
const MOST_GROUPS = 200_000;
const TRAIN = 1;
const TEST = 2;

/** Rows with the same inputs. */
interface Alike {
  readonly hash: number;
  train: number;
  test: number;
  readonly labels: Map<string, number>;
}

/**
 * Looks at both sides of a split while they are written: rows whose inputs are the same, or the same but for spaces,
 * capital letters and wide characters, and groups that stand on both sides. At most 32,000 different rows are remembered, by hashes of 53 bits; of more, those whose hash is a multiple of a growing
 * power of two, so that equal rows are kept or let go together.
 */
export class SplitInspector {
  /** By a hash of their inputs without what is easily written in another way: rows that are nearly the same. */
  readonly #kept = new Map<number, Alike[]>();
  readonly #groups: { readonly name: string; readonly position: number; readonly sides: Map<string, number> }[];
  readonly #training: boolean;
  readonly #hasTexts: boolean;
  #every = 1;
  #size = 0;
  #handedOut = 0;

  constructor(manifest: DatasetManifest, training: boolean) {
    this.#training = training;
    const inputs = new Set(manifest.inputColumns);
    this.#hasTexts = manifest.columns.some(({ name, inferredType }) => inferredType === 'text' && inputs.has(name));
    const names = (manifest.leakage ?? [])
      .filter(({ kind }) => kind === 'group-like')
      .flatMap(({ columns }) => columns);
    const watched = training ? names.slice(0, 3) : [];
    this.#groups = manifest.columns
      .filter(({ name }) => watched.includes(name))
      .map(({ name, position }) => ({ name, position, sides: new Map() }));
  }

  /** `inputs` = the inputs of the row as text; `label` = its target. */
  add(
    row: RowView,
    side: 'train' | 'test',
    { inputs, label }: { readonly inputs: string; readonly label: string },
  ): void {
    if (side === 'test') this.#handedOut += 1;
    for (const { position, sides } of this.#groups) {
      const text = row.text(position);
      if (text === null || (sides.size >= MOST_GROUPS && !sides.has(text))) continue;
      sides.set(text, (sides.get(text) ?? 0) | (side === 'train' ? TRAIN : TEST));
    }
    const exact = hashText(inputs);
    const plain = this.#hasTexts ? hashText(plainInputs(inputs)) : exact;
    if (plain % this.#every !== 0) return;
    const alike = this.#kept.get(plain) ?? [];
    if (alike.length === 0) this.#kept.set(plain, alike);
    let known = alike.find(({ hash }) => hash === exact);
    if (known === undefined) {
      known = { hash: exact, train: 0, test: 0, labels: new Map() };
      alike.push(known);
      this.#size += 1;
    }
    known[side] += 1;
    const labelled = `${side} ${label}`;
    known.labels.set(labelled, (known.labels.get(labelled) ?? 0) + 1);
    if (this.#size > MOST_KEPT) this.#thin();
  }

  finish(): LeakageWarning[] {
    return [...this.#straddling(), ...(this.#training ? this.#acrossSplit() : this.#withinTest())];
  }

  #thin(): void {
    this.#every *= 2;
    for (const [hash, alike] of this.#kept) {
      if (hash % this.#every === 0) continue;
      this.#size -= alike.length;
      this.#kept.delete(hash);
    }
  }

  #acrossSplit(): LeakageWarning[] {
    let rows = 0;
    let same = 0;
    let nearly = 0;
    for (const { train, test, labels, others } of this.#variants()) {
      if (train === 0) {
        if (others.some((other) => other.train > 0)) nearly += test;
        continue;
      }
      for (const [labelled, count] of labels) {
        if (!labelled.startsWith('test ')) continue;
        rows += count;
        if (labels.has(`train ${labelled.slice(5)}`)) same += count;
      }
    }
    return [
      ...duplicates(
        rows,
        `${rows} of the ${this.#of()} rows that are evaluated have the same inputs as a training row: ${same} with the same label, ${rows - same} with another`,
      ),
      ...duplicates(
        nearly,
        `${nearly} of the ${this.#of()} rows that are evaluated have the inputs of a training row but for spaces, capital letters or wide characters`,
      ),
    ];
  }

  #withinTest(): LeakageWarning[] {
    let rows = 0;
    let contradicting = 0;
    for (const { test, labels } of this.#variants()) {
      if (test < 2) continue;
      rows += test;
      if (labels.size > 1) contradicting += test;
    }
    return duplicates(
      rows,
      `${rows} of the ${this.#of()} rows that are evaluated share their inputs with another one: ${rows - contradicting} with the same label, ${contradicting} where labels differ`,
    );
  }

  *#variants(): Iterable<Alike & { readonly others: readonly Alike[] }> {
    for (const alike of this.#kept.values()) for (const one of alike) yield { ...one, others: alike };
  }

  #of(): string {
    return this.#every === 1 ? `${this.#handedOut}` : `about ${Math.round(this.#handedOut / this.#every)} sampled`;
  }

  #straddling(): LeakageWarning[] {
    return this.#groups.flatMap(({ name, sides }) => {
      const both = [...sides.values()].filter((side) => side === (TRAIN | TEST)).length;
      if (both === 0) return [];
      const says = `${both} of the ${sides.size} values of "${name}" stand on both sides of the split: say --group to keep the rows of one together`;
      return [{ kind: 'group-like' as const, columns: [name], says }];
    });
  }
}

function duplicates(rows: number, says: string): LeakageWarning[] {
  return rows === 0 ? [] : [{ kind: 'duplicate-rows', columns: [], says }];
}

/** Without white space, also where JSON escapes it, in small letters and in one width. */
function plainInputs(inputs: string): string {
  return inputs
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+|\\[nrt]/g, '');
}

/** 53 bits from two passes of FNV-1a with different starts; equality of rows rests on it, a clash has odds of 1 in 10^4 for a million rows. */
function hashText(text: string): number {
  let a = 0x811c9dc5;
  let b = 0x9dc5811c;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 15);
  }
  return (a >>> 0) * 0x20_0000 + (b >>> 11);
}
