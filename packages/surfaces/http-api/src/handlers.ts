import type { RouteName, RouteOutput, routes } from '@assay/contracts';
import { planStreamEvent } from './followed-frames.ts';
import type { RouteCall } from './request-context.ts';

type KindOf<R extends RouteName> = (typeof routes)[R] extends { readonly kind: infer K } ? K : 'json';
/** Routes that answer with JSON; the rest answer with bytes or a stream and are served beside this table. */
export type JsonRoute = { [R in RouteName]: KindOf<R> extends 'json' | 'json-or-sse' ? R : never }[RouteName];
/** Routes that need more than the engine. */
type OwnRoute = 'health' | 'openapi' | 'shutdown' | 'createLink' | 'redeemLink';

export type Handler<R extends RouteName> = (call: RouteCall<R>) => Promise<RouteOutput<R, 'response'>>;
export type Handlers = { readonly [R in Exclude<JsonRoute, OwnRoute>]: Handler<R> };

/** One thin function per route: parsed request in, the engine's answer out. */
export const handlers: Handlers = {
  status: async ({ engine }) => engine.status(),
  doctor: ({ engine }) => engine.doctor(),
  why: ({ engine, caller, query }) => engine.why(caller, query.ref),
  getConfig: async ({ engine }) => engine.shownConfig(),

  listSecrets: async ({ engine }) => ({ secrets: [...(await engine.listSecrets())] }),
  setSecret: async ({ engine, body }) => ({ secret: await engine.setSecret(body) }),
  removeSecret: async ({ engine, params }) => ({ secret: await engine.removeSecret(params.secret) }),

  listQuests: ({ engine, query }) => engine.listQuests(query),
  createQuest: ({ engine, body }) => engine.createQuest(body),
  getQuest: ({ engine, params }) => engine.getQuest(params.quest),
  listArtifacts: ({ engine, params, query }) => engine.listArtifacts(params.quest, query),
  getArtifact: ({ engine, params }) => engine.getArtifact(params.quest, params.artifact),
  listEvidence: ({ engine, params, query }) => engine.listEvidence(params.quest, query),
  getEvidence: ({ engine, params }) => engine.getEvidence(params.quest, params.evidence),
  verifyEvidence: ({ engine, params, signal }) => engine.verifyEvidence(params.quest, params.evidence, signal),
  evidenceRows: ({ engine, params, query, signal }) => engine.evidenceRows(params, query, signal),
  evidenceResiduals: ({ engine, params, signal }) => engine.evidenceResiduals(params, signal),
  questEvents: async ({ engine, params, query }) => {
    const page = await engine.questEvents(params.quest, query);
    return { ...page, events: [...page.events] };
  },
  listSessions: async ({ engine, caller, params, query }) => ({
    sessions: await engine.listSessions(caller, params.quest, query),
  }),
  sessionLog: ({ engine, caller, params, query }) => engine.sessionLog(caller, params, query),
  searchSessionLog: ({ engine, caller, params, query, signal }) =>
    engine.searchSessionLog(caller, params, query, signal),
  verifyQuest: ({ engine, params }) => engine.verifyQuest(params.quest),

  listUploads: ({ engine, caller, query }) => engine.listUploads(caller, query),
  removeUpload: ({ engine, caller, params }) => engine.removeUpload(caller, params.upload),
  profileData: ({ engine, caller, body, signal }) => engine.profileData(caller, body, signal),

  createPlan: async ({ engine, caller, body }) => ({ plan: await engine.createPlan(caller, body) }),
  registerProtocol: ({ engine, caller, body }) => engine.registerProtocol(caller, body),
  comparePlans: ({ engine, caller, body }) => engine.comparePlans(caller, body.plans),
  listComparisons: ({ engine, caller, query }) => engine.listComparisons(caller, query),
  getComparison: ({ engine, caller, params }) => engine.getComparison(caller, params.comparison),
  listPlans: ({ engine, caller, query }) => engine.listPlans(caller, query),
  getPlan: async ({ engine, caller, params }) => ({ plan: await engine.getPlan(caller, params.plan) }),
  planEvents: async ({ engine, caller, params, query }) => {
    const page = await engine.planEvents(caller, params.plan, query);
    return { ...page, events: page.events.map(planStreamEvent).filter((event) => event !== undefined) };
  },
  executePlan: async ({ engine, caller, params }) => accepted(await engine.executePlan(caller, params.plan)),
  resumePlan: async ({ engine, caller, params }) => accepted(await engine.resumePlan(caller, params.plan)),
  approvePlan: async ({ engine, caller, params, body }) => ({
    plan: await engine.approvePlan(caller, params.plan, body.budget),
  }),
  cancelPlan: async ({ engine, caller, params, body }) => ({
    plan: await engine.cancelPlan(caller, params.plan, body.reason),
  }),
  clarifyPlan: async ({ engine, caller, params, body }) => ({
    plan: await engine.clarifyPlan(caller, params.plan, body.answer),
  }),
  planResult: ({ engine, caller, params }) => engine.planResult(caller, params.plan),
  verifyPlan: ({ engine, caller, params }) => engine.verifyPlan(caller, params.plan),
  retryTask: async ({ engine, caller, params }) => ({
    plan: await engine.retryTask(caller, params.plan, params.task),
  }),
  reassignTask: async ({ engine, caller, params, body }) => ({
    plan: await engine.reassignTask(caller, params.plan, params.task, body.assignedTo),
  }),
};

function accepted(plan: { readonly id: string; readonly status: string }): { planId: string; status: string } {
  return { planId: plan.id, status: plan.status };
}
