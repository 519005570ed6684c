import type { Artifact, AssayEvent, FormalRun } from '@assay/contracts';

export interface FormalRuns {
  readonly runs: readonly FormalRun[];
  /** Where the protocol was published first; null when nothing in the journal did. */
  readonly registeredSeq: number | null;
  readonly firstRunSeq: number | null;
}

interface Run {
  readonly plan: string;
  readonly attempt: number;
  readonly executionId: string;
  /** The registration that the plan had when the run began. */
  readonly registration: string | undefined;
  readonly seq: number;
  outcome: FormalRun['outcome'];
  code: string | null;
}

const RUN = 'benchmark_execute';
const VALIDATE = 'benchmark_validate';

/**
 * Every formal run under a protocol, from the journal: also those of other plans, those that failed, and those whose
 * result did not stand up to validation. Reads events up to the one that `until` accepts.
 */
export async function formalRuns(
  events: AsyncIterable<AssayEvent>,
  sha256: string,
  context: {
    readonly readArtifact: (id: string) => Promise<Artifact | undefined>;
    readonly until?: (event: AssayEvent) => boolean;
  },
): Promise<FormalRuns> {
  const history = new RunHistory();
  for await (const event of events) {
    if (context.until?.(event) === true) break;
    history.add(event);
  }
  const follows = async (id: string | undefined) => {
    const value = id === undefined ? undefined : (await context.readArtifact(id))?.value;
    return (value as { readonly sha256?: unknown } | undefined)?.sha256 === sha256;
  };
  const runs: Run[] = [];
  for (const run of history.runs) if (await follows(run.registration)) runs.push(run);
  let registeredSeq: number | null = null;
  for (const { id, seq } of history.registrations)
    if (registeredSeq === null && (await follows(id))) registeredSeq = seq;
  return {
    runs: runs.map(({ plan, attempt, outcome, code }) => ({ plan, attempt, outcome, code })),
    registeredSeq,
    firstRunSeq: runs[0]?.seq ?? null,
  };
}

/** Number of pairs that could be compared when there were that many runs; at least one. */
export function familyOf(runs: number): number {
  return Math.max(1, (runs * (runs - 1)) / 2);
}

class RunHistory {
  readonly runs: Run[] = [];
  readonly registrations: { readonly id: string; readonly seq: number }[] = [];
  readonly #registrationOf = new Map<string, string>();

  add(event: AssayEvent): void {
    const { plan = '', task } = event.scope;
    switch (event.type) {
      case 'artifact.published':
        if (event.data.key === 'preregistration' || event.data.key === 'protocol')
          this.registrations.push({ id: event.data.artifactId, seq: event.seq });
        return;
      case 'plan.artifact_created':
        if (event.data.key === 'preregistration') this.#registrationOf.set(plan, event.data.artifactId);
        return;
      case 'plan.task_started':
        if (task !== RUN) return;
        this.runs.push({
          plan,
          attempt: event.data.attempt,
          executionId: event.data.executionId,
          registration: this.#registrationOf.get(plan),
          seq: event.seq,
          outcome: 'unfinished',
          code: null,
        });
        return;
      case 'plan.task_completed':
        if (task === RUN) this.#end(event.data.executionId, 'completed', null);
        return;
      case 'plan.task_failed':
      case 'plan.task_retrying':
        if (task === RUN) this.#end(event.data.executionId, 'failed', event.data.error.code);
        if (task === VALIDATE) this.#refuse(plan, event.data.error.code);
        return;
      default:
        return;
    }
  }

  #end(executionId: string, outcome: FormalRun['outcome'], code: string | null): void {
    const run = this.runs.findLast((candidate) => candidate.executionId === executionId);
    if (run !== undefined) Object.assign(run, { outcome, code });
  }

  /** The run ended well, and what it left was not accepted. */
  #refuse(plan: string, code: string): void {
    const run = this.runs.findLast((candidate) => candidate.plan === plan);
    if (run !== undefined) Object.assign(run, { outcome: 'failed', code });
  }
}
