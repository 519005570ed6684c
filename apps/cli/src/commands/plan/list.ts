import type { Plan } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../../command-spec.ts';
import { connect } from '../../daemon/connect.ts';
import { numberFrom } from '../../option-values.ts';
import { safeText } from '../../render/safe-text.ts';
import { planState } from './show.ts';
import { table } from '../../render/table.ts';

interface Options {
  readonly limit: number;
  readonly cursor?: string;
}

export const planListCommand: AddCommand = (program, session) => {
  jsonOption(program.command('list'))
    .description('list plans, newest first')
    .option('--limit <n>', 'at most this many, up to 500', numberFrom(1, 500), 50)
    .option('--cursor <cursor>', 'go on where an earlier list ended')
    .addHelpText('after', examples(['assay plan list', 'assay plan list --limit 5 --json']))
    .action(async ({ limit, cursor }: Options) => {
      const client = await connect(session);
      const page = await client.listPlans({ query: { limit, ...(cursor === undefined ? {} : { cursor }) } });
      session.answer(page, () => planListText(page.plans, page.nextCursor));
    });
};

export function planListText(plans: readonly Plan[], nextCursor: string | null): string {
  if (plans.length === 0) return 'no plans yet: "assay benchmark --help" shows how to make one\n';
  const rows = plans.map(({ id, counts, createdAt, userIntent, ...plan }) => [
    id,
    planState(plan),
    `${counts.completed}/${counts.total}`,
    createdAt,
    safeText(userIntent).slice(0, 80),
  ]);
  const columns = [
    { title: 'plan' },
    { title: 'status' },
    { title: 'tasks', align: 'right' },
    { title: 'created' },
    { title: 'intent' },
  ] as const;
  const more = nextCursor === null ? '' : `more: assay plan list --cursor ${safeText(nextCursor)}\n`;
  return table(columns, rows) + more;
}
