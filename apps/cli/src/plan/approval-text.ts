import type { ApprovalProposal, Budget, Plan } from '@assay/contracts';
import { safeText } from '../render/safe-text.ts';
import type { Colours } from '../render/style.ts';

const GIB = 1024 ** 3;

/** What somebody should know before approving a plan, and how to approve it with another budget. */
export function approvalText({ id, approval, budget }: Plan, colours: Colours): string {
  const { reason, proposal } = approval;
  return [
    `waits for approval${reason === null ? '' : `: ${safeText(reason)}`}`,
    ...(proposal === undefined ? [] : [`  machine  ${machineText(proposal, colours)}`]),
    `  budget   ${budgetText(budget)}`,
    ...(proposal === undefined ? [] : ['  cost     unknown: no model is asked, and no price is made up']),
    `  do:  assay plan approve ${safeText(id)} [--attempts N] [--hours H] [--disk GIB]`,
    '',
  ].join('\n');
}

function machineText({ probe, lacking }: ApprovalProposal, colours: Colours): string {
  const shown = {
    cpus: (value: number) => `${value} CPUs`,
    memory: (value: number) => `${gib(value)} GiB of memory`,
    disk: (value: number) => `${gib(value)} GiB of free disk`,
    gpus: (value: number) => `${value} GPUs`,
  };
  const kinds = ['cpus', 'memory', 'disk', 'gpus'] as const;
  const parts = kinds.map((kind) => {
    const { needs, found } = probe[kind];
    const few = lacking.includes(kind) ? colours.red(` (a full run needs ${shown[kind](needs)})`) : '';
    return `${shown[kind](found)}${few}`;
  });
  return parts.join(', ');
}

function budgetText({ maxTaskAttempts, maxDurationSeconds, maxDiskBytes }: Budget): string {
  const hours = Number((maxDurationSeconds / 3600).toFixed(2));
  const disk = maxDiskBytes === undefined ? '' : `, ${gib(maxDiskBytes)} GiB of disk for each session`;
  return `${maxTaskAttempts} task attempts, ${hours} h of running${disk}`;
}

function gib(bytes: number): string {
  return String(Number((bytes / GIB).toFixed(1)));
}
