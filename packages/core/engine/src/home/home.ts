import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AssayError, errorCode, errorText, isoTime, systemFailure } from '@assay/foundation';
import { exists, writeFileDurable, writeJsonDurable } from '@assay/files';
import { HOME_VERSION, homeVersion, homeVersionFile, refuseNewerHome } from './home-version.ts';

export interface HomePaths {
  readonly root: string;
  readonly config: string;
  readonly secrets: string;
  readonly quests: string;
  readonly uploads: string;
  readonly cache: string;
  readonly runtime: string;
  readonly daemonFile: string;
  readonly token: string;
  readonly logs: string;
  readonly versionFile: string;
}

export function homePaths(root: string): HomePaths {
  const inside = (...parts: string[]) => join(root, ...parts);
  return {
    root,
    config: inside('config.yaml'),
    secrets: inside('secrets.json'),
    quests: inside('quests'),
    uploads: inside('uploads'),
    cache: inside('cache'),
    runtime: inside('runtime'),
    daemonFile: inside('runtime', 'daemon.json'),
    token: inside('runtime', 'token'),
    logs: inside('logs'),
    versionFile: homeVersionFile(root),
  };
}

/**
 * Makes the home's folders when they are missing and checks that this program may write them.
 * Rejects with `home_read_only`, `disk_full`, `home_newer` or `config_invalid`; nothing is changed then.
 */
export async function openHome(path: string, now: number): Promise<HomePaths> {
  const given = homePaths(resolve(path));
  await refuseNewerHome(given.root);
  await refuseForeignFolder(given);
  try {
    for (const folder of [given.root, given.quests, given.uploads, given.cache, given.runtime, given.logs])
      await makeFolder(folder);
    const paths = homePaths(await realpath(given.root));
    const probe = join(paths.runtime, `write-probe-${process.pid}`);
    await writeFile(probe, 'x');
    await unlink(probe);
    if ((await homeVersion(paths.root)) === undefined)
      await writeJsonDurable(paths.versionFile, { v: HOME_VERSION, createdAt: isoTime(now) });
    return paths;
  } catch (error) {
    throw homeError(given.root, error);
  }
}

/** What may stand in a folder that is about to become a home. */
const OWN_NAMES = new Set(
  (
    'home.json config.yaml connectors.yaml secrets.json quests cache runtime logs events ' +
    'skills memory baselines uploads knowledge connectors trash index.db'
  ).split(' '),
);

/** Rejects with `not_configured`: a folder of someone's files is not turned into a home. */
async function refuseForeignFolder(paths: HomePaths): Promise<void> {
  if (await exists(paths.versionFile)) return;
  const names = await readdir(paths.root).catch(() => []);
  // What a crash left of a file that was being written carries the file's name.
  const foreign = names.filter((name) => !OWN_NAMES.has(name.replace(/\.[0-9a-f]{12}\.tmp$/, '')));
  if (foreign.length === 0) return;
  throw new AssayError('not_configured', `${paths.root} is not a home of Assay, and it is not empty`, {
    why: `it holds ${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ' and more' : ''}`,
    hint: 'name an empty or a new folder with ASSAY_HOME',
  });
}

/** As `mkdir -p`; Node's own recursion does not end below /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path || (await exists(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

function homeError(root: string, error: unknown): AssayError {
  if (error instanceof AssayError) return error;
  return systemFailure(error) ?? unwritable(root, error);
}

function unwritable(root: string, error: unknown): AssayError {
  return new AssayError('home_read_only', `the home ${root} cannot be written`, {
    why: errorText(error),
    hint: 'give the folder to this user, or choose another home with ASSAY_HOME',
  });
}

/** The owner's token, made on first use: 256 random bits in a file that only the owner may read. */
export async function ownerToken(paths: HomePaths): Promise<string> {
  try {
    const token = (await readFile(paths.token, 'utf8')).trim();
    if (/^[0-9a-f]{64}$/.test(token)) return token;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const token = randomBytes(32).toString('hex');
  await writeFileDurable(paths.token, `${token}\n`, { mode: 0o600 });
  return token;
}
