import { fileURLToPath } from 'node:url';
import { routes, type ComparisonResult, type DataPreview, type RouteName } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { auth, raw, served } from './support/serve.ts';

/** Requests that reach every JSON route, in an order in which each succeeds. */
it('answers of every route fit the schema that the document describes', async () => {
  verifies('http.openapi');
  await using api = await served();
  const { engine } = api;
  const quest = await engine.createQuest({ title: 'one', goal: 'g' });
  const caller = { ownerId: 'local' };
  const create = async () =>
    (await engine.createPlan(caller, { questId: quest.id, attachments: [], inputs: {}, reuse: false })).id;
  const stored = engine.quests.get(quest.id)!;
  stored.artifacts.set('artifact_1', { record: artifact(quest.id), text: '{}' });
  stored.evidence.set('ev_1', evidence(quest.id));
  const plan = await create();
  const canceled = await create();
  const tried = new Set<RouteName>();
  const call = async (
    name: Exclude<
      RouteName,
      'artifactContent' | 'createUpload' | 'sessionLogContent' | 'planStream' | 'stream' | 'uploadContent'
    >,
    path: string,
    body?: unknown,
  ) => {
    tried.add(name);
    const { method, response, ...route } = routes[name];
    const answer = await raw(`${api.url}${path}`, {
      method,
      headers: body === undefined ? auth : { ...auth, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status, `${name}: ${answer.text}`).toBe('status' in route ? route.status : 200);
    const value = JSON.parse(answer.text) as unknown;
    // Strict: what a schema does not name would be dropped and the result would differ.
    expect((response as z.ZodType).parse(value), name).toEqual(value);
    return value;
  };
  const q = `/api/quests/${quest.id}`;
  await call('health', '/api/health');
  await call('status', '/api/status');
  await call('doctor', '/api/doctor');
  await call('getConfig', '/api/config');
  await call('openapi', '/api/openapi.json');
  const { url } = (await call('createLink', '/api/link', {})) as { readonly url: string };
  await call('redeemLink', '/api/link/redeem', { code: url.split('#link=')[1] });
  await call('why', `/api/why?ref=${plan}`);
  await call('setSecret', '/api/secrets', { name: 'mine', hosts: ['code.example'], username: 'ada', value: 'x' });
  await call('listSecrets', '/api/secrets');
  await call('removeSecret', '/api/secrets/mine/remove');
  await call('listQuests', '/api/quests');
  engine.logs.set('session_1', fileURLToPath(import.meta.url));
  await call('listSessions', `${q}/sessions?plan=${plan}`);
  await call('sessionLog', `${q}/sessions/session_1/log?from=-3`);
  await call('searchSessionLog', `${q}/sessions/session_1/log/search?text=import`);
  await call('createQuest', '/api/quests', { title: 'two' });
  await call('getQuest', q);
  await call('listArtifacts', `${q}/artifacts`);
  await call('getArtifact', `${q}/artifacts/artifact_1`);
  await call('listEvidence', `${q}/evidence`);
  await call('getEvidence', `${q}/evidence/ev_1`);
  await call('evidenceRows', `${q}/evidence/ev_1/rows`);
  await call('evidenceResiduals', `${q}/evidence/ev_1/residuals`);
  await call('verifyEvidence', `${q}/evidence/ev_1/verify`);
  await call('questEvents', `${q}/events`);
  await call('verifyQuest', `${q}/verify`);
  const { id: sent } = await api.client.createUpload({ file: new Blob(['a,b\n1,2\n']), name: 'rows.csv' });
  await call('listUploads', '/api/uploads');
  await call('removeUpload', `/api/uploads/${sent}`);
  engine.preview = preview();
  await call('profileData', '/api/data/profile', { path: '/rows.csv' });
  await call('createPlan', '/api/plan', { questId: quest.id });
  await call('listPlans', '/api/plans');
  await call('getPlan', `/api/plans/${plan}`);
  await call('executePlan', `/api/plans/${plan}/execute`);
  await call('cancelPlan', `/api/plans/${canceled}/cancel`, { reason: 'no' });
  await call('retryTask', `/api/plans/${canceled}/tasks/profile/retry`);
  await call('reassignTask', `/api/plans/${canceled}/tasks/profile/reassign`, { assignedTo: 'coder' });
  await call('planResult', `/api/plans/${plan}/result`);
  await call('verifyPlan', `/api/plans/${plan}/verify`);
  await call('registerProtocol', '/api/protocols', { questId: quest.id, inputs: { data: '/rows.csv' } });
  engine.comparison = comparison(quest.id, plan);
  await call('comparePlans', '/api/comparisons', { plans: [plan] });
  await call('listComparisons', `/api/comparisons?quest=${quest.id}`);
  await call('getComparison', `/api/comparisons/${engine.comparison.comparison.id}`);
  await engine.append(quest.id, [
    {
      type: 'plan.interrupted',
      scope: { plan },
      data: { reason: 'restart', activeUntil: '2026-12-01T00:00:00.000Z' },
    },
  ]);
  await call('resumePlan', `/api/plans/${plan}/resume`);
  const unclear = await engine.made(quest.id, {
    clarification: {
      question: 'which column?',
      field: 'target',
      options: [{ value: 'species', label: 'species', default: true }],
      answer: null,
    },
  });
  await call('clarifyPlan', `/api/plans/${unclear}/clarify`, { answer: 'species' });
  const held = await engine.made(quest.id, {
    status: 'awaiting_approval',
    approval: { required: true, status: 'pending', reason: 'mode full', approvedBy: null, approvedAt: null },
  });
  await call('approvePlan', `/api/plans/${held}/approve`);
  const events = (await call('planEvents', `/api/plans/${plan}/events`)) as {
    events: { event: string; type: string }[];
  };
  expect(events.events.map(({ event, type }) => `${event} ${type}`)).toEqual([
    'plan_created plan.created',
    'plan_started plan.started',
    'plan_interrupted plan.interrupted',
    'plan_resumed plan.resumed',
  ]);
  await call('shutdown', '/api/shutdown');
  const notJson = ['artifactContent', 'createUpload', 'sessionLogContent', 'planStream', 'stream', 'uploadContent'];
  const all = Object.keys(routes).filter((name) => !notJson.includes(name));
  expect([...tried].sort()).toEqual(all.sort());
});

function preview(): DataPreview {
  const column = { position: 0, inferredType: 'integer' as const, nonNull: 2, distinct: 2, distinctExact: true };
  const columns = [
    { ...column, name: 'a' },
    { ...column, name: 'b', position: 1 },
  ];
  const distribution = { kind: 'numbers' as const, min: 1, max: 2, mean: 1.5, bins: [1, 1], rows: 2, sampled: false };
  const can = { missing: 0, asTarget: { refusal: 'no' }, asGroup: false, asTime: true };
  return {
    manifest: {
      v: 1,
      name: 'rows.csv',
      path: '/rows.csv',
      format: 'csv',
      encoding: 'utf-8',
      bom: false,
      sha256: 'c'.repeat(64),
      size: 9,
      mtimeMs: 1,
      rowCount: 2,
      columns,
      inputColumns: ['a'],
      targetColumn: 'b',
      suggestedTask: 'classification',
      confidence: 0.5,
      reasons: [],
      excludedRows: { missingTarget: 0 },
      preview: [[1, 2]],
      warnings: [],
    },
    columns: [
      { name: 'a', distribution, ...can },
      { name: 'b', distribution: null, ...can },
    ],
    rows: [[1, 2]],
    candidates: [{ column: 'b', confidence: 0.5, because: 'last-column' }],
    split: { by: 'random', column: null, because: 'usual' },
    choices: [],
    problem: null,
  };
}

function artifact(quest: string) {
  return {
    v: 1 as const,
    id: 'artifact_1',
    key: 'page',
    type: 'json' as const,
    quest,
    producer: { attempt: 1 },
    sha256: 'b'.repeat(64),
    size: 2,
    mediaType: 'application/json',
    value: {},
    evidence: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    metadata: {},
  };
}

function comparison(quest: string, plan: string): ComparisonResult {
  const accuracy = { value: 0.97, interval: [0.9, 1] as [number, number], evidence: 'ev_1' };
  return {
    comparison: {
      v: 1,
      id: 'comparison_1',
      quest,
      protocol: { sha256: 'c'.repeat(64), registeredSeq: 1, firstRunSeq: 2 },
      task: 'classification',
      rows: 18,
      dataset: { name: 'rows.csv', sha256: 'd'.repeat(64) },
      primary: 'accuracy',
      direction: 'higher',
      attempts: [{ plan, attempt: 1, outcome: 'completed', code: null }],
      family: 1,
      alpha: 0.05,
      candidates: [
        { plan, name: 'a', repository: '/a', commit: null, entrypoint: 'm:f', rank: 1, metrics: { accuracy } },
      ],
      pairs: [],
      notCompared: [{ plan: 'plan_2', name: 'b', code: 'adapter_failed', message: 'it broke' }],
      conclusion: ['Only a was measured; there is nothing to compare it with.'],
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    verified: { ok: 1, total: 1 },
    report: '/home/quests/q/documents/comparison-comparison_1.md',
  };
}

function evidence(quest: string) {
  return {
    v: 1 as const,
    id: 'ev_1',
    quest,
    statement: 'accuracy on the hidden labels',
    metric: 'accuracy',
    value: 0.97,
    recipe: { name: 'accuracy', version: 1, inputs: [], parameters: { seed: 17 } },
    sources: [],
    computedAt: '2026-01-01T00:00:00.000Z',
  };
}
