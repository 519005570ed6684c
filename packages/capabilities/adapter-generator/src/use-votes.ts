import type { ParamUses } from './scan-result.ts';
import type { Vote } from './vote.ts';

const textMethods = new Set(
  'lower upper casefold split rsplit splitlines strip lstrip rstrip startswith endswith replace title encode decode translate isalpha isdigit isupper islower find partition'.split(
    ' ',
  ),
);
const mappingMethods = new Set(['items', 'keys', 'values', 'get']);
const arrayMembers = new Set(['shape', 'ndim', 'T', 'dot', 'reshape', 'astype', 'dtype', 'tolist']);
const textCallee =
  /(^|[._])(tokeni[sz]e\w*|clean\w*|normali[sz]e_text|preprocess_text|stem\w*|words|ngrams|bag_of_words)$/i;

/** What the code does with a parameter says what it is. `where` begins the evidence sentences. */
export function useVotes(uses: ParamUses, name: string, where: string): Vote[] {
  const votes: Vote[] = [];
  const say = (vote: Omit<Vote, 'why'>, what: string) => votes.push({ ...vote, why: `${where} ${what}` });
  itemVotes(uses, (element, weight, what) => say({ element, call: 'single', weight }, what.replace('@', name)));
  const array = uses.methods?.find((method) => arrayMembers.has(method));
  if (array !== undefined) say({ element: 'vector', call: 'batch', weight: 1.5 }, `uses .${array} of ${name}`);
  if (has(uses, 'table')) say({ element: 'vector', call: 'batch', weight: 2 }, `takes ${name} as rows and columns`);
  if (has(uses, 'made a table'))
    say({ element: 'vector', call: 'single', weight: 2 }, `makes a table of one row of ${name}`);
  // A vector can be multiplied with a matrix as well as a table of them.
  if (has(uses, 'multiplied')) say({ element: 'vector', weight: 2 }, `multiplies ${name} as a vector or matrix`);
  const element = uses.element;
  if (element === undefined) return votes;
  itemVotes(element, (kind, weight, what) => {
    const isWholeVector = kind === 'number';
    const described = what.replace('@', `the elements of ${name}`);
    say({ element: isWholeVector ? 'vector' : kind, call: isWholeVector ? 'single' : 'batch', weight }, described);
  });
  const inner = element.element;
  if (inner === undefined) return votes;
  const numeric = has(inner, 'number');
  const what = numeric ? 'calculates with the elements of each element of' : 'goes through each element of';
  say({ element: 'vector', call: 'batch', weight: numeric ? 2 : 0.7 }, `${what} ${name}`);
  return votes;
}

/** Votes on a value that is used as one item. */
function itemVotes(
  uses: ParamUses,
  say: (element: NonNullable<Vote['element']>, weight: number, what: string) => void,
) {
  const keys = [...(uses.keys ?? []), ...(uses.optionalKeys ?? [])];
  if (keys.length > 0)
    say(
      'row',
      2.5,
      `reads ${keys
        .slice(0, 4)
        .map((key) => `"${key}"`)
        .join(', ')} from @`,
    );
  else if (uses.methods?.some((method) => mappingMethods.has(method))) say('row', 2.5, `uses @ as a mapping`);
  const textual = uses.methods?.find((method) => textMethods.has(method));
  if (textual !== undefined) say('text', 2.5, `calls .${textual}() on @`);
  else if (has(uses, 'text')) say('text', 2.5, 'searches @ with a regular expression');
  else if (uses.passedTo?.some(({ to }) => textCallee.test(to))) say('text', 1.5, 'splits @ into words');
  else if (has(uses, 'contains text')) say('text', 0.8, 'looks for a text in @');
  if (has(uses, 'numbers')) say('vector', 1.5, 'adds or compares the numbers in @');
  if (uses.marks?.some((mark) => /^unpacked([3-9]|\d\d)$/.test(mark)))
    say('vector', 1.5, 'unpacks @ into several parts');
  if (has(uses, 'number') && uses.element === undefined) say('number', 2, 'calculates with @');
}

function has(uses: ParamUses, mark: string): boolean {
  return uses.marks?.includes(mark) === true;
}
