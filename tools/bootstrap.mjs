// What a fresh clone needs before anything of ours can run. Plain JavaScript without dependencies; speaks on stderr.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MINIMUM_NODE = [20, 19];
const INSTALL_WAIT_MS = 600_000;

export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  throw new Error(
    `Node ${MINIMUM_NODE.join('.')} or newer is needed.\nThis is Node ${version}.\nInstall a current LTS release of Node and run the command again.`,
  );
}

/** Installs the locked packages when they are missing or do not match the lock file. */
export async function ensurePackages(root) {
  if (packagesMatchLock(root)) return;
  const lock = join(tmpdir(), `assay-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
  await takeLock(lock);
  try {
    if (packagesMatchLock(root)) return; // another process was first
    say('installing the locked packages (npm ci) …');
    const env = { ...process.env };
    delete env.npm_config_json; // "npm run demo --json" must not turn the installer's output into JSON
    const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: root,
      env,
      stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    });
    if (result.error !== undefined || result.status !== 0)
      throw new Error(
        `The packages could not be installed.\n"npm ci" ended with ${result.error?.message ?? `exit code ${result.status}`}.\nCheck the connection to the npm registry (npm ping), then run the command again.`,
      );
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** True when npm's record of what is installed has every package of the lock file, in its version. */
export function packagesMatchLock(root) {
  const wanted = readLock(join(root, 'package-lock.json'));
  const installed = readLock(join(root, 'node_modules/.package-lock.json'));
  if (wanted === undefined) throw new Error('package-lock.json is missing: is this a whole clone?');
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.resolved === entry.resolved;
  });
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** One installer at a time; a lock whose owner is gone is taken over. */
async function takeLock(path) {
  const until = Date.now() + INSTALL_WAIT_MS;
  for (let told = false; ; told = true) {
    try {
      mkdirSync(path);
      writeFileSync(join(path, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!ownerLives(path)) rmSync(path, { recursive: true, force: true });
    else if (Date.now() > until)
      throw new Error(
        `Another process has been installing for too long.\nIts lock is ${path}.\nEnd it or remove the lock.`,
      );
    else {
      if (!told) say('another process is installing the packages; waiting …');
      await sleep(300);
    }
  }
}

function ownerLives(path) {
  try {
    process.kill(Number(readFileSync(join(path, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM' || error.code === 'ENOENT'; // just made and not yet written counts as living
  }
}

const tools = [
  { name: 'python3', probe: ['--version'], needed: 'runs the repositories that are benchmarked' },
  { name: 'git', probe: ['--version'], needed: 'keeps quests and reads repositories' },
  { name: 'bwrap', probe: ['--version'], needed: 'isolates code that nobody has read', package: 'bubblewrap' },
];

/** Checks python3, git and bubblewrap. Installs what is missing with apt as root on Debian or Ubuntu, else says how. */
export async function ensureTools() {
  const missing = tools.filter(({ name, probe }) => !runs(name, probe));
  if (missing.length === 0) return;
  const packages = missing.map((tool) => tool.package ?? tool.name);
  for (const tool of missing) say(`${tool.package ?? tool.name} is missing: it ${tool.needed}`);
  const command = installCommand(packages);
  if (command === undefined) return say(`install ${packages.join(', ')} with the package manager of this system`);
  if (process.getuid?.() !== 0 || !command.startsWith('apt-get')) return say(`install it with: ${command}`);
  say(`installing ${packages.join(', ')} …`);
  spawnSync('apt-get', ['update', '-qq'], aptOptions);
  const result = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], aptOptions);
  if (result.status !== 0) say(`apt-get could not install them; try: ${command}`);
}

const aptOptions = {
  stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
};

/** The one line that installs packages on this system, or undefined when its package manager is not known. */
function installCommand(packages) {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  const list = packages.join(' ');
  const managers = [
    ['apt-get', `apt-get update && ${sudo}apt-get install -y ${list}`],
    ['dnf', `dnf install -y ${list}`],
    ['pacman', `pacman -S --noconfirm ${list.replace('python3', 'python')}`],
    ['zypper', `zypper install -y ${list}`],
    ['apk', `apk add ${list}`],
  ];
  const found = managers.find(([name]) => runs(name, ['--version']));
  return found === undefined ? undefined : `${sudo}${found[1]}`;
}

function runs(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function say(text) {
  process.stderr.write(`assay: ${text}\n`);
}
