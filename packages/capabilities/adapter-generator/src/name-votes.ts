import type { ElementKind, Vote } from './vote.ts';
import type { CallStyle } from './candidate.ts';

type Rule = readonly [pattern: RegExp, element: ElementKind | undefined, call: CallStyle | undefined, weight: number];

const nameRules: readonly Rule[] = [
  [
    /^(input_)?(text|sentence|document|doc|review|message|msg|comment|content|string|tweet|utterance|phrase|title|headline|email|body|passage|paragraph|query|question)$/,
    'text',
    'single',
    1.2,
  ],
  [
    /^(texts|sentences|documents|docs|reviews|messages|comments|strings|tweets|utterances|phrases|titles|headlines|emails|queries|corpus)$/,
    'text',
    'batch',
    1.2,
  ],
  [/^(row|record|mapping|fields)$/, 'row', 'single', 1],
  [/^(rows|records)$/, 'row', 'batch', 1],
  [
    /^(vector|vec|feature_vector|point|features|feats|values|measurements|attributes|numbers)$/,
    'vector',
    'single',
    0.9,
  ],
  [/^(vectors|points|feature_vectors|matrix)$/, 'vector', 'batch', 0.9],
  [/^(x)$/, 'vector', 'single', 0.6],
  [/^(X|X_test|x_test|X_new|xs)$/, 'vector', 'batch', 0.6],
  [
    /^(sample|example|instance|item|observation|entry|case|datum|person|patient|passenger|customer|house|car|flower|penguin)$/,
    undefined,
    'single',
    1,
  ],
  [
    /^(samples|examples|instances|items|observations|entries|cases|data|dataset|inputs|batch|people|test_data|X_batch)$/,
    undefined,
    'batch',
    1,
  ],
];

/** What a parameter's name says of it. `X` and `x` differ. */
export function nameVotes(name: string, where: string): Vote[] {
  const rule = nameRules.find(([pattern]) => pattern.test(name));
  if (rule === undefined) return [];
  const [, element, call, weight] = rule;
  const vote = { weight, why: `${where} names the parameter "${name}"` };
  return [{ ...vote, ...(element === undefined ? {} : { element }), ...(call === undefined ? {} : { call }) }];
}

const docRules: readonly Rule[] = [
  [/(list|sequence|iterable|batch)s? of (dict|mapping|row|record)/i, 'row', 'batch', 1],
  [/(list|sequence|iterable|batch)s? of (text|string|str\b|sentence|document|message)/i, 'text', 'batch', 1],
  [
    /(list|sequence) of (list|sequence|vector|feature vector|point|tuple)s?|2-?d |matrix|n_samples/i,
    'vector',
    'batch',
    1,
  ],
  [
    /(list|sequence|tuple|vector) of (float|number|feature|value|measurement)s?|feature vector/i,
    'vector',
    'single',
    0.8,
  ],
  [/\b(dict|dictionary|mapping)\b/i, 'row', undefined, 0.8],
  [/\b(texts|sentences|documents|strings)\b/i, 'text', 'batch', 0.6],
  [/\b(text|sentence|document|string)\b/i, 'text', undefined, 0.6],
  [
    /\b(each|every) (row|sample|item|text|instance|example|observation|point)|for (all|each)\b/i,
    undefined,
    'batch',
    0.6,
  ],
];

/** What a docstring says of the only parameter; the first rule that fits counts. */
export function docVotes(docstring: string, where: string): Vote[] {
  const rule = docRules.find(([pattern]) => pattern.test(docstring));
  if (rule === undefined) return [];
  const [pattern, element, call, weight] = rule;
  const words = pattern.exec(docstring)?.[0] ?? '';
  const vote = { weight, why: `${where} says "${words.trim()}" in its docstring` };
  return [{ ...vote, ...(element === undefined ? {} : { element }), ...(call === undefined ? {} : { call }) }];
}
