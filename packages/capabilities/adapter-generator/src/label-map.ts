import { AssayError } from '@assay/foundation';

/** How answers of a repository become labels of the data. */
export interface LabelMapping {
  /** Of answers that are mappings or lists: the part that is the answer. */
  readonly key: string | null;
  /** Answers at or above `at` are `high`, those below are `low`. */
  readonly threshold: { readonly at: number; readonly high: string; readonly low: string } | null;
  /** What the repository says, and the label of the data. Several answers may mean one label. */
  readonly values: readonly (readonly [said: string, label: string])[];
  /** True when case and blanks do not count. */
  readonly isFolded: boolean;
}

const MOST_PAIRS = 1_000;

/**
 * Reads what a person writes behind `--map`: `0=setosa,1=versicolor`, `threshold=0.5,high=spam,low=ham`, with `key=NAME`
 * for answers that are mappings, or a JSON object of the same. A comma or equals sign inside a name is written `\,` or
 * `\=`. Throws `invalid_request` that says how it is written.
 */
export function parseLabelMap(text: string): LabelMapping {
  const pairs = text.trim().startsWith('{') ? fromJson(text) : fromWords(text);
  if (pairs.length === 0 || pairs.length > MOST_PAIRS) throw unreadable(text, `it has ${pairs.length} entries`);
  const said = new Map<string, string>();
  for (const [name, label] of pairs) {
    if (said.has(name) && said.get(name) !== label) throw unreadable(text, `"${name}" is given twice`);
    said.set(name, label);
  }
  const key = said.get('key') ?? null;
  const at = said.get('threshold');
  said.delete('key');
  if (at === undefined) {
    if (said.size === 0) throw unreadable(text, 'it names no label');
    return { key, threshold: null, values: [...said], isFolded: false };
  }
  const [high, low] = [said.get('high'), said.get('low')];
  if (high === undefined || low === undefined || said.size !== 3)
    throw unreadable(text, 'a threshold needs exactly high= and low=');
  const number = Number(at);
  if (at.trim() === '' || !Number.isFinite(number)) throw unreadable(text, `"${at}" is no number`);
  return { key, threshold: { at: number, high, low }, values: [], isFolded: false };
}

/** The same as it would be written behind `--map`. */
export function labelMapText({ key, threshold, values }: LabelMapping): string {
  const parts = key === null ? [] : [['key', key] as const];
  const rest =
    threshold === null
      ? values
      : ([
          ['threshold', String(threshold.at)],
          ['high', threshold.high],
          ['low', threshold.low],
        ] as const);
  return [...parts, ...rest].map(([said, label]) => `${escaped(said)}=${escaped(label)}`).join(',');
}

/** Labels that the mapping gives and the data does not have; a mapping with one is a mistake. */
export function unknownLabels(mapping: LabelMapping, labels: readonly string[]): string[] {
  const known = new Set(labels);
  const given =
    mapping.threshold === null
      ? mapping.values.map(([, label]) => label)
      : [mapping.threshold.high, mapping.threshold.low];
  return [...new Set(given)].filter((label) => !known.has(label));
}

function fromWords(text: string): [string, string][] {
  return text.split(/(?<!\\),/).map((part) => {
    const found = /^((?:[^=\\]|\\.)+)=(.*)$/s.exec(part.trim());
    if (found === null) throw unreadable(text, `"${part}" is not written as answer=label`);
    return [unescaped(found[1]!), unescaped(found[2]!)];
  });
}

function fromJson(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(text, 'it is not JSON');
  }
  return Object.entries(value as Readonly<Record<string, unknown>>).map(([name, label]) => {
    if (typeof label !== 'string' && typeof label !== 'number' && typeof label !== 'boolean')
      throw unreadable(text, `the label of "${name}" is neither a text nor a number`);
    return [name, String(label)];
  });
}

function escaped(text: string): string {
  return text.replace(/[\\,=]/g, (mark) => `\\${mark}`);
}

function unescaped(text: string): string {
  return text.trim().replace(/\\(.)/gs, '$1');
}

function unreadable(text: string, why: string): AssayError {
  return new AssayError('invalid_request', `the mapping of labels cannot be read: ${text.slice(0, 80)}`, {
    why,
    hint: 'write --map 0=setosa,1=versicolor, or --map threshold=0.5,high=spam,low=ham',
  });
}
