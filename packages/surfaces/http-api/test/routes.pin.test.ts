import { routes, type Route } from '@assay/contracts';
import { verifies } from '@assay/testkit';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../src/index.ts';

/** Spelled out: a route that moves breaks clients, so it must be moved here too. */
const PINNED = [
  'DELETE /api/uploads/:upload removeUpload',
  'GET /api/comparisons listComparisons',
  'GET /api/comparisons/:comparison getComparison',
  'GET /api/config getConfig',
  'GET /api/doctor doctor',
  'GET /api/health health',
  'GET /api/openapi.json openapi',
  'GET /api/plans listPlans',
  'GET /api/plans/:plan getPlan',
  'GET /api/plans/:plan/events planEvents',
  'GET /api/plans/:plan/result planResult',
  'GET /api/plans/:plan/stream planStream',
  'GET /api/quests listQuests',
  'GET /api/quests/:quest getQuest',
  'GET /api/quests/:quest/artifacts listArtifacts',
  'GET /api/quests/:quest/artifacts/:artifact getArtifact',
  'GET /api/quests/:quest/artifacts/:artifact/content artifactContent',
  'GET /api/quests/:quest/events questEvents',
  'GET /api/quests/:quest/evidence listEvidence',
  'GET /api/quests/:quest/evidence/:evidence getEvidence',
  'GET /api/quests/:quest/evidence/:evidence/residuals evidenceResiduals',
  'GET /api/quests/:quest/evidence/:evidence/rows evidenceRows',
  'GET /api/quests/:quest/sessions listSessions',
  'GET /api/quests/:quest/sessions/:session/log sessionLog',
  'GET /api/quests/:quest/sessions/:session/log/content sessionLogContent',
  'GET /api/quests/:quest/sessions/:session/log/search searchSessionLog',
  'GET /api/secrets listSecrets',
  'GET /api/status status',
  'GET /api/stream stream',
  'GET /api/uploads listUploads',
  'GET /api/uploads/:upload/content uploadContent',
  'GET /api/why why',
  'POST /api/comparisons comparePlans',
  'POST /api/data/profile profileData',
  'POST /api/link createLink',
  'POST /api/link/redeem redeemLink',
  'POST /api/plan createPlan',
  'POST /api/plans/:plan/approve approvePlan',
  'POST /api/plans/:plan/cancel cancelPlan',
  'POST /api/plans/:plan/clarify clarifyPlan',
  'POST /api/plans/:plan/execute executePlan',
  'POST /api/plans/:plan/resume resumePlan',
  'POST /api/plans/:plan/tasks/:task/reassign reassignTask',
  'POST /api/plans/:plan/tasks/:task/retry retryTask',
  'POST /api/plans/:plan/verify verifyPlan',
  'POST /api/protocols registerProtocol',
  'POST /api/quests createQuest',
  'POST /api/quests/:quest/evidence/:evidence/verify verifyEvidence',
  'POST /api/quests/:quest/verify verifyQuest',
  'POST /api/secrets setSecret',
  'POST /api/secrets/:secret/remove removeSecret',
  'POST /api/shutdown shutdown',
  'POST /api/uploads createUpload',
];

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly unknown[];
}

describe('the table of routes', () => {
  it('is the documented one', () => {
    verifies('http.routes-pinned');
    const table = Object.entries<Route>(routes).map(([name, { method, path }]) => `${method} ${path} ${name}`);
    expect(table.sort()).toEqual(PINNED);
  });
});

describe('the OpenAPI document', () => {
  const document = openApiDocument('9.9.9');
  const paths = document['paths'] as Record<string, Record<string, Operation>>;

  it('is valid OpenAPI 3.1', async () => {
    verifies('http.openapi');
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  it('has every route and nothing else', () => {
    verifies('http.openapi');
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { operationId }]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} ${operationId}`,
      ),
    );
    expect(described.sort()).toEqual(PINNED);
  });

  it('resolves every reference', () => {
    verifies('http.openapi');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(40);
    const schemas = (document['components'] as { schemas: Record<string, unknown> }).schemas;
    for (const reference of references) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1];
      expect(schemas[name ?? ''], reference).toBeDefined();
    }
  });

  it('says what a route takes, what it answers and what is open', () => {
    verifies('http.openapi');
    const owner = {
      name: 'X-User-Id',
      in: 'header',
      description: 'names the owner of plans; the cookie assay_uid or "local" when it is left out',
      schema: { type: 'string', pattern: '^[A-Za-z0-9\\-_.@]{1,128}$', default: 'local' },
    };
    expect(paths['/api/plans/{plan}/tasks/{task}/retry']!['post']!.parameters).toEqual([
      { name: 'plan', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'task', in: 'path', required: true, schema: { type: 'string' } },
      owner,
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'the same key with the same request gives the first answer again, for a day',
        schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
      },
    ]);
    expect(paths['/api/why']!['get']!.parameters).toEqual([
      { name: 'ref', in: 'query', required: true, schema: { type: 'string', minLength: 1 } },
      owner,
    ]);
    expect(Object.keys(paths['/api/plan']!['post']!.responses)).toEqual(['201', 'default']);
    const open = Object.values(paths).flatMap((operations) => Object.values(operations));
    expect(
      open.filter((operation) => operation.security?.length === 0).map((operation) => operation.operationId),
    ).toEqual(['health', 'redeemLink']);
  });
});
