import type { Requirement } from '../requirements.ts';

export const planRequirements = {
  'plan.valid': {
    says: 'A plan is refused with every reason: doubled ids, missing ends, a named cycle, an artifact without exactly one producer above it, an unknown role or type, a tool beyond the role, a limit passed.',
    source: 'spec: plans, validation',
  },
  'plan.edges': {
    says: 'Control edges follow dependencies, data edges lead from the producer of each required artifact.',
    source: 'spec: plans, data model',
  },
  'plan.fold': {
    says: 'A plan folded from its log is the living plan, from every prefix of the log and from every stored record.',
    source: 'spec: plans, the core is pure',
  },
  'plan.linear': {
    says: 'A plan of 10,000 tasks costs about ten times one of 1,000, as a chain and as a fan.',
    source: 'spec: quality, benchmarks',
  },
  'plan.rule-ready': {
    says: 'A task becomes ready when all its dependencies are completed or skipped and every required artifact exists, and not before.',
    source: 'spec: plans, rule 1',
  },
  'plan.rule-concurrency': {
    says: 'No more tasks of a plan run at once than allowed, those with higher priority first, then the older ones.',
    source: 'spec: plans, rule 2',
  },
  'plan.rule-serial-alone': {
    says: 'A ready task that is not parallelizable waits for the running ones to drain and then runs alone.',
    source: 'spec: plans, rule 2',
  },
  'plan.rule-machine-pool': {
    says: 'Running tasks of all plans share the CPUs and memory of the machine in turn, and who waits can be told why.',
    source: 'spec: architecture, machine-wide resources',
  },
  'plan.rule-lease': {
    says: 'A start takes a lease of a new execution, the next epoch, an owner and an end, and counts as a run and an attempt.',
    source: 'spec: plans, rule 3',
  },
  'plan.rule-late-result-discarded': {
    says: 'A result without the current lease is recorded as discarded and changes nothing.',
    source: 'spec: plans, rule 4; field case B12',
  },
  'plan.rule-declared-artifacts': {
    says: 'A success without a declared artifact is a failure that names it, and so is an artifact that was not declared.',
    source: 'spec: plans, rule 5',
  },
  'plan.rule-retry': {
    says: 'A failed task runs again while its run count is within its retry limit; then it has failed.',
    source: 'spec: plans, rule 6',
  },
  'plan.rule-block': {
    says: 'Every transitive dependent of a failed task that has not run is blocked with the id of that task.',
    source: 'spec: plans, rule 6',
  },
  'plan.rule-timeout': {
    says: 'A task whose lease has run out has failed, its executor is stopped and its late result is not taken.',
    source: 'spec: plans, rule 6; field case B11',
  },
  'plan.rule-budget': {
    says: 'Attempts, active running time, tokens and cost are bounded; exceeding one cancels the plan and names it.',
    source: 'spec: plans, rule 7',
  },
  'plan.cancel-after-publication': {
    says: 'A cancel or a reassignment waits, 10 s at most, until what a task is publishing is recorded: no record stays behind without its event.',
    source: 'spec: plans, rule 8; events and recovery',
  },
  'plan.rule-cancel': {
    says: 'A plan can be canceled in every state in which it has not ended; its executors are stopped within 5 s.',
    source: 'spec: plans, rule 8; field case E13',
  },
  'plan.rule-person-retry': {
    says: 'A retry resets the task, its stopped ancestors and the blocked or canceled tasks behind them; what is completed stays.',
    source: 'spec: plans, rule 9; field case B1',
  },
  'plan.rule-reassign': {
    says: 'A task that is given to another role loses its lease at once.',
    source: 'spec: plans, rule 9',
  },
  'plan.rule-deadlock': {
    says: 'A plan in which nothing can go on fails with deadlock_or_unsatisfied_dependencies and the list of what is missing.',
    source: 'spec: plans, rule 10',
  },
  'plan.rule-wake-ups': {
    says: 'A plan is woken by results, commands, freed resources and one timer; nothing is polled.',
    source: 'spec: plans, rule 11',
  },
  'plan.rule-restart': {
    says: 'After a restart a running plan is pending and interrupted; living executions stay bound, others are pending again, and nothing completed runs twice.',
    source: 'spec: plans, rule 12; field cases B1, B7, C10',
  },
  'plan.approval': {
    says: 'A plan with an open question or without its approval does not start, and says what it waits for.',
    source: 'spec: plans, clarification and approval',
  },
  'plan.record-before-effect': {
    says: 'A task is started only after its record is on disk, and a result is one append with all that follows from it.',
    source: 'spec: formats, durable classes',
  },
  'plan.journal-failure': {
    says: 'When the journal cannot be written the plan stops visibly, its executors are stopped, and it can be resumed later.',
    source: 'spec: formats, damage',
  },
  'plan.problem-told': {
    says: 'Whoever follows a plan is told at once, with the error, that its journal cannot be written.',
    source: 'spec: formats, damage',
  },
  'plan.shutdown': {
    says: 'Stopping the daemon fails no task: executors are told to let go and their results can be taken after the next start.',
    source: 'spec: plans, rule 12',
  },
  'plan.task-log': {
    says: 'Log lines are cut at 4 KiB and bounded in rate, and what was left out is said.',
    source: 'spec: formats, task_log',
  },
  'plan.why': {
    says: 'Every state of a plan and of a task is explained in one sentence.',
    source: 'spec: beyond, why',
  },
} as const satisfies Record<string, Requirement>;
