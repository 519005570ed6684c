import {
  apiBodies,
  artifactSchema,
  dataPreviewSchema,
  evidenceSchema,
  planSchema,
  routes,
  taskSchema,
  uploadSchema,
  type Route,
} from '@assay/contracts';
import * as z from 'zod';
import { USER_ID } from './guards.ts';
import { IDEMPOTENCY_KEY } from './idempotency.ts';

type JsonObject = Record<string, unknown>;

/** Records that are described once and referred to by name. */
const named: Readonly<Record<string, z.ZodType>> = {
  Error: apiBodies.errorBody,
  Health: apiBodies.healthBody,
  Status: apiBodies.statusBody,
  Doctor: apiBodies.doctorBody,
  Quest: apiBodies.questSummary,
  Plan: planSchema,
  Task: taskSchema,
  Artifact: artifactSchema,
  Evidence: evidenceSchema,
  Event: apiBodies.eventBody,
  PlanEvent: apiBodies.planEventBody,
  BenchmarkResult: apiBodies.benchmarkResult,
  Verification: apiBodies.verificationBody,
  Upload: uploadSchema,
  DataPreview: dataPreviewSchema,
};

/** This interface as an OpenAPI 3.1 document, made from the table of routes. */
export function openApiDocument(version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version,
      description: 'A research workbench in which every number is recomputed from raw evidence.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [
      { url: 'http://127.0.0.1:4870', description: 'the port of a running daemon stands in runtime/daemon.json' },
    ],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'the content of runtime/token' } },
      schemas: componentSchemas(),
    },
  };
}

function operation(name: string, route: Route): JsonObject {
  const parameters = [...pathParameters(route.path), ...queryParameters(route.query), ...headerParameters(route)];
  return {
    operationId: name,
    summary: route.summary,
    ...(route.open === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body) }),
    ...(route.kind === 'upload' ? { requestBody: fileBody } : {}),
    responses: {
      [String(route.status ?? 200)]: { description: route.summary, content: responseContent(route) },
      default: {
        description: 'What failed, why, and what to do',
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    },
  };
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): JsonObject[] {
  if (query === undefined) return [];
  const schema = inputSchema(query) as { properties?: Record<string, JsonObject>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

/** What the interface reads from headers, beside the token. */
function headerParameters({ method, open, kind }: Route): JsonObject[] {
  const owner = {
    name: 'X-User-Id',
    in: 'header',
    description: 'names the owner of plans; the cookie assay_uid or "local" when it is left out',
    schema: { type: 'string', pattern: USER_ID.source, default: 'local' },
  };
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'the same key with the same request gives the first answer again, for a day',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
  };
  return [...(open === true ? [] : [owner]), ...(method === 'POST' && kind !== 'upload' ? [key] : [])];
}

/** A body is required unless the schema takes its absence. */
function requestBody(body: z.ZodType): JsonObject {
  return { required: !body.safeParse(undefined).success, content: json(inputSchema(body)) };
}

/** One file as a browser's form sends it. */
const fileBody: JsonObject = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
};

function responseContent(route: Route): JsonObject {
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  if (route.kind === 'sse') return stream;
  if (route.kind === 'file') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  const body = json({ $ref: uri(responseId(route)) });
  return route.kind === 'json-or-sse' ? { ...body, ...stream } : body;
}

function responseId(route: Route): string {
  const id = route.response === undefined ? undefined : registry.get(route.response)?.id;
  if (id === undefined) throw new Error(`the route ${route.path} has no response schema`);
  return id;
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** Every schema that gets a name of its own: the records, then what is left of the routes' answers. */
const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
for (const [name, route] of Object.entries<Route>(routes))
  if (route.response !== undefined && !registry.has(route.response))
    registry.add(route.response, { id: `${name.charAt(0).toUpperCase()}${name.slice(1)}Answer` });

const uri = (id: string) => `#/components/schemas/${id}`;

function componentSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(registry, { uri, unrepresentable: 'any', io: 'output' });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIds(schema as JsonObject)]));
}

/** What a caller may send, as JSON Schema. */
function inputSchema(schema: z.ZodType): JsonObject {
  return withoutIds(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as JsonObject);
}

/** Components are found by their place in the document, so `$id` and `$schema` of the parts would only mislead. */
function withoutIds(schema: JsonObject): JsonObject {
  const { $id: _id, $schema: _schema, ...rest } = schema;
  return rest;
}
