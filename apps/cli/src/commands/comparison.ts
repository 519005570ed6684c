import type { ComparisonSummary } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { connect } from '../daemon/connect.ts';
import { positiveNumber } from '../option-values.ts';
import { answerComparison } from '../plan/run-comparison.ts';
import { safeText } from '../render/safe-text.ts';
import { table } from '../render/table.ts';

interface ListOptions {
  readonly quest?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export const comparisonCommand: AddCommand = (program, session) => {
  const comparison = program
    .command('comparison')
    .description('list and show comparisons that were made')
    .helpCommand(false)
    .addHelpText('after', examples(['assay comparison list', 'assay comparison show comparison_01JD…']));
  jsonOption(comparison.command('list'))
    .description('list comparisons, newest first')
    .option('--quest <quest>', 'only those of this quest')
    .option('--limit <n>', 'at most this many (500)', positiveNumber, 50)
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .addHelpText('after', examples(['assay comparison list', 'assay comparison list --quest quest_01JD… --json']))
    .action(async (query: ListOptions) => {
      const page = await (await connect(session)).listComparisons({ query });
      session.answer(page, () => comparisonListText(page.comparisons, page.nextCursor));
    });
  jsonOption(comparison.command('show'))
    .description('show a comparison and compute its numbers again (exit 1 as after the command that made it)')
    .argument('<comparison>', 'the id of a comparison')
    .addHelpText('after', examples(['assay comparison show comparison_01JD…']))
    .action(async (id: string) => {
      answerComparison(session, await (await connect(session)).getComparison({ comparison: id }));
    });
};

export function comparisonListText(comparisons: readonly ComparisonSummary[], nextCursor: string | null): string {
  if (comparisons.length === 0) return 'no comparisons yet: name several --repo in one "assay benchmark"\n';
  const rows = comparisons.map(({ id, createdAt, dataset, candidates, notCompared, conclusion }) => [
    id,
    createdAt,
    safeText(dataset),
    [...candidates, ...notCompared].map(({ name }) => safeText(name)).join(', '),
    safeText(conclusion),
  ]);
  const columns = ['comparison', 'made', 'data', 'candidates', 'conclusion'].map((title) => ({ title }));
  const more = nextCursor === null ? '' : `more: assay comparison list --cursor ${safeText(nextCursor)}\n`;
  return table(columns, rows) + more;
}
