import { asInput, inputsOf, isNumeric, matchColumn, textColumn, withoutUnit, type Column } from './column-matching.ts';
import type { CallStyle, DatasetShape, InputColumn, InputShape, Way } from './candidate.ts';
import type { ParamReading } from './infer-shape.ts';
import type { ParamFacts } from './scan-result.ts';
import { tally, type ElementKind, type Tally, type Vote } from './vote.ts';

export interface InputPlan {
  /** The first is the likeliest; the preflight tries the others when it gives no answers. */
  readonly ways: readonly Way[];
  /** 0 … 1 each. */
  readonly elementCertainty: number;
  readonly callCertainty: number;
  readonly notes: readonly string[];
  readonly evidence: readonly string[];
}

export type InputResult = InputPlan | { readonly reason: string };

/** How certain it is that a way is found which only the preflight decides on. */
const TRIED = 0.75;
/** Below this the other way of calling is tried too. */
const UNSURE = 0.65;

interface Planning {
  readonly votes: readonly Vote[];
  readonly dataset: DatasetShape;
  readonly needsTraining: boolean;
}

/** What the one parameter of an entry point is and which columns it gets. */
export function planInput(param: ParamFacts, reading: ParamReading, options: Planning): InputResult {
  const columns = inputsOf(options.dataset);
  if (reading.frame !== undefined) return planFrame(reading.frame, { param, reading, columns, ...options });
  if (reading.unsupported !== undefined)
    return { reason: `its parameter "${param.name}" takes ${reading.unsupported}` };
  const votes = [...options.votes, ...dataVotes(columns)];
  const isFounded = options.votes.some((vote) => vote.element !== undefined);
  const element = isFounded ? tally(votes, (vote) => vote.element) : undefined;
  const call = tally(votes, (vote) => vote.call);
  const fitting = { param, reading, columns, needsTraining: options.needsTraining };
  const elements =
    element === undefined ? likelyElements(columns, options.needsTraining) : besides(element.winner, columns, options);
  const fitted = elements.map((kind) => fitColumns(kind, fitting));
  const usable = fitted.filter((fit) => !('reason' in fit)) as Extract<Fitted, { input: unknown }>[];
  const [first] = usable;
  if (first === undefined) return fitted[0] as { readonly reason: string };
  return {
    ways: waysOf(usable, call),
    notes: first.notes,
    elementCertainty: element?.certainty ?? TRIED,
    callCertainty: call?.certainty ?? TRIED,
    evidence: evidenceOf(options.votes, element?.winner, call?.winner),
  };
}

function waysOf(usable: readonly Extract<Fitted, { input: unknown }>[], call: Tally<CallStyle> | undefined): Way[] {
  const likely = call?.winner ?? 'single';
  const other = likely === 'single' ? 'batch' : 'single';
  const calls = call !== undefined && call.certainty >= UNSURE ? [likely] : [likely, other];
  return usable.flatMap(({ input, columns }) => calls.map((style): Way => wayOf(input, style as CallStyle, columns)));
}

/** A way with the words that the report uses. */
export function wayOf(input: InputShape, call: CallStyle, columns: readonly InputColumn[]): Way {
  return { name: `${call === 'single' ? 'one' : 'all'} as ${input.replaceAll('_', ' ')}`, input, call, columns };
}

/** One number alone is hardly a list to code that trains nothing: digits may be meant, or the number itself. */
function besides(winner: ElementKind, columns: readonly Column[], { needsTraining }: Planning): ElementKind[] {
  const isOne = !needsTraining && columns.length === 1 && columns[0]?.type === 'integer';
  return isOne && winner === 'vector' ? ['text', 'number', 'vector'] : [winner];
}

/** What an item could be when only the data can say so. */
function likelyElements(columns: readonly Column[], needsTraining: boolean): ElementKind[] {
  const [only] = columns;
  if (!needsTraining && columns.length === 1 && only !== undefined && isNumeric(only))
    return only.type === 'integer' ? ['number', 'text', 'vector', 'row'] : ['number', 'vector', 'row'];
  if (columns.length > 0 && columns.every(isNumeric)) return ['vector', 'row'];
  return textColumn(columns) !== undefined && columns.filter(isNumeric).length === 0 ? ['text', 'row'] : ['row'];
}

function evidenceOf(votes: readonly Vote[], element: string | undefined, call: string | undefined): string[] {
  return votes
    .filter((vote) => (vote.element ?? '') === element || (vote.call ?? '') === call)
    .sort((a, b) => b.weight - a.weight)
    .map((vote) => vote.why)
    .filter((why, at, all) => all.indexOf(why) === at)
    .slice(0, 5);
}

/** A table of the data-frame library: the columns under the names that the code reads. */
function planFrame(why: string, fitting: Fitting & Planning): InputResult {
  const fitted = fitRow(fitting);
  if ('reason' in fitted) return fitted;
  return {
    ways: [wayOf('frame', 'batch', fitted.columns)],
    elementCertainty: 1,
    callCertainty: 1,
    notes: fitted.notes,
    evidence: [why],
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

type Fitted =
  | {
      readonly input: InputShape;
      readonly columns: readonly InputColumn[];
      readonly notes: readonly string[];
    }
  | { readonly reason: string };

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

/** A text, or its bytes when the code says that it takes these. */
function fitText(fitting: Fitting): Fitted {
  const found = fitPlainText(fitting);
  const { bytes } = fitting.reading;
  if (bytes === undefined || 'reason' in found) return found;
  return { ...found, input: 'bytes', notes: [`${bytes}: texts are handed over in UTF-8`, ...found.notes] };
}

function fitPlainText({ columns, param }: Fitting): Fitted {
  const column =
    matchColumn(
      param.name,
      columns.filter((found) => found.type === 'text'),
    ) ??
    textColumn(columns) ??
    (columns.length === 1 ? columns[0] : undefined);
  // A number that is a name of something (a card, a book) is often asked for by its digits.
  if (column?.type === 'integer')
    return {
      input: 'text',
      columns: [asInput(column)],
      notes: [`the digits of ${column.name} are handed over as a text`],
    };
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
  if (
    reading.parts !== undefined &&
    reading.parts > 2 &&
    reading.parts === columns.length &&
    numeric.length < columns.length
  )
    return {
      input: 'values',
      columns: columns.map((column) => asInput(column)),
      notes: ['a row is a list of all its values, in the order of the columns'],
    };
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
export function planArguments(params: readonly ParamFacts[], dataset: DatasetShape, call: CallStyle): InputResult {
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
    ways: [wayOf('arguments', call, found)],
    elementCertainty: 1,
    callCertainty: 1,
    notes: [...unitNotes(found), ...unusedNote(columns, used)],
    evidence: [],
  };
}

/** A unit that only the code names may be another one than that of the data: it is said. */
function unitNotes(found: readonly InputColumn[]): string[] {
  return found
    .filter(({ column, as }) => column === withoutUnit(as))
    .map(({ column, as }) => `${column} is taken to be in the unit of the parameter ${as}`);
}

/** `predict(*values)` and `predict(**row)`. */
export function planRest(param: ParamFacts, dataset: DatasetShape): InputResult {
  const columns = inputsOf(dataset);
  const isMapping = param.kind === 'keywords';
  const numeric = columns.filter(isNumeric);
  const used = isMapping || numeric.length === 0 ? columns : numeric;
  const order = `the values of ${used.map((column) => column.name).join(', ')} are handed over in this order`;
  return {
    ways: [
      wayOf(
        isMapping ? 'arguments' : 'positional',
        'single',
        used.map((column) => asInput(column)),
      ),
    ],
    elementCertainty: TRIED,
    callCertainty: 1,
    notes: [...(isMapping ? [] : [order]), ...unusedNote(columns, used)],
    evidence: [],
  };
}

function unusedNote(columns: readonly Column[], used: readonly Column[]): string[] {
  const unused = columns.filter((column) => !used.includes(column)).map((column) => column.name);
  return unused.length === 0 ? [] : [`not used: ${unused.join(', ')}`];
}
