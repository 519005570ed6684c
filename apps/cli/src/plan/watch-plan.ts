import type { Client } from '@assay/client';
import type { Plan, PlanStreamEvent } from '@assay/contracts';
import { errorCode, errorText } from '@assay/foundation';
import { planOf, reducePlan, type PlanState } from '@assay/plan-graph';
import { exitCodes } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { openLiveView, type LiveView } from './live-view.ts';

const MAX_RESUMES = 3;

/**
 * Shows a plan until it has ended, or waits for an answer, and gives its last state. Rejects with the plan's problem, such as `disk_full`, when
 * the daemon had to stop it. The first Ctrl-C cancels the plan and waits for its end,
 * the second leaves at once.
 */
export async function watchPlan(session: Session, client: Client, planId: string): Promise<Plan> {
  using view = openLiveView(session);
  using _interrupt = session.io.onInterrupt(onInterrupt({ session, client, planId, view }));
  const follower = new PlanFollower(client, planId, view);
  for await (const item of client.followPlan(planId)) {
    switch (item.kind) {
      case 'event':
        await follower.take(item.event);
        break;
      case 'caught_up':
        await follower.live();
        break;
      case 'reset':
        follower.reset();
        break;
      case 'end':
        break;
    }
    if (follower.waitsForAnswer) break;
  }
  const { plan } = await client.getPlan({ plan: planId });
  view.show(plan);
  return plan;
}

/** Folds the plan's events with the same code as the daemon. */
class PlanFollower {
  readonly #client: Client;
  readonly #planId: string;
  readonly #view: LiveView;
  #state: PlanState | undefined;
  #live = false;
  #resumes = 0;
  /** Why the plan was interrupted last. */
  #reason = '';

  constructor(client: Client, planId: string, view: LiveView) {
    this.#client = client;
    this.#planId = planId;
    this.#view = view;
  }

  /** All that was written is known, and the plan has a question that nobody has answered. */
  get waitsForAnswer(): boolean {
    const head = this.#state?.head;
    return (
      this.#live && head?.status === 'pending' && head.clarification !== null && head.clarification.answer === null
    );
  }

  async take(event: PlanStreamEvent): Promise<void> {
    this.#state = reducePlan(this.#state, event);
    if (this.#live && this.#state !== undefined) this.#view.show(planOf(this.#state));
    // Which packages come from which hosts is said before they come.
    if (this.#live && event.type === 'plan.task_log' && event.scope.task === 'install_dependencies')
      this.#view.note(`  ${event.data.message}`);
    if (event.type !== 'plan.interrupted') return;
    this.#reason = event.data.reason;
    if (this.#live) await this.#goOn();
  }

  /** Who watches a plan wants it to go on after a restart of the daemon, unless somebody has decided otherwise. */
  async #goOn(): Promise<void> {
    if (this.#resumes++ >= MAX_RESUMES) return;
    try {
      await this.#client.resumePlan({ plan: this.#planId });
    } catch (error) {
      if (errorCode(error) !== 'plan_not_runnable') throw error;
      this.#view.note(`the plan was interrupted: ${this.#reason}`);
      return;
    }
    this.#view.note(`the plan was interrupted (${this.#reason}) and goes on`);
  }

  /** Everything that was written before is known now. */
  async live(): Promise<void> {
    this.#live = true;
    if (this.#state === undefined) return;
    this.#view.show(planOf(this.#state));
    if (this.#state.head.interrupted) await this.#goOn();
  }

  reset(): void {
    this.#state = undefined;
  }
}

interface InterruptContext {
  readonly session: Session;
  readonly client: Client;
  readonly planId: string;
  readonly view: LiveView;
}

function onInterrupt({ session, client, planId, view }: InterruptContext): () => void {
  let presses = 0;
  return () => {
    presses += 1;
    if (presses > 1) {
      view[Symbol.dispose]();
      session.io.exit(exitCodes.canceled);
      return;
    }
    view.note('canceling the plan; press Ctrl-C again to leave at once');
    client
      .cancelPlan({ plan: planId, body: { reason: 'canceled at the terminal' } })
      .catch((error: unknown) => view.note(`the plan could not be canceled: ${errorText(error)}`));
  };
}
