import {
  MOST_INPUT_COLUMNS,
  splitFactsSchema,
  type DatasetManifest,
  type Evidence,
  type EvidenceRows,
  type EvidenceRowsQuery,
  type Residuals,
} from '@assay/contracts';
import { readKnownTable } from '../data/manifest-reader.ts';
import { unreadable, withSubmissions, type JoinedSources, type MadeAgain, type RecomputeContext } from './recompute.ts';
import { residualFigure } from './residual-figure.ts';
import { selectRows } from './selected-rows.ts';

const CELL_CHARACTERS = 200;

/**
 * The rows that a number was computed from, with label, prediction and input cells, read again from the files that its
 * record names: nothing that was computed earlier is shown. When a file is not the recorded one, it says so.
 */
export async function rowsBehind(
  questRoot: string,
  evidence: Evidence,
  context: RecomputeContext & { readonly query: EvidenceRowsQuery },
): Promise<EvidenceRows> {
  const { query, ...rest } = context;
  const { values, problem, source } = await joined(questRoot, evidence, rest, (sources) =>
    pageOf(evidence, sources, query, context.signal),
  );
  const none = { task: null, total: 0, wrong: null, matched: 0, target: null, inputs: [], moreInputs: 0, rows: [] };
  return { offset: query.offset, ...(values ?? none), problem: problem ?? null, source };
}

/** Predicted and actual values behind a number of a regression. */
export async function residualsBehind(
  questRoot: string,
  evidence: Evidence,
  context: RecomputeContext,
): Promise<Residuals> {
  const { values, problem, source } = await joined(questRoot, evidence, context, async ({ rows, submissions }) => {
    const [submission] = submissions;
    return submission?.task === 'regression'
      ? residualFigure(rows, submission.targets, submission.predictions)
      : undefined;
  });
  const none = { total: 0, step: 1, points: [], histogram: { edges: [], counts: [] } };
  return { ...(values ?? none), problem: problem ?? null, source };
}

async function joined<T>(
  questRoot: string,
  evidence: Evidence,
  context: RecomputeContext,
  make: (sources: JoinedSources) => Promise<T>,
): Promise<MadeAgain<T>> {
  const split = splitFactsSchema.safeParse(evidence.recipe.parameters['split']);
  if (!split.success || evidence.recipe.inputs.length < 2) return unreadable(evidence);
  return withSubmissions(questRoot, evidence, { ...context, split: split.data }, make);
}

type Page = Omit<EvidenceRows, 'problem' | 'source'>;

async function pageOf(
  evidence: Evidence,
  { rows, submissions, manifest, dataPath }: JoinedSources,
  query: EvidenceRowsQuery,
  signal: AbortSignal | undefined,
): Promise<Page | undefined> {
  const selected = selectRows(evidence, submissions, query);
  if (selected === undefined) return undefined;
  const { task, total, wrong, places } = selected;
  const shown = places.slice(query.offset, query.offset + query.limit);
  const inputs = manifest.inputColumns.slice(0, MOST_INPUT_COLUMNS);
  const wanted = new Set(shown.map((place) => rows[place]!));
  const cells = await cellsOf(manifest, { inputs, wanted, path: dataPath, signal });
  return {
    task,
    total,
    wrong,
    matched: places.length,
    offset: query.offset,
    target: manifest.targetColumn,
    inputs,
    moreInputs: manifest.inputColumns.length - inputs.length,
    rows: shown.map((place) => {
      const row = rows[place]!;
      const { target, predictions } = selected.at(place);
      return { row, target, predictions: [...predictions], inputs: cells.get(row) ?? [] };
    }),
  };
}

interface CellsRequest {
  readonly inputs: readonly string[];
  readonly wanted: ReadonlySet<number>;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

async function cellsOf(
  manifest: DatasetManifest,
  { inputs, wanted, path, signal }: CellsRequest,
): Promise<Map<number, (string | null)[]>> {
  const found = new Map<number, (string | null)[]>();
  if (wanted.size === 0) return found;
  const positions = inputs.map((name) => manifest.columns.find((column) => column.name === name)?.position);
  await readKnownTable(
    manifest,
    (row) => {
      if (!wanted.has(row.index)) return;
      const cells = positions.map((position) => (position === undefined ? null : row.text(position)));
      found.set(row.index, cells.map(cut));
    },
    { path, signal },
  );
  return found;
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= CELL_CHARACTERS) return text;
  return `${text.slice(0, CELL_CHARACTERS)}…`;
}
