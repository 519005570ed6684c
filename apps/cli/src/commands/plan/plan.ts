import type { AddCommand } from '../../command-spec.ts';
import { planCompareCommand } from './compare.ts';
import { planApproveCommand, planCancelCommand, planClarifyCommand } from './decisions.ts';
import { planListCommand } from './list.ts';
import { planShowCommand } from './show.ts';
import { planStartCommand } from './start.ts';
import { planReassignCommand, planRetryCommand } from './tasks.ts';

export const planCommand: AddCommand = (program, session) => {
  const plan = program.command('plan').description('list, show and steer plans').helpCommand(false);
  for (const add of [
    planListCommand,
    planShowCommand,
    planStartCommand,
    planApproveCommand,
    planClarifyCommand,
    planRetryCommand,
    planReassignCommand,
    planCancelCommand,
    planCompareCommand,
  ])
    add(plan, session);
};
