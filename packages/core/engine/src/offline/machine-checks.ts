import { statfs } from 'node:fs/promises';
import { AssayError, errorText } from '@assay/foundation';
import type { DoctorCheck } from '@assay/contracts';
import { runGit } from '@assay/quest-repo';
import { describeInstaller } from '@assay/python-environments';
import { findPython, selfTest, type Sandbox } from '@assay/sandbox';

const LOW_DISK_BYTES = 2 * 1024 ** 3;

/** What this machine can run. Each check is tried for real; none throws. */
export async function machineChecks(home: string, sandbox: Sandbox): Promise<DoctorCheck[]> {
  return [
    checkNode(),
    await asCheck('python3', async () => {
      const python = await findPython();
      return `Python ${python.version} at ${python.executable}`;
    }),
    await checkInstaller(),
    await asCheck('git', async () => (await runGit(['--version'], { cwd: '/' })).trim()),
    await asCheck('sandbox', async () => describeSandbox(sandbox)),
    await asCheck('sandbox self-test', async () => escapeTest(sandbox)),
    await checkDisk(home),
  ];
}

function checkNode(): DoctorCheck {
  return { name: 'node', status: 'ok', found: `Node ${process.versions.node}` };
}

/** Only some repositories need packages, so that a missing pip is a warning. */
async function checkInstaller(): Promise<DoctorCheck> {
  const check = await asCheck('packages', async () => {
    const { found, notes } = await describeInstaller(await findPython(), process.env);
    return [found, ...notes].join('; ');
  });
  return check.status === 'failed' ? { ...check, status: 'warning' } : check;
}

async function describeSandbox(sandbox: Sandbox): Promise<string> {
  const found = await sandbox.capabilities();
  if (!found.usable)
    throw new AssayError('sandbox_unavailable', `${sandbox.id} does not work here`, {
      ...(found.why === undefined ? {} : { why: found.why }),
      ...(found.hint === undefined ? {} : { hint: found.hint }),
    });
  return `${sandbox.id} ${found.version ?? ''}, limits by ${found.limits}, seccomp ${found.seccomp ? 'on' : 'off'}`;
}

async function escapeTest(sandbox: Sandbox): Promise<string> {
  const results = await selfTest(sandbox);
  const broken = results.filter((result) => !result.passed);
  if (broken.length === 0) return `${results.length} attempts to escape failed, as they must`;
  throw new AssayError('sandbox_unavailable', 'the sandbox does not hold', {
    why: broken.map((result) => `${result.name}: ${result.detail}`).join('; '),
    hint: 'do not run code from others on this machine until this is mended',
  });
}

async function checkDisk(home: string): Promise<DoctorCheck> {
  return asCheck('disk', async () => {
    const { bavail, bsize } = await statfs(home);
    const free = bavail * bsize;
    if (free < LOW_DISK_BYTES)
      throw new AssayError('disk_full', `only ${gib(free)} GiB are free under ${home}`, { hint: 'free some space' });
    return `${gib(free)} GiB free under ${home}`;
  });
}

function gib(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}

export async function asCheck(name: string, work: () => Promise<string>): Promise<DoctorCheck> {
  try {
    return { name, status: 'ok', found: await work() };
  } catch (error) {
    const { why, hint } = error instanceof AssayError ? error : { why: undefined, hint: undefined };
    return {
      name,
      status: 'failed',
      found: errorText(error),
      ...(why === undefined ? {} : { why }),
      ...(hint === undefined ? {} : { hint }),
    };
  }
}
