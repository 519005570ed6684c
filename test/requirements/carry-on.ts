import type { Requirement } from '../requirements.ts';

export const carryOnRequirements = {
  'cli.daemon-killed': {
    says: 'A command whose daemon is killed starts it again within seconds and goes on; a plan that the command started is resumed.',
    source: 'spec: plans, scheduler rule 12',
  },
  'cli.start-completed': {
    says: 'Starting a plan that is completed already says so, shows its result and ends with exit code 0.',
    source: 'spec: surfaces, command line',
  },
  'engine.problem-shown': {
    says: 'A plan in progress that was stopped, such as by a full disk, is answered and listed with its problem, and followers of its quest are told.',
    source: 'spec: plans, scheduler',
  },
  'engine.why-once': {
    says: 'The sentence that explains a state names the state once and counts in words that agree.',
    source: 'spec: surfaces, text for people',
  },
  'report.check-command': {
    says: 'The command that a report gives to check it works as printed, in a clone and for the home in question.',
    source: 'spec: plans, report',
  },
  'evaluation.look-alike-labels': {
    says: 'Labels that differ only in blanks, case, width, composition or one letter, and booleans in another spelling, are noted in profile, question and report, never merged silently.',
    source: 'spec: plans, trust boundary',
  },
  'evaluation.number-texts': {
    says: 'Money, percentages and infinite values in a target are recognised; why they are classes, or refused, and what to do is said.',
    source: 'spec: plans, trust boundary',
  },
  'fsck.unclaimed': {
    says: 'fsck notes a file among the artifacts that no record speaks of, and a rendered report whose words were edited.',
    source: 'spec: quality, fsck',
  },
  'plans.full-approval': {
    says: 'A full run waits for approval with its reason, what the machine has against what it needs, and a proposed budget that can be changed on approval; no cost in money is made up.',
    source: 'spec: plans, from text to plan 5',
  },
  'plans.reuse-refused': {
    says: 'A plan that asks to reuse results is refused, because nothing would be reused.',
    source: 'spec: plans, scheduler rule 13',
  },
  'daemon.starts-leave-nothing': {
    says: 'Starting, stopping and killing daemons of one home in a row leaves no process, mount, control group, socket, lock or temporary file.',
    source: 'spec: quality, leaks',
  },
} as const satisfies Record<string, Requirement>;
