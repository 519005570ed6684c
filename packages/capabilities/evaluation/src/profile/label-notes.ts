import type { LabelCount } from './target-check.ts';

/** Notes on so many groups of labels; more are counted. */
const MOST_NAMED = 5;
/** Shorter labels that differ in one character are rarely a slip. */
const SHORTEST_SLIP = 5;

interface Difference {
  readonly what: string;
  /** The label without what may differ. */
  readonly fold: (label: string) => string;
}

/** From the smallest to the largest difference; each includes those before. */
const differences: readonly Difference[] = [
  { what: 'blanks', fold: withoutBlanks },
  { what: 'case', fold: (label) => label.toLowerCase() },
  { what: 'how characters are composed', fold: (label) => label.normalize('NFC') },
  { what: 'the width or form of characters', fold: (label) => label.normalize('NFKC') },
];

/**
 * Labels that a person may have meant to be one, in sentences: such as differ only in blanks, case, width or composition
 * of characters, and such as differ in one letter. They stay labels of their own; nothing is merged.
 */
export function labelNotes(labels: readonly LabelCount[]): string[] {
  const alike = groupsBy(labels, foldAll);
  const slips = nearPairs(
    labels.filter(({ label }) => alike.every((group) => !group.some((one) => one.label === label))),
  );
  return [
    ...limited(
      alike,
      (group) => `the labels ${listed(group)} differ only in ${whatDiffers(group)}; each is a class of its own`,
    ),
    ...limited(slips, (pair) => `the labels ${listed(pair)} differ in one letter; each is a class of its own`),
  ];
}

function limited<T>(groups: readonly T[], say: (group: T) => string): string[] {
  const notes = groups.slice(0, MOST_NAMED).map(say);
  if (groups.length > MOST_NAMED) notes.push(`and ${groups.length - MOST_NAMED} more groups of labels are as alike`);
  return notes;
}

/** Quoted as JSON, so that blanks can be seen. */
function listed(group: readonly LabelCount[]): string {
  return group
    .slice(0, MOST_NAMED)
    .map(({ label, count }) => `${JSON.stringify(label.slice(0, 60))} (${count} ${count === 1 ? 'row' : 'rows'})`)
    .join(' and ');
}

/** The smallest differences that tell the labels apart: from the largest on, each is left out that is not needed. */
function whatDiffers(group: readonly LabelCount[]): string {
  let needed = differences;
  for (const one of differences.toReversed()) {
    const others = needed.filter((other) => other !== one);
    if (new Set(group.map(({ label }) => foldBy(others, label))).size === 1) needed = others;
  }
  return needed.length === 0 ? 'how they are written' : needed.map(({ what }) => what).join(' and ');
}

function foldAll(label: string): string {
  return foldBy(differences, label);
}

function foldBy(some: readonly Difference[], label: string): string {
  return some.reduceRight((text, { fold }) => fold(text), label);
}

/** Leading, trailing, doubled and invisible ones. */
function withoutBlanks(label: string): string {
  return label
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function groupsBy(labels: readonly LabelCount[], key: (label: string) => string): (readonly LabelCount[])[] {
  const groups = new Map<string, LabelCount[]>();
  for (const one of labels) groups.set(key(one.label), [...(groups.get(key(one.label)) ?? []), one]);
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Pairs of which one is the other with one letter changed, left out, added, or two neighbours exchanged. */
function nearPairs(labels: readonly LabelCount[]): (readonly LabelCount[])[] {
  const long = labels.filter(({ label }) => label.length >= SHORTEST_SLIP);
  const pairs: (readonly LabelCount[])[] = [];
  for (const [at, one] of long.entries())
    for (const other of long.slice(at + 1)) if (isSlip(one.label, other.label)) pairs.push([one, other]);
  return pairs;
}

function isSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end++;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  // Numbers, single letters after a blank and the like are names of their own: "class 1" and "class 2", "type A", "type B".
  if (/\P{L}/u.test(left + right) || isOwnWord(a, start, left) || isOwnWord(b, start, right)) return false;
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** Whether the differing letter stands alone. */
function isOwnWord(label: string, at: number, letters: string): boolean {
  const alone = (text: string | undefined) => text === undefined || !/\p{L}/u.test(text);
  return letters !== '' && alone(label[at - 1]) && alone(label[at + letters.length]);
}
