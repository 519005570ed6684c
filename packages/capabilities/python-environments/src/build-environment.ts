import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { errorText } from '@assay/foundation';
import type { EgressHost, EgressPolicy } from '@assay/sandbox';
import { createStep, fileHostsStep, installStep, prepareStaging, type BuildPlan } from './build-steps.ts';
import { checkTree } from './check-tree.ts';
import type { EnvironmentFailure, EnvironmentOutcome, LockedPackage, StepResult } from './environment.ts';
import { treeHash, type EnvironmentStore } from './environment-store.ts';
import { distributionKey, lockOf } from './lock.ts';
import type { PipSettings } from './pip-settings.ts';
import { projectNames } from './requirement-lines.ts';
import { spaceUse } from './space.ts';
import { failureOf, mayNeedSources } from './step-outcome.ts';

const ASKED_PAGES = 5;
const MAX_REPORT_BYTES = 64 * (1 << 20);
/** Name and version stand first. */
const METADATA_HEAD = 4096;
const MAX_HOSTS_OUTPUT = 1 << 16;
const hostsSchema = z.object({ hosts: z.array(z.string().max(300)).max(8), failures: z.array(z.string()) });

export interface Build {
  readonly plan: BuildPlan;
  readonly settings: PipSettings;
  readonly id: string;
  readonly store: EnvironmentStore;
}

/** What the steps of one build have found so far. */
interface Progress {
  readonly startedAt: number;
  readonly notes: string[];
  readonly steps: StepResult[];
}

/** Builds, checks and publishes one environment. The steps are named commands, so that a restart can bind to them again. */
export async function buildEnvironment(build: Build): Promise<EnvironmentOutcome> {
  const { plan } = build;
  const progress: Progress = { startedAt: performance.now(), notes: [...plan.access.notes], steps: [] };
  const say = (message: string) => plan.request.log?.('info', message);
  const created = await step(build, progress, 'create', async () => {
    await prepareStaging(plan);
    return createStep(plan);
  });
  if (created !== undefined) return failed(created);
  if (plan.request.requirements.length === 0) return finish(build, progress, 'none');
  const policy = await withFileHosts(build, progress);
  say(
    `installing with ${plan.installer.name} from ${policy === undefined ? 'folders, without a network' : policy.allow.join(', ')}`,
  );
  const wheels = await step(build, progress, 'wheels', async () => installStep(plan, 'wheels', policy));
  if (wheels === undefined) return finish(build, progress, 'wheels');
  if (plan.request.sources === 'never' || !mayNeedSources(wheels)) return failed(wheels);
  progress.notes.push('not every requirement has a wheel: source distributions were allowed in a second step');
  say('not every requirement has a wheel for this interpreter; trying source distributions');
  const sources = await step(build, progress, 'sources', async () => installStep(plan, 'sources', policy));
  return sources === undefined ? finish(build, progress, 'sources') : failed(sources);
}

async function step(
  { plan }: Build,
  progress: Progress,
  name: 'create' | 'wheels' | 'sources',
  request: () => Promise<ReturnType<typeof createStep>>,
): Promise<EnvironmentFailure | undefined> {
  const result = await plan.request.run(`environment-${name}`, request);
  progress.steps.push(result);
  const failure = await failureOf(name, result, progress.notes);
  if (failure === undefined) return undefined;
  const isBound = result.exit.end === 'output_limit' && (result.exit.message ?? '').startsWith('the writable folders');
  const space = await spaceUse(plan.staging, { boundBytes: plan.request.limits.diskBytes, isBound });
  return { ...failure, space };
}

/** Adds the hosts that the indexes serve files from. pip's own index is known; any other is asked. */
async function withFileHosts({ plan, settings }: Build, progress: Progress): Promise<EgressPolicy | undefined> {
  const { policy } = plan.access;
  const isKnown =
    settings.isDefaultIndex && settings.extraIndexUrls.length === 0 && settings.findLinksUrls.length === 0;
  if (policy === undefined || isKnown) return policy;
  const names = projectNames(plan.request.requirements, ASKED_PAGES);
  const result = await plan.request.run('environment-hosts', async () => fileHostsStep(plan, names));
  progress.steps.push(result);
  const text = result.exit.exitCode === 0 ? await result.output(MAX_HOSTS_OUTPUT) : '';
  const answer = hostsSchema.safeParse(parseJson(text));
  if (!answer.success) {
    progress.notes.push('the index could not be asked which hosts serve its files');
    return policy;
  }
  const more = answer.data.hosts.filter((host) => !policy.allow.includes(host) && !plan.access.renamed.has(host));
  if (more.length > 0) progress.notes.push(`the index points to files on ${more.join(', ')}`);
  return { ...policy, allow: [...policy.allow, ...more] };
}

async function finish(
  build: Build,
  progress: Progress,
  how: 'none' | 'wheels' | 'sources',
): Promise<EnvironmentOutcome> {
  const { plan, store, id } = build;
  const { interpreter, signal } = plan.request;
  const tree = join(plan.staging, 'environment');
  const unusable = (message: string): EnvironmentOutcome =>
    failed({ step: 'check', message, output: '', refusedHosts: [], notes: progress.notes });
  const checked = await checkTree(tree, interpreter, signal);
  if (checked.problems.length > 0)
    return unusable(`the environment is not safe to use: ${checked.problems.join('; ')}`);
  let lock: LockedPackage[] = [];
  if (how !== 'none')
    try {
      lock = lockOf(await readReport(join(plan.staging, 'out', 'report.json')), {
        installed: await installedIn(tree),
        renamed: plan.access.renamed,
      });
    } catch (error) {
      return unusable(`what was installed is not what the installer reported: ${errorText(error)}`);
    }
  const treeSha256 = await treeHash(tree, signal);
  const report = {
    python: interpreter.version,
    installer: plan.installer.name,
    step: how,
    hosts: hostsOf(progress.steps),
    files: checked.files,
    bytes: checked.bytes,
    seconds: (performance.now() - progress.startedAt) / 1000,
    startupFiles: checked.startupFiles,
    notes: progress.notes,
    sessions: progress.steps.map((result) => result.id),
  };
  const environment = await store.publish(plan.staging, { id, treeSha256, lock, report }, interpreter);
  return { kind: 'ready', environment };
}

/** Of a folder that third-party programs could write: a regular file of bounded size, or an error. */
async function readReport(path: string): Promise<unknown> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await file.stat();
  if (!stat.isFile() || stat.size > MAX_REPORT_BYTES) throw new Error('the report is not a file of a sensible size');
  return JSON.parse(await file.readFile('utf8')) as unknown;
}

/** Name and version of each distribution, as its own metadata says. */
async function installedIn(tree: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const version of await readdir(join(tree, 'lib'))) {
    const packages = join(tree, 'lib', version, 'site-packages');
    for (const folder of await readdir(packages)) {
      if (!folder.endsWith('.dist-info')) continue;
      const head = await firstBytes(join(packages, folder, 'METADATA'));
      const field = (name: string) => new RegExp(`^${name}: *(.+?)\\r?$`, 'm').exec(head)?.[1] ?? '';
      found.add(distributionKey(field('Name'), field('Version')));
    }
  }
  return found;
}

async function firstBytes(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(METADATA_HEAD), 0, METADATA_HEAD, 0);
  return buffer.subarray(0, bytesRead).toString('utf8');
}

function hostsOf(steps: readonly StepResult[]): EgressHost[] {
  return steps.flatMap(({ exit }) => exit.network?.hosts ?? []);
}

function failed(failure: EnvironmentFailure): EnvironmentOutcome {
  return { kind: 'failed', failure };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
