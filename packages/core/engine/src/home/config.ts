import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { parse } from 'yaml';
import type { ShownConfig } from '@assay/contracts';
import { AssayError, errorCode, errorText } from '@assay/foundation';

const GiB = 1 << 30;

const daemonSection = z.strictObject({
  /** A fixed port; without it 4870, or a free one when that is taken. */
  port: z.number().int().min(1).max(65_535).optional(),
});
const sandboxSection = z.strictObject({
  cpus: z.number().positive().default(2),
  memory_bytes: z
    .number()
    .int()
    .positive()
    .default(4 * GiB),
  pids: z.number().int().positive().default(256),
  disk_bytes: z
    .number()
    .int()
    .positive()
    .default(8 * GiB),
  /** Folders besides the home's own that mounts may come from. */
  workspace_roots: z.array(z.string()).default([]),
});
const plansSection = z.strictObject({
  max_concurrent: z.number().int().min(1).max(64).default(2),
  max_task_attempts: z.number().int().positive().default(100),
  max_duration_seconds: z.number().positive().default(2100),
  require_approval: z.boolean().default(false),
  /** Go on with interrupted plans after a restart without being asked. */
  auto_resume: z.boolean().default(false),
});
/** What a full run needs of the machine, and what it may use once it is approved. */
const fullSection = z.strictObject({
  min_cpus: z.number().int().nonnegative().default(16),
  min_memory_bytes: z
    .number()
    .int()
    .nonnegative()
    .default(64 * GiB),
  min_disk_bytes: z
    .number()
    .int()
    .nonnegative()
    .default(100 * GiB),
  min_gpus: z.number().int().nonnegative().default(1),
  max_task_attempts: z.number().int().positive().default(100),
  max_duration_seconds: z.number().positive().default(28_800),
  max_disk_bytes: z
    .number()
    .int()
    .positive()
    .default(100 * GiB),
});
const dataSection = z.strictObject({
  /** Data files must lie in one of these; empty: the folder of each file that the owner names. */
  roots: z.array(z.string()).default([]),
  /** Data sets up to this size are kept by hash in the quest, so that its numbers can be verified anywhere. */
  keep_bytes: z
    .number()
    .int()
    .nonnegative()
    .default(256 * (1 << 20)),
});
const uploadsSection = z.strictObject({
  /** Bytes of one file that is sent; larger ones are named by their path. */
  max_bytes: z.number().int().positive().default(GiB),
  /** What one user may keep here at a time. */
  max_files: z.number().int().positive().max(1000).default(100),
  total_bytes: z
    .number()
    .int()
    .positive()
    .default(4 * GiB),
  /** Files that one user may begin to send within a minute. */
  per_minute: z.number().int().positive().max(10_000).default(60),
  /** A sent file is removed after so long, unless a plan needs it. */
  expire_hours: z
    .number()
    .positive()
    .max(24 * 3650)
    .default(24 * 7),
  /** So much of the disk stays free. */
  keep_free_bytes: z.number().int().nonnegative().default(GiB),
});
const repositoriesSection = z.strictObject({
  /** For finding a repository, and again for fetching and writing its files. */
  timeout_seconds: z.number().positive().max(3600).default(45),
  /** What all fetched repositories together may hold in the cache; the longest unused go first. */
  cache_bytes: z
    .number()
    .int()
    .nonnegative()
    .default(10 * GiB),
});

const pythonSection = z.strictObject({
  /** Bound of all environments of packages together; the oldest unused are removed. */
  environments_bytes: z
    .number()
    .int()
    .positive()
    .default(20 * GiB),
});
/** A user name and password (`user:password`) for named hosts, read from a variable or a file, never from here. */
const grantSchema = z
  .strictObject({
    name: z.string().min(1),
    /** Each `host:port`. */
    hosts: z.array(z.string().regex(/^[^/@\s]+:\d{1,5}$/, 'must be host:port')).min(1),
    env: z.string().optional(),
    file: z.string().optional(),
  })
  .refine((grant) => (grant.env === undefined) !== (grant.file === undefined), 'name either env or file');
const secretsSection = z.strictObject({ grants: z.array(grantSchema).max(50).default([]) });
export type SecretGrantConfig = z.infer<typeof grantSchema>;

export const configSchema = z.strictObject({
  daemon: daemonSection.default(() => daemonSection.parse({})),
  sandbox: sandboxSection.default(() => sandboxSection.parse({})),
  plans: plansSection.default(() => plansSection.parse({})),
  full: fullSection.default(() => fullSection.parse({})),
  data: dataSection.default(() => dataSection.parse({})),
  uploads: uploadsSection.default(() => uploadsSection.parse({})),
  python: pythonSection.default(() => pythonSection.parse({})),
  secrets: secretsSection.default(() => secretsSection.parse({})),
  repositories: repositoriesSection.default(() => repositoriesSection.parse({})),
});
export type Config = z.infer<typeof configSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

/** config.yaml with the environment's overrides `ASSAY_<SECTION>_<KEY>`. Rejects with `config_invalid` by field. */
export async function readConfig(path: string, env: Environment): Promise<Config> {
  const content = await readConfigFile(path);
  const merged = withEnvironment(content, env);
  const parsed = configSchema.safeParse(merged);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AssayError('config_invalid', `the configuration is not valid`, {
      why: `${issue?.path.join('.') || path}: ${issue?.message ?? 'unknown problem'}`,
      hint: `mend ${path}, or the environment variable that sets this`,
    });
  }
  return tighten(parsed.data, env);
}

/** Every setting with who has the last word on it: the file, a variable of the environment, or nobody. */
export async function describeConfig(path: string, env: Environment): Promise<ShownConfig> {
  const config: Readonly<Record<string, Readonly<Record<string, unknown>>>> = await readConfig(path, env);
  const content = await readConfigFile(path);
  const settings = Object.entries(configSchema.shape).flatMap(([section, schema]) =>
    Object.keys(schema.unwrap().shape).map((key) => {
      const name = `${section}.${key}`;
      const value = config[section]?.[key] ?? null;
      const variable = [...(otherVariables[name] ?? []), variableOf(section, key)].find((one) => isSet(env[one]));
      if (variable !== undefined) return { key: name, value, setBy: 'environment' as const, variable };
      return {
        key: name,
        value,
        setBy: content[section]?.[key] === undefined ? ('default' as const) : ('file' as const),
      };
    }),
  );
  return { file: path, settings };
}

/** Variables with names of their own. */
const otherVariables: Readonly<Record<string, readonly string[]>> = {
  'sandbox.workspace_roots': ['SANDBOX_WORKSPACE_ROOTS'],
  'plans.max_task_attempts': ['PLAN_MAX_TASK_ATTEMPTS'],
  'plans.max_duration_seconds': ['PLAN_MAX_DURATION_SECONDS'],
};

function variableOf(section: string, key: string): string {
  return `ASSAY_${section.toUpperCase()}_${key.toUpperCase()}`;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

async function readConfigFile(path: string): Promise<Record<string, Record<string, unknown>>> {
  try {
    return (parse(await readFile(path, 'utf8'), { maxAliasCount: 10 }) ?? {}) as Record<
      string,
      Record<string, unknown>
    >;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new AssayError('config_invalid', `${path} cannot be read`, { why: errorText(error), hint: 'mend the file' });
  }
}

function withEnvironment(content: Record<string, Record<string, unknown>>, env: Environment) {
  const merged = structuredClone(content);
  for (const [section, schema] of Object.entries(configSchema.shape)) {
    const keys = Object.keys(schema.unwrap().shape);
    for (const key of keys) {
      const text = env[variableOf(section, key)];
      if (text !== undefined && text !== '') merged[section] = { ...merged[section], [key]: parse(text) as unknown };
    }
  }
  const roots = env['SANDBOX_WORKSPACE_ROOTS'];
  if (roots !== undefined && roots !== '')
    merged['sandbox'] = { ...merged['sandbox'], workspace_roots: roots.split(':').filter((root) => root !== '') };
  return merged;
}

/** PLAN_MAX_TASK_ATTEMPTS and PLAN_MAX_DURATION_SECONDS only lower a limit. */
function tighten(config: Config, env: Environment): Config {
  const lower = (name: string, limit: number): number => {
    const text = env[name];
    if (text === undefined || text === '') return limit;
    const value = Number(text);
    if (!Number.isFinite(value) || value <= 0)
      throw new AssayError('config_invalid', `${name} is not a positive number`, {
        why: `it is "${text}"`,
        hint: 'set a number, or unset it',
      });
    return Math.min(limit, value);
  };
  return {
    ...config,
    plans: {
      ...config.plans,
      max_task_attempts: Math.floor(lower('PLAN_MAX_TASK_ATTEMPTS', config.plans.max_task_attempts)),
      max_duration_seconds: lower('PLAN_MAX_DURATION_SECONDS', config.plans.max_duration_seconds),
    },
  };
}
