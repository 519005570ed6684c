import type { EngineDeps } from './deps.ts';
import type { Engine } from './engine.ts';
import { artifactContent, getArtifact, listArtifacts } from './use-cases/artifacts.ts';
import { clarifyPlan } from './use-cases/clarify-plan.ts';
import { comparePlans } from './use-cases/compare-plans.ts';
import { getComparison, listComparisons } from './use-cases/comparisons.ts';
import { createPlan } from './use-cases/create-plan.ts';
import { createQuest } from './use-cases/create-quest.ts';
import { doctor } from './use-cases/doctor.ts';
import { evidenceResiduals, evidenceRows } from './use-cases/evidence-rows.ts';
import { followPlans } from './use-cases/follow-plans.ts';
import { getEvidence, listEvidence, recomputeEvidence, recomputeQuest } from './use-cases/evidence.ts';
import { getQuest } from './use-cases/get-quest.ts';
import { status } from './use-cases/status.ts';
import { listPlans } from './use-cases/list-plans.ts';
import { listQuests } from './use-cases/list-quests.ts';
import { ownedPlan } from './use-cases/owned-plan.ts';
import {
  approvePlan,
  cancelPlan,
  executePlan,
  reassignTask,
  resumePlan,
  retryTask,
} from './use-cases/plan-commands.ts';
import { followPlan, planEvents } from './use-cases/plan-events.ts';
import { planResult } from './use-cases/plan-result.ts';
import { followQuest, questEvents } from './use-cases/quest-events.ts';
import { profileData } from './use-cases/profile-data.ts';
import { registerProtocol } from './use-cases/register-protocol.ts';
import {
  followSession,
  listSessions,
  requireSession,
  searchSessionLog,
  sessionLog,
  sessionLogFile,
} from './use-cases/sessions.ts';
import { shownPlan } from './use-cases/shown-plan.ts';
import { createUpload, listUploads, removeUpload, uploadContent } from './use-cases/uploads.ts';
import { why } from './use-cases/why.ts';

/** Binds the use cases to what they use. Nothing is decided here. */
export function createEngine(deps: EngineDeps): Engine {
  return {
    status: () => status(deps),
    doctor: () => doctor(deps),
    why: (caller, ref) => why(deps, caller, ref),
    shownConfig: () => deps.shownConfig,
    listSecrets: () => deps.secrets.list(),
    setSecret: (input) => deps.secrets.set(input),
    removeSecret: (name) => deps.secrets.remove(name),
    createQuest: (input) => createQuest(deps, input),
    listQuests: (page) => listQuests(deps, page),
    getQuest: (questId) => getQuest(deps, questId),
    listArtifacts: (questId, page) => listArtifacts(deps, questId, page),
    getArtifact: (questId, artifactId) => getArtifact(deps, questId, artifactId),
    artifactContent: (questId, artifactId) => artifactContent(deps, questId, artifactId),
    listSessions: (caller, questId, of) => listSessions(deps, caller, questId, of),
    requireSession: (caller, sessionId) => requireSession(deps, caller, sessionId),
    sessionLog: (caller, at, query) => sessionLog(deps, caller, at, query),
    searchSessionLog: (caller, at, query, signal) => searchSessionLog(deps, caller, { ...at, ...query }, signal),
    sessionLogFile: (caller, at, stream) => sessionLogFile(deps, caller, { ...at, stream }),
    followSession: (caller, sessionId, signal) => followSession(deps, caller, sessionId, signal),
    listEvidence: (questId, page) => listEvidence(deps, questId, page),
    getEvidence: (questId, evidenceId) => getEvidence(deps, questId, evidenceId),
    questEvents: (questId, query) => questEvents(deps, questId, query),
    followQuest: (questId, options) => followQuest(deps, questId, options),
    verifyQuest: (questId) => recomputeQuest(deps, questId),
    verifyEvidence: (questId, evidenceId, signal) => recomputeEvidence(deps, { questId, evidenceId }, signal),
    evidenceRows: (of, query, signal) => evidenceRows(deps, of, query, signal),
    evidenceResiduals: (of, signal) => evidenceResiduals(deps, of, signal),
    createUpload: (caller, incoming) => createUpload(deps, caller, incoming),
    listUploads: (caller, page) => listUploads(deps, caller, page),
    uploadContent: (caller, uploadId) => uploadContent(deps, caller, uploadId),
    removeUpload: (caller, uploadId) => removeUpload(deps, caller, uploadId),
    profileData: (caller, input, signal) => profileData(deps, caller, input, signal),
    createPlan: (caller, input) => createPlan(deps, caller, input),
    registerProtocol: (caller, input) => registerProtocol(deps, caller, input),
    comparePlans: (caller, planIds) => comparePlans(deps, caller, planIds),
    listComparisons: (caller, query) => listComparisons(deps, caller, query),
    getComparison: (caller, comparisonId) => getComparison(deps, caller, comparisonId),
    listPlans: (caller, page) => listPlans(deps, caller, page),
    followPlans: (caller, { signal }) => followPlans(deps, caller, signal),
    getPlan: (caller, planId) => shownPlan(deps, caller, planId),
    planEvents: (caller, planId, query) => planEvents(deps, caller, planId, query),
    followPlan: (caller, planId, options) => followPlan(deps, caller, planId, options),
    executePlan: (caller, planId) => executePlan(deps, caller, planId),
    resumePlan: (caller, planId) => resumePlan(deps, caller, planId),
    approvePlan: (caller, planId, budget) => approvePlan(deps, caller, planId, budget),
    clarifyPlan: (caller, planId, answer) => clarifyPlan(deps, caller, planId, answer),
    cancelPlan: (caller, planId, reason) => cancelPlan(deps, caller, planId, reason),
    planResult: (caller, planId) => planResult(deps, caller, planId),
    verifyPlan: async (caller, planId) => recomputeQuest(deps, (await ownedPlan(deps, caller, planId)).questId, planId),
    retryTask: (caller, planId, taskId) => retryTask(deps, caller, planId, taskId),
    reassignTask: (caller, planId, taskId, assignedTo) =>
      reassignTask(deps, caller, { plan: planId, task: taskId }, assignedTo),
  };
}
