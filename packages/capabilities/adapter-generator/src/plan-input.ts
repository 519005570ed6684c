import { asInput, inputsOf, isNumeric, matchColumn, textColumn, type Column } from './column-matching.ts';
import type { CallStyle, DatasetShape, InputColumn, InputShape } from './candidate.ts';
import type { ParamReading } from './infer-shape.ts';
import type { ParamFacts } from './scan-result.ts';
import { tally, type ElementKind, type Vote } from './vote.ts';

export interface InputPlan {
  readonly input: InputShape;
  readonly call: CallStyle;
  readonly columns: readonly InputColumn[];
  /** 0 … 1 each. */
  readonly elementCertainty: number;
  readonly callCertainty: number;
  readonly notes: readonly string[];
  readonly evidence: readonly string[];
}

export type InputResult = InputPlan | { readonly reason: string };

/** What the one parameter of an entry point is and which columns it gets. */
export function planInput(
  param: ParamFacts,
  reading: ParamReading,
  options: { readonly votes: readonly Vote[]; readonly dataset: DatasetShape; readonly needsTraining: boolean },
): InputResult {
  if (reading.unsupported !== undefined)
    return { reason: `its parameter "${param.name}" takes ${reading.unsupported}` };
  const columns = inputsOf(options.dataset);
  const votes = [...options.votes, ...dataVotes(columns)];
  const element = tally(votes, (vote) => vote.element);
  const call = tally(votes, (vote) => vote.call);
  const isFounded = options.votes.some((vote) => vote.element !== undefined);
  if (element === undefined || !isFounded)
    return { reason: `what "${param.name}" takes cannot be told from its name, annotation or use` };
  if (call === undefined) return { reason: `whether "${param.name}" is one item or a list of them cannot be told` };
  const fitted = fitColumns(element.winner, { param, reading, columns, needsTraining: options.needsTraining });
  if ('reason' in fitted) return fitted;
  return {
    ...fitted,
    call: call.winner,
    elementCertainty: element.certainty,
    callCertainty: call.certainty,
    evidence: options.votes
      .filter((vote) => vote.element === element.winner || vote.call === call.winner)
      .sort((a, b) => b.weight - a.weight)
      .map((vote) => vote.why)
      .filter((why, at, all) => all.indexOf(why) === at)
      .slice(0, 5),
  };
}

/** What the data could feed, as a weak hint. */
function dataVotes(columns: readonly Column[]): Vote[] {
  const why = 'the data has this kind of columns';
  const isNumbers = columns.length > 0 && columns.every(isNumeric);
  if (isNumbers) return [{ element: 'vector', weight: 0.4, why }];
  const only = columns.length === 1 && columns[0]?.type === 'text';
  return [{ element: only ? 'text' : 'row', weight: 0.4, why }];
}

type Fitted = Pick<InputPlan, 'input' | 'columns' | 'notes'> | { readonly reason: string };

interface Fitting {
  readonly param: ParamFacts;
  readonly reading: ParamReading;
  readonly columns: readonly Column[];
  readonly needsTraining: boolean;
}

function fitColumns(element: ElementKind, fitting: Fitting): Fitted {
  if (element === 'text') return fitText(fitting);
  if (element === 'row') return fitRow(fitting);
  return element === 'vector' ? fitVector(fitting) : fitNumber(fitting);
}

function fitText({ columns, param }: Fitting): Fitted {
  const column =
    matchColumn(
      param.name,
      columns.filter((found) => found.type === 'text'),
    ) ?? textColumn(columns);
  if (column === undefined) {
    const texts = columns.filter((found) => found.type === 'text').map((found) => found.name);
    const why =
      texts.length === 0 ? 'no input column holds texts' : `${texts.length} columns hold texts: ${texts.join(', ')}`;
    return { reason: `it takes a text, and ${why}` };
  }
  const notes = ['a missing text is handed over as an empty one', ...unusedNote(columns, [column])];
  return { input: 'text', columns: [asInput(column)], notes };
}

function fitRow({ columns, reading }: Fitting): Fitted {
  const names = new Map<string, string>();
  const missing: string[] = [];
  for (const key of reading.keys) {
    const column = matchColumn(key, columns);
    if (column === undefined) missing.push(key);
    else names.set(column.name, key);
  }
  if (missing.length > 0)
    return {
      reason: `it reads ${missing
        .slice(0, 6)
        .map((key) => `"${key}"`)
        .join(', ')} of each row, and no input column is named so`,
    };
  const optional = reading.optionalKeys.filter((key) => !reading.keys.includes(key));
  const found = optional.filter((key) => {
    const column = matchColumn(key, columns);
    if (column !== undefined && !names.has(column.name)) names.set(column.name, key);
    return column !== undefined;
  });
  if (reading.keys.length === 0 && optional.length > 0 && found.length === 0)
    return { reason: `it asks each row for ${optional.slice(0, 6).join(', ')}, and no input column is named so` };
  const renamed = [...names].filter(([column, key]) => column !== key).map(([column, key]) => `${column} as "${key}"`);
  return {
    input: 'row_dict',
    columns: columns.map((column) => asInput(column, names.get(column.name) ?? column.name)),
    notes:
      renamed.length === 0
        ? []
        : [`columns are handed over under the names that the code reads: ${renamed.join(', ')}`],
  };
}

function fitVector({ columns, reading, needsTraining }: Fitting): Fitted {
  const numeric = columns.filter(isNumeric);
  if (numeric.length === 0) return { reason: 'it takes a list of numbers, and no input column holds numbers' };
  if (reading.parts !== undefined && reading.parts > 2 && reading.parts !== numeric.length)
    return { reason: `it unpacks ${reading.parts} numbers, and ${numeric.length} input columns hold numbers` };
  const order = `the list holds the numbers of ${numeric.map((column) => column.name).join(', ')}, in this order`;
  const filling = needsTraining
    ? 'a missing number is replaced by the mean of its column over the training rows'
    : 'a missing number ends the run, because nothing says what it should be';
  return {
    input: 'feature_vector',
    columns: numeric.map((column) => asInput(column)),
    notes: [order, filling, ...unusedNote(columns, numeric)],
  };
}

function fitNumber({ columns, param }: Fitting): Fitted {
  const numeric = columns.filter(isNumeric);
  const column = matchColumn(param.name, numeric) ?? (numeric.length === 1 ? numeric[0] : undefined);
  if (column === undefined) return { reason: `it takes one number, and ${numeric.length} input columns hold numbers` };
  return { input: 'arguments', columns: [asInput(column, param.name)], notes: unusedNote(columns, [column]) };
}

/** One argument per column: every required parameter is named like an input column. */
export function planArguments(params: readonly ParamFacts[], dataset: DatasetShape): InputResult {
  const columns = inputsOf(dataset);
  const found: InputColumn[] = [];
  const unknown: string[] = [];
  for (const param of params) {
    const column = matchColumn(param.name, columns);
    if (column === undefined) unknown.push(param.name);
    else found.push(asInput(column, param.name));
  }
  if (unknown.length > 0)
    return { reason: `it needs ${unknown.join(', ')}, which ${unknown.length === 1 ? 'is' : 'are'} no input column` };
  const used = columns.filter((column) => found.some((input) => input.column === column.name));
  if (used.length < found.length) return { reason: 'two of its parameters mean the same column' };
  return {
    input: 'arguments',
    call: 'single',
    columns: found,
    elementCertainty: 1,
    callCertainty: 1,
    notes: unusedNote(columns, used),
    evidence: [],
  };
}

function unusedNote(columns: readonly Column[], used: readonly Column[]): string[] {
  const unused = columns.filter((column) => !used.includes(column)).map((column) => column.name);
  return unused.length === 0 ? [] : [`not used: ${unused.join(', ')}`];
}
