import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, errorCode, isId } from '@assay/foundation';
import type {
  LogHits,
  LogQuery,
  LogRows,
  LogSearchQuery,
  LogStream,
  SessionGrowth,
  SessionInfo,
} from '@assay/contracts';
import { exists, readJson, RowIndex, searchRows } from '@assay/files';
import { questPaths } from '@assay/quest-repo';
import { sessionExitSchema, sessionFiles, sessionMetaSchema, type SessionMeta } from '@assay/sandbox';
import type { EngineDeps } from '../deps.ts';
import type { Caller, LogFile, SessionAt, SessionsOf } from '../engine.ts';
import { ownedPlan } from './owned-plan.ts';
import { watchFolder } from './watch-folder.ts';

const fileOf: Readonly<Record<LogStream, string>> = { output: sessionFiles.output, stderr: sessionFiles.stderr };
const SEARCH_LIMIT_MS = 20_000;
const MAX_INDEXES = 64;

/** Commands of a plan in the order of their start. */
export async function listSessions(
  deps: EngineDeps,
  caller: Caller,
  questId: string,
  of: SessionsOf,
): Promise<SessionInfo[]> {
  const plan = await ownedPlan(deps, caller, of.plan);
  if (plan.questId !== questId) throw notThere('plan', of.plan);
  const paths = questPaths(join(deps.home.quests, questId));
  const tasks = plan.tasks.filter(({ id }) => of.task === undefined || of.task === id);
  const found: SessionInfo[] = [];
  for (const { id: task, attempt: last } of tasks)
    for (let attempt = 1; attempt <= last; attempt += 1)
      for (const sessionId of await boundSessions(join(paths.attempt({ plan: plan.id, task, attempt }), 'sessions'))) {
        const info = await sessionInfo(join(paths.sessions, sessionId), { plan: plan.id, task, attempt });
        if (info !== undefined) found.push(info);
      }
  return found.sort((a, b) => a.startedAt.localeCompare(b.startedAt));
}

/** Sessions that an attempt bound before it started them. */
async function boundSessions(folder: string): Promise<string[]> {
  const names = await namesIn(folder);
  const bindings = await Promise.all(names.map((name) => readJson(join(folder, name))));
  return bindings
    .map((binding) => (binding as { sessionId?: unknown } | undefined)?.sessionId)
    .filter((id): id is string => typeof id === 'string' && isId('session', id));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function sessionInfo(
  dir: string,
  place: Pick<SessionInfo, 'plan' | 'task' | 'attempt'>,
): Promise<SessionInfo | undefined> {
  const stored = await readJson(join(dir, sessionFiles.meta));
  if (stored === undefined) return undefined; // bound, and not started yet
  const { id, name, argv, startedAt, timeoutSeconds, attestation, boundary, separateStreams } =
    sessionMetaSchema.parse(stored);
  const streams: LogStream[] = separateStreams ? ['output', 'stderr'] : ['output'];
  const sized = streams.map(async (stream) => ({ name: stream, bytes: await sizeOf(join(dir, fileOf[stream])) }));
  return {
    ...place,
    id,
    name,
    argv,
    startedAt,
    timeoutSeconds,
    attestation,
    boundary,
    streams: await Promise.all(sized),
    exit: await exitOf(dir),
  };
}

async function exitOf(dir: string): Promise<SessionInfo['exit']> {
  const stored = await readJson(join(dir, sessionFiles.exit));
  if (stored === undefined) return null;
  const { end, exitCode, signal, seconds, cpuSeconds, maxRssBytes, endedAt } = sessionExitSchema.parse(stored);
  return {
    end,
    exitCode,
    signal,
    seconds,
    endedAt,
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    ...(maxRssBytes === undefined ? {} : { maxRssBytes }),
  };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** The folder of a session whose plan is the caller's. */
async function ownedSession(deps: EngineDeps, caller: Caller, at: SessionAt): Promise<string> {
  if (!isId('session', at.session) || !isId('quest', at.quest)) throw notThere('session', at.session);
  const dir = join(questPaths(join(deps.home.quests, at.quest)).sessions, at.session);
  const stored = await readJson(join(dir, sessionFiles.meta));
  if (stored === undefined) throw notThere('session', at.session);
  const { scope }: SessionMeta = sessionMetaSchema.parse(stored);
  // Only plans have owners so far: what belongs to none is nobody's to read.
  if (scope.plan === undefined) throw notThere('session', at.session);
  await ownedPlan(deps, caller, scope.plan);
  return dir;
}

/** A session by its id alone: which quest it belongs to is looked up on disk. */
async function sessionById(deps: EngineDeps, caller: Caller, sessionId: string): Promise<string> {
  if (isId('session', sessionId))
    for (const quest of await deps.quests.ids())
      if (await exists(join(questPaths(join(deps.home.quests, quest)).sessions, sessionId)))
        return ownedSession(deps, caller, { quest, session: sessionId });
  throw notThere('session', sessionId);
}

export async function requireSession(deps: EngineDeps, caller: Caller, sessionId: string): Promise<void> {
  await sessionById(deps, caller, sessionId);
}

/** The index of a log is kept while it is looked at: the least lately used goes first. */
const indexes = new Map<string, RowIndex>();

function indexOf(path: string): RowIndex {
  const index = indexes.get(path) ?? new RowIndex(path);
  indexes.delete(path);
  indexes.set(path, index);
  for (const oldest of indexes.keys())
    if (indexes.size > MAX_INDEXES) indexes.delete(oldest);
    else break;
  return index;
}

export async function sessionLog(deps: EngineDeps, caller: Caller, at: SessionAt, query: LogQuery): Promise<LogRows> {
  const dir = await ownedSession(deps, caller, at);
  const ended = await exists(join(dir, sessionFiles.exit)); // before the count: what is over by now is counted whole
  const index = indexOf(join(dir, fileOf[query.stream]));
  const { rows, bytes } = await index.count();
  const from = query.from < 0 ? Math.max(0, rows + query.from) : Math.min(query.from, rows);
  return { rows, bytes, ended, from, lines: await index.read(from, query.limit) };
}

export async function searchSessionLog(
  deps: EngineDeps,
  caller: Caller,
  query: SessionAt & LogSearchQuery,
  signal: AbortSignal,
): Promise<LogHits> {
  const dir = await ownedSession(deps, caller, query);
  const hits = await searchRows(join(dir, fileOf[query.stream]), query.text, { limitMs: SEARCH_LIMIT_MS, signal });
  return { ...hits, rows: [...hits.rows] };
}

export async function sessionLogFile(
  deps: EngineDeps,
  caller: Caller,
  query: SessionAt & { readonly stream: LogStream },
): Promise<LogFile> {
  const dir = await ownedSession(deps, caller, query);
  const path = join(dir, fileOf[query.stream]);
  if (!(await exists(path))) throw notThere('log', `${query.session} ${query.stream}`);
  return { path, fileName: `${query.session}-${fileOf[query.stream]}` };
}

export async function* followSession(
  deps: EngineDeps,
  caller: Caller,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<SessionGrowth> {
  const dir = await sessionById(deps, caller, sessionId);
  const [output, stderr] = [indexOf(join(dir, fileOf.output)), indexOf(join(dir, fileOf.stderr))];
  let told = '';
  for await (const _ of watchFolder(dir, deps.clock, signal)) {
    const ended = await exists(join(dir, sessionFiles.exit));
    const growth = { output: await output.count(signal), stderr: await stderr.count(signal), ended };
    const text = JSON.stringify(growth);
    if (text !== told) yield growth;
    told = text;
    if (ended) return;
  }
}

function notThere(what: string, name: string): AssayError {
  return new AssayError('not_found', `there is no ${what} ${name} in this quest`, {
    hint: 'list the commands of a plan with GET /api/quests/:quest/sessions?plan=',
  });
}
