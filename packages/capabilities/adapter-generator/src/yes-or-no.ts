import { speaksOf } from './call-names.ts';

const trueWords = ['true', 'yes', 'y', 't', '1', '是', '真'];
const falseWords = ['false', 'no', 'n', 'f', '0', '否', '假'];
const asking = new Set('is has have are was were does do can should contains contain needs exists'.split(' '));
/** Words that turn a question round: `is_not_spam`, `without_errors`, `reject`. */
const turning = new Set(
  'not no non isnt never without free lacks lack missing un anti none neither reject rejects deny refuse exclude fails failed'.split(
    ' ',
  ),
);
const turnedWord = /^(in|un|im|ir|il|non|dis|ab)(?=\p{L}{3})/u;

/** Which of two labels is yes and which no; undefined when they are other words. */
export function yesAndNo(labels: readonly string[]): { readonly yes: string; readonly no: string } | undefined {
  const yes = labels.filter((label) => trueWords.includes(label.toLowerCase()));
  const no = labels.filter((label) => falseWords.includes(label.toLowerCase()));
  return labels.length === 2 && yes.length === 1 && no.length === 1 ? { yes: yes[0]!, no: no[0]! } : undefined;
}

/** `isNotSpam` as its words. */
export function wordsOfName(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((word) => word !== '');
}

/** True when a word of the name turns its question round. */
export function isTurnedRound(name: string): boolean {
  return wordsOfName(name).some((word) => turning.has(word));
}

/**
 * Why a yes of this function may not be the target's yes; undefined when nothing speaks against it. `is_low` answers
 * another question than the target `high`, and `is_invalid` the opposite of `valid`: which one only a person can say.
 */
export function whyOtherQuestion(name: string, target: string | null): string | undefined {
  const words = wordsOfName(name);
  const targetWords = wordsOfName(target ?? '');
  const turned = words.find((word) => turning.has(word) && !targetWords.includes(word));
  if (turned !== undefined) return `"${turned}" in ${name} turns its answer round`;
  const opposite = words.find((word) => isOppositeOf(word, targetWords));
  if (opposite !== undefined) return `${name} asks for the opposite of ${target}`;
  if (words.length < 2 || !asking.has(words[0] ?? '')) return undefined;
  const isAbout = speaksOf(words.slice(1).join('_'), target) !== undefined;
  return isAbout ? undefined : `${name} is a question of its own, and nothing says that its yes is that of ${target}`;
}

function isOppositeOf(word: string, targets: readonly string[]): boolean {
  const bare = (text: string) => text.replace(turnedWord, '');
  const isTurned = (text: string) => bare(text) !== text;
  return targets.some((other) => (isTurned(word) && bare(word) === other) || (isTurned(other) && bare(other) === word));
}
