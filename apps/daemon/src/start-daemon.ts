import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { deferred, Resources, silentLogger, systemClock, type Clock, type Logger } from '@assay/foundation';
import { ASSAY_VERSION } from '@assay/contracts';
import {
  createEngine,
  createSecretStore,
  DataProfiles,
  neededBy,
  describeConfig,
  openHome,
  openUploadStore,
  ownerToken,
  QuestRegistry,
  readConfig,
  recoverPlans,
  type Config,
  type Engine,
  type HomePaths,
} from '@assay/engine';
import { machineChecks } from '@assay/engine/offline';
import { openFileJournal, startJournalWorker } from '@assay/event-store';
import { acquireHomeLock, thisProcess, writeJsonDurable } from '@assay/files';
import { createHttpApi, serveHttp, type HttpServer } from '@assay/http-api';
import { createPythonEnvironments } from '@assay/python-environments';
import { createBubblewrapSandbox, findPython, listPythons } from '@assay/sandbox';
import { createScheduler, DaemonStopping, ResourcePool } from '@assay/scheduler';
import { benchmarkTaskTypes, createTaskExecutor } from '@assay/tasks';
import { readSecretGrants } from './secret-grants.ts';
import { taskSettings } from './task-settings.ts';
import { uploadSettings } from './upload-settings.ts';

export interface DaemonOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export interface RunningDaemon extends AsyncDisposable {
  readonly url: string;
  readonly home: HomePaths;
  /** Resolves when somebody asked the daemon to stop. */
  readonly shutdownRequested: Promise<void>;
  /** Resolves when every quest is opened and its plans are known. */
  readonly recovered: Promise<void>;
}

/** What is opened before anything is served, with the defaults filled in. */
interface Opened {
  readonly home: HomePaths;
  readonly config: Config;
  readonly token: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: DaemonOptions['env'];
}

/**
 * Opens the home, wires everything and serves. Rejects with the reason when it cannot: the home is locked, read-only or
 * newer, the configuration is wrong, the port is taken. What was opened until then is closed again.
 */
export async function startDaemon(options: DaemonOptions): Promise<RunningDaemon> {
  const resources = new Resources();
  try {
    const opened = await open(options, resources);
    const { engine, recovered } = await wire(opened, resources);
    return await serve({ ...opened, engine, recovered }, resources);
  } catch (error) {
    await resources[Symbol.asyncDispose]();
    throw error;
  }
}

async function open(options: DaemonOptions, resources: Resources): Promise<Opened> {
  const { clock = systemClock, logger = silentLogger } = options;
  const home = await openHome(options.home, clock.now());
  resources.use(await acquireHomeLock(home.root));
  const config = await readConfig(home.config, options.env);
  return { home, config, token: await ownerToken(home), clock, logger, env: options.env };
}

async function wire(opened: Opened, resources: Resources): Promise<{ engine: Engine; recovered: Promise<void> }> {
  const { home, config, clock, logger, env } = opened;
  const worker = resources.use(startJournalWorker());
  const quests = resources.use(
    new QuestRegistry({
      questsDir: home.quests,
      clock,
      logger,
      openJournal: ({ dir, quest }) => openFileJournal({ dir, quest, worker, clock, logger }),
    }),
  );
  await quests.sweep();
  const sandbox = resources.use(createBubblewrapSandbox({ home: home.root, logger, clock }));
  const secrets = createSecretStore(home.secrets, clock, await readSecretGrants(config.secrets.grants, env));
  const environments = createPythonEnvironments({
    cacheDir: home.cache,
    env,
    grants: () => secrets.packageGrants(),
    maxBytes: config.python.environments_bytes,
    isSuspension: (reason) => reason instanceof DaemonStopping,
  });
  const executor = createTaskExecutor({
    home: home.root,
    types: benchmarkTaskTypes,
    sandbox,
    clock,
    logger,
    settings: taskSettings(home, config),
    python: rememberSuccess(() => findPython()),
    pythons: rememberSuccess(() => listPythons({ env })),
    environments,
    secret: (name, host) => secrets.credential(name, host),
    packageSecrets: () => secrets.packageGrants(),
    quest: async (questId) => {
      const { paths, artifacts, journal } = await quests.get(questId);
      return {
        paths,
        artifacts,
        journal: async (draft) => void (await journal.append([draft], { durability: 'streamed' })),
      };
    },
  });
  const scheduler = resources.use(
    createScheduler({
      clock,
      logger,
      executor,
      journals: async (questId) => (await quests.get(questId)).journal,
      slots: ResourcePool.ofMachine(),
      limits: { maxConcurrentPerPlan: config.plans.max_concurrent },
    }),
  );
  const recovered = recoverPlans({ quests, scheduler, logger, autoResume: config.plans.auto_resume });
  resources.defer(() => recovered);
  let plansKnown = false;
  void recovered.then(() => (plansKnown = true)); // it never rejects
  const uploads = resources.use(
    await openUploadStore({
      dir: home.uploads,
      ...uploadSettings(config),
      clock,
      logger,
      // Until every plan is known, nothing is removed.
      neededBy: (path, { size }) =>
        plansKnown ? neededBy(scheduler.list(), { path, size }, config.data.keep_bytes) : 'the daemon is starting',
    }),
  );
  const engine = createEngine({
    uploads,
    profiles: new DataProfiles(),
    home,
    config,
    shownConfig: await describeConfig(home.config, env),
    quests,
    secrets,
    scheduler,
    clock,
    logger,
    version: ASSAY_VERSION,
    startedAt: clock.now(),
    recovered,
    machineChecks: () => machineChecks(home.root, sandbox),
  });
  return { engine, recovered };
}

/** Asks until it succeeded once: an interpreter that is installed later is found, and then not looked for again. */
function rememberSuccess<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= ask();
    known.catch(() => (known = undefined));
    return known;
  };
}

async function serve(
  daemon: Opened & { readonly engine: Engine; readonly recovered: Promise<void> },
  resources: Resources,
): Promise<RunningDaemon> {
  const { home, config, token, clock, logger, engine, recovered } = daemon;
  const shutdown = deferred();
  const closing = new AbortController();
  const app = createHttpApi({
    engine,
    token,
    version: ASSAY_VERSION,
    clock,
    logger,
    onShutdown: () => shutdown.resolve(),
    signal: closing.signal,
    pageUrl: () => server.url,
    pageDir: fileURLToPath(new URL('page', import.meta.url)),
  });
  const server: HttpServer = resources.use(
    await serveHttp({
      app,
      host: '127.0.0.1',
      port: config.daemon.port ?? 'auto',
      socketPath: `${home.runtime}/daemon.sock`,
      signal: closing.signal,
    }),
  );
  resources.defer(() => closing.abort(new Error('the daemon is stopping')));
  await writeJsonDurable(home.daemonFile, {
    ...thisProcess(),
    url: server.url,
    socket: server.socket,
    program: process.argv[1],
  });
  resources.defer(() => rm(home.daemonFile, { force: true }));
  return {
    url: server.url,
    home,
    shutdownRequested: shutdown.promise,
    recovered,
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
