import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex, throwIfAborted } from '@assay/foundation';
import { sha256Text } from '@assay/files';
import type { PythonInterpreter } from '@assay/sandbox';
import { buildEnvironment } from './build-environment.ts';
import type { EnvironmentOutcome, EnvironmentRequest, PythonEnvironment } from './environment.ts';
import { environmentId } from './environment-id.ts';
import { EnvironmentStore } from './environment-store.ts';
import { indexAccess } from './index-access.ts';
import { chooseInstaller } from './installer.ts';
import { readPipFacts } from './pip-facts.ts';
import { pipSettings } from './pip-settings.ts';
import { removeTree } from './remove-tree.ts';
import { checkLines } from './requirement-lines.ts';
import { tellFullDisk } from './space.ts';
import type { SecretGrant } from './secret-grant.ts';

export interface PythonEnvironmentsOptions {
  /** The home's cache: environments live below `environments/`. */
  readonly cacheDir: string;
  /** The person's environment, in which pip is asked for its configuration. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked for each build, so that a secret counts from the moment it is kept. */
  readonly grants?: () => Promise<readonly SecretGrant[]>;
  /** Bound of all environments together; those used in the last two hours stay. Default 20 GiB. */
  readonly maxBytes?: number;
  /** True for the reason of an abort after which the build goes on: sessions outlive a daemon that stops. */
  readonly isSuspension?: (reason: unknown) => boolean;
}

/** Environments of Python packages, one per set of dependencies, shared by all plans of a home. */
export interface PythonEnvironments {
  /**
   * Finds or builds an environment; two callers that want the same one build it once. What the requirements are to blame
   * for is a `failed` outcome; anything else rejects: `invalid_request`, `installer_missing`, `config_invalid`,
   * `sandbox_*`, `session_lost`, or the reason of the abort.
   */
  ensure(request: EnvironmentRequest): Promise<EnvironmentOutcome>;
  /** A complete environment by its id, with its content confirmed; undefined when it is not there (any more). */
  open(id: string, interpreter: PythonInterpreter, signal?: AbortSignal): Promise<PythonEnvironment | undefined>;
}

const DEFAULT_MAX_BYTES = 20 * 1024 ** 3;

export function createPythonEnvironments(options: PythonEnvironmentsOptions): PythonEnvironments {
  const store = new EnvironmentStore(options.cacheDir);
  const locks = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** One at a time for each environment. The daemon is the only one of its home, so that memory is enough. */
  async function alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const lock = locks.get(id) ?? { mutex: new Mutex(), users: 0 };
    locks.set(id, lock);
    lock.users += 1;
    try {
      return await lock.mutex.run(work);
    } finally {
      lock.users -= 1;
      if (lock.users === 0) locks.delete(id);
    }
  }

  async function ensure(request: EnvironmentRequest): Promise<EnvironmentOutcome> {
    checkLines(request);
    const facts = await readPipFacts(request.interpreter, options.env, request.signal);
    const settings = pipSettings(facts, options.env);
    const { defaultFileHost } = facts;
    const grants = (await options.grants?.()) ?? [];
    const access = indexAccess({ settings, grants, env: options.env, defaultFileHost });
    const id = await environmentId(request, facts, access);
    const installer = chooseInstaller(request.interpreter, facts);
    await mkdir(join(store.root, '.building'), { recursive: true, mode: 0o700 });
    const work = async (): Promise<EnvironmentOutcome> => {
      throwIfAborted(request.signal);
      const known = await store.open(id, request.interpreter, request.signal);
      if (known !== undefined) return { kind: 'ready', environment: known };
      const staging = store.building(id, sha256Text(request.key).slice(0, 16));
      await store.sweep(id, staging);
      let suspended = false;
      try {
        const build = { plan: { request, access, installer, staging }, settings, id, store };
        const outcome = await tellFullDisk(store.root, () => buildEnvironment(build));
        if (outcome.kind === 'ready') await store.evict(options.maxBytes ?? DEFAULT_MAX_BYTES, id);
        return outcome;
      } catch (error) {
        suspended = request.signal.aborted && options.isSuspension?.(request.signal.reason) === true;
        throw error;
      } finally {
        if (!suspended) await removeTree(staging);
      }
    };
    // A canceled caller stops waiting for another's build at once; its own ends with its session.
    let started = false;
    const result = alone(id, () => {
      started = true;
      return work();
    });
    const waiting = new Promise<never>((_, reject) => {
      request.signal.addEventListener('abort', () => started || reject(request.signal.reason as Error), { once: true });
    });
    return Promise.race([result, waiting]);
  }

  return { ensure, open: (id, interpreter, signal) => store.open(id, interpreter, signal) };
}
