import type { EvaluationTask } from '@assay/contracts';
import type { CallStyle } from './candidate.ts';

export interface CallName {
  /** How well the verb fits the task, -0.2 … 0.25. */
  readonly weight: number;
  readonly call: CallStyle | undefined;
  readonly isText: boolean;
}

const strong =
  /^(predict|classify|categori[sz]e|infer|recogni[sz]e|identify|diagnose)(_|$)|^[a-z0-9]+_(predict|classify)$|^(get|make)_predictions?$/;
const weak = /^(label|tag|detect|estimate|score|forecast|guess|rate)(_|$)/;
const labelling = /^(classify|categori[sz]e|label|tag|detect|recogni[sz]e|identify|diagnose)(_|$)/;
const measuring = /^(estimate|score|forecast|rate)(_|$)/;
/** Words after the verb that do not change what it is about. */
const neutral = new Set(
  'one single many all batch row rows sample samples item items instance example text texts sentence document message label labels class category target value y sentiment'.split(
    ' ',
  ),
);
const elsewhere: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/_(proba|probs?|probabilit(y|ies)|log_proba|distribution|dist|logits?)$/, 'gives probabilities, not predictions'],
  [
    /_(scores?|confidence|likelihood|margin|interval|quantiles?|std|variance|error|loss|metrics?|accuracy)$/,
    'gives a measure, not predictions',
  ],
  [/_(files?|folder|dir|directory|path|csv|json|url|stream|stdin|from_\w+)$/, 'works on files or addresses'],
  [/_(image|images|img|audio|video|frame|mask|boxes)$/, 'works on images, sound or video'],
  [/_(dataset|cli|command|main|next|sequence|and_\w+)$/, 'does more than predict one table row'],
];

/** Splits camelCase, so that `predictOne` reads like `predict_one`. */
function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** What a prediction has to give. */
export interface Goal {
  readonly task: EvaluationTask;
  readonly target: string | null;
  /** Different labels, when they are known. */
  readonly labels?: number | undefined;
}

/** Words that name the same thing: a repository says polarity where the data says sentiment. */
const kindred: readonly (readonly string[])[] = [
  ['sentiment', 'polarity', 'valence', 'mood', 'emotion', 'opinion'],
  ['gender', 'sex'],
  ['language', 'lang'],
  ['profane', 'profanity', 'swear', 'offensive', 'toxic', 'toxicity', 'abusive'],
  ['molar', 'molecular'],
];

/** Questions with yes or no, and conversions of a text into a number: predictions only for a target of that kind. */
const asking = /^(is|has|are|contains?)_\w|^(verify|validate|valid)(_|$)/;
/** It asks for yes or no in some packages and does more in others. */
const checking = /^check(_|$)/;
const converting = /^(parse|convert|to|from|compute|calculate)(_|$)|_(to|2|into)_|^[a-z]+2[a-z]+$/;
const tooCommon = new Set(
  'the is has label labels class target value values type kind result outcome score category text data name'.split(' '),
);

/** True for a public name that starts like a prediction, or speaks of the target. */
export function isPredictionName(name: string, goal: Goal): boolean {
  const plain = snake(name);
  return !plain.startsWith('_') && (strong.test(plain) || weak.test(plain) || besides(plain, goal) !== undefined);
}

/** The weight of a name without a verb of prediction: `get_gender` for the target gender, `is_spam`, `words_to_number`. */
function besides(plain: string, { task, target, labels }: Goal): number | undefined {
  const isAbout = speaksOf(plain, target) !== undefined;
  if (
    isAbout &&
    !/^(set|add|save|load|train|fit|plot|show|print|init|update|remove|delete|test|evaluate|list|all)(_|$)/.test(plain)
  )
    return 0.22;
  if (task === 'classification' && labels === 2 && asking.test(plain)) return 0.12;
  if (task === 'classification' && labels === 2 && checking.test(plain)) return 0.08;
  return task === 'regression' && converting.test(plain) ? 0.12 : undefined;
}

/** Whether one of the name's words is one of the target's, or means nearly the same. */
export function speaksOf(name: string, target: string | null): 'same' | 'kindred' | undefined {
  const own = wordsOf(target ?? '').filter((word) => word.length > 2 && !tooCommon.has(word));
  const words = wordsOf(name);
  const isIn = (wanted: readonly string[]) => words.some((word) => wanted.some((other) => sharesStem(word, other)));
  if (isIn(own)) return 'same';
  return isIn(kindred.filter((group) => group.some((word) => own.includes(word))).flat()) ? 'kindred' : undefined;
}

function wordsOf(name: string): string[] {
  return snake(name).split(/[^\p{L}\p{N}]+/u);
}

/** `profane` and `profanity`. */
function sharesStem(a: string, b: string): boolean {
  if (a === b || `${a}s` === b || a === `${b}s`) return true;
  const stem = Math.max(5, Math.min(a.length, b.length) - 1);
  return a.length >= stem && a.slice(0, stem) === b.slice(0, stem);
}

/** What a prediction-like name promises, or why it is not a prediction for this task. */
export function readCallName(name: string, goal: Goal): CallName | { readonly reason: string } {
  const plain = snake(name);
  // The score of what is asked for is an answer, from which a threshold makes a label; other scores measure.
  const isOfTarget = /_scores?$/.test(plain) && speaksOf(plain, goal.target) !== undefined;
  for (const [pattern, reason] of elsewhere) if (!isOfTarget && pattern.test(plain)) return { reason };
  if (goal.task === 'regression' && labelling.test(plain))
    return { reason: 'gives labels, and the target is a number' };
  const unfit = goal.task === 'classification' && measuring.test(plain) ? 0.1 : 0;
  const isVerb = strong.test(plain) || weak.test(plain);
  const weight = isVerb ? verbWeight(plain, goal.target) : (besides(plain, goal) ?? 0);
  return { weight: weight - unfit, call: callOf(plain), isText: isTextName(plain) };
}

/** `label_font` and `guess_extension` begin like predictions; only what they are about can say that they are some. */
function verbWeight(plain: string, target: string | null): number {
  const about = plain.split('_').slice(1);
  const wanted = new Set(snake(target ?? '').split(/[^a-z0-9]+/));
  const isPlain = about.every((word) => neutral.has(word) || wanted.has(word) || /^(predict|classify)/.test(word));
  if (strong.test(plain)) return isPlain ? 0.25 : 0.15;
  return isPlain ? 0.15 : -0.1;
}

function isTextName(plain: string): boolean {
  return /_(text|texts|sentence|document|message)s?$/.test(plain);
}

function callOf(plain: string): CallStyle | undefined {
  if (/_(batch|many|all|rows|samples|examples|instances|items|points|records|documents|texts|sentences)$/.test(plain))
    return 'batch';
  return /_(one|single|row|sample|example|instance|item|point|record|document|text|sentence)$/.test(plain)
    ? 'single'
    : undefined;
}

/** Companions that give label probabilities, the usual name first. */
export const probabilityNames = [
  'predict_proba',
  'predict_probabilities',
  'predict_probability',
  'predict_probs',
  'classify_proba',
  'class_probabilities',
] as const;

/** A parameter that wants the answer: its function measures, it does not predict. */
export function isAnswerName(name: string): boolean {
  return /^(y|ys|y_?true|y_?pred|y_?test|labels?|targets?|truth|ground_truth|gold|expected|actual|answers?|predictions?|preds?|predicted)$/i.test(
    name,
  );
}

/** A parameter that wants what training returned. */
export function isModelName(name: string): boolean {
  return /^(model|models|tree|node|root|forest|weights?|w|params|parameters|coefs?|coefficients?|theta|classifier|clf|regressor|estimator|network|net|centroids?|stats|statistics|summar(y|ies)|state|priors?|knowledge|rules)$/i.test(
    name,
  );
}
