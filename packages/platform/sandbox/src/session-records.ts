import * as z from 'zod';
import { attestationSchema, instant, scopeSchema } from '@assay/contracts';
import type { EgressSummary } from '@assay/egress-proxy';
import type { SessionExit } from './sandbox.ts';
import { sessionEnds } from './sandbox.ts';

/** Version of `meta.json` and `exit.json` that this code writes. */
export const SESSION_VERSION = 1;

const processIdentity = z.object({ pid: z.number().int().positive(), startTime: z.string(), bootId: z.string() });

/** `sessions/<id>/meta.json`: what was started, by which host, inside which boundary. */
export const sessionMetaSchema = z.object({
  v: z.literal(SESSION_VERSION),
  id: z.string(),
  name: z.string(),
  scope: scopeSchema,
  argv: z.array(z.string()),
  cwd: z.string(),
  startedAt: instant,
  timeoutSeconds: z.number(),
  outputLimitBytes: z.number(),
  separateStreams: z.boolean(),
  attestation: attestationSchema,
  /** The options whose hash the attestation holds, so that anybody can see and compare them. */
  boundary: z.array(z.string()),
  /** The session host that runs it. While exactly this process lives, the session may live. */
  host: processIdentity,
  /** Where that host listens. */
  socket: z.string(),
  /** The backend's process and process 1 of the session's namespace, once they are there. */
  backend: processIdentity.optional(),
  init: processIdentity.optional(),
});
export type SessionMeta = z.infer<typeof sessionMetaSchema>;

const egressHost = z.object({
  host: z.string(),
  port: z.number().int().nullable(),
  verdict: z.enum(['allowed', 'refused', 'failed']),
  addresses: z.array(z.string()).readonly(),
  connections: z.number().int(),
  bytesUp: z.number(),
  bytesDown: z.number(),
  reason: z.string().optional(),
});

const egressSummary = z.object({
  connections: z.number().int(),
  bytesUp: z.number(),
  bytesDown: z.number(),
  hosts: z.array(egressHost).readonly(),
  moreHosts: z.number().int(),
});

/** `sessions/<id>/exit.json`: how it ended. Written once, synced to disk before anybody is told. */
export const sessionExitSchema = z.object({
  v: z.literal(SESSION_VERSION),
  end: z.enum(sessionEnds),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  seconds: z.number().nonnegative(),
  outputBytes: z.number().int().nonnegative(),
  cpuSeconds: z.number().nonnegative().optional(),
  maxRssBytes: z.number().nonnegative().optional(),
  network: egressSummary.optional(),
  message: z.string().optional(),
  endedAt: instant,
});
export type SessionExitRecord = z.infer<typeof sessionExitSchema>;

/** The public part of an exit record. */
export function exitOf(record: SessionExitRecord): SessionExit {
  return {
    end: record.end,
    exitCode: record.exitCode,
    signal: record.signal,
    seconds: record.seconds,
    outputBytes: record.outputBytes,
    ...(record.cpuSeconds === undefined ? {} : { cpuSeconds: record.cpuSeconds }),
    ...(record.maxRssBytes === undefined ? {} : { maxRssBytes: record.maxRssBytes }),
    ...(record.network === undefined ? {} : { network: networkOf(record.network) }),
    ...(record.message === undefined ? {} : { message: record.message }),
  };
}

function networkOf(network: NonNullable<SessionExitRecord['network']>): EgressSummary {
  const hosts = network.hosts.map(({ reason, ...host }) => ({ ...host, ...(reason === undefined ? {} : { reason }) }));
  return { ...network, hosts };
}
