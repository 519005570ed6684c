import type { Plan } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../../command-spec.ts';
import { connect } from '../../daemon/connect.ts';
import { approvalText } from '../../plan/approval-text.ts';
import { clarificationText } from '../../plan/clarify.ts';
import { errorLines } from '../../render/error-lines.ts';
import { safeText } from '../../render/safe-text.ts';
import { taskTable, type TaskTableOptions } from '../../render/task-table.ts';
import type { Session } from '../../session.ts';

export const planShowCommand: AddCommand = (program, session) => {
  jsonOption(program.command('show'))
    .description('show one plan with its tasks')
    .argument('<plan>', 'the id of a plan')
    .addHelpText('after', examples(['assay plan show plan_01JD…', 'assay plan show plan_01JD… --json']))
    .action(async (id: string) => {
      const client = await connect(session);
      answerPlan(session, (await client.getPlan({ plan: id })).plan);
    });
};

/** Answers with one plan, as all commands do that change one. */
export function answerPlan(session: Session, plan: Plan): void {
  const { columns = 100 } = session.io.stdout;
  session.answer({ plan }, () => planText(plan, { colours: session.colours('stdout'), now: Date.now(), columns }));
}

/** `stopped` is a plan in progress of which nothing goes on. */
export function planState({ status, problem, interrupted }: Pick<Plan, 'status' | 'problem' | 'interrupted'>): string {
  if (problem !== undefined) return 'stopped';
  return status === 'pending' && interrupted ? 'interrupted' : status.replaceAll('_', ' ');
}

/** Nothing but a person makes an interrupted plan go on. */
function interruptedText({ id, tasks }: Plan): string {
  const bound = tasks.filter(({ status }) => status === 'in_progress');
  const kept =
    bound.length === 0 ? '' : `; ${bound.map(({ name }) => safeText(name)).join(', ')} went on and will be taken over`;
  return `the daemon was stopped while this plan ran: it waits to be resumed${kept}\n  do:  assay plan start ${id}\n`;
}

export function planText(plan: Plan, options: TaskTableOptions): string {
  const { id, questId, userIntent, counts, clarification, error, approval, problem } = plan;
  const setup = [
    ['prepare_runtime', 'runtime'],
    ['install_dependencies', 'packages'],
  ].flatMap(([id, title]) => {
    const summary = plan.tasks.find((task) => task.id === id)?.summary;
    return typeof summary === 'string' ? [`${title}  ${safeText(summary)}\n`] : [];
  });
  const head = [
    `plan    ${safeText(id)}  ${planState(plan)}, ${counts.completed} of ${counts.total} tasks done`,
    `quest   ${safeText(questId)}`,
    `intent  ${safeText(userIntent)}`,
    '',
  ].join('\n');
  const parts = [`${head}\n${taskTable(plan, options)}`];
  if (setup.length > 0) parts.push(setup.join(''));
  for (const task of plan.tasks)
    if (task.error !== null) parts.push(`${safeText(task.id)}\n${errorLines(task.error, options.colours)}`);
  if (problem !== undefined) parts.push(`${errorLines(problem, options.colours)}  next: assay plan start ${id}\n`);
  if (plan.status === 'pending' && plan.interrupted) parts.push(interruptedText(plan));
  if (error !== null) parts.push(errorLines(error, options.colours));
  if (clarification !== null && clarification.answer === null)
    parts.push(
      `${clarificationText(clarification.question, clarification.options)}\n  do:  assay plan clarify ${id} <answer>\n`,
    );
  if (approval.status === 'pending') parts.push(approvalText(plan, options.colours));
  return parts.join('\n');
}
