import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AssayError, errorText } from '@assay/foundation';
import type { DoctorCheck } from '@assay/contracts';
import { exists } from '@assay/files';
import { runGit } from '@assay/quest-repo';
import { describeInstaller } from '@assay/python-environments';
import { findPython, selfTest, type Sandbox } from '@assay/sandbox';

const LOW_DISK_BYTES = 2 * 1024 ** 3;

/** What this machine can run. Each check is tried for real; none throws. */
export async function machineChecks(home: string, sandbox: Sandbox): Promise<DoctorCheck[]> {
  const works = await asCheck('sandbox', async () => describeSandbox(sandbox));
  const holds =
    works.status === 'ok'
      ? await asCheck(SELF_TEST, async () => escapeTest(sandbox))
      : notTried(SELF_TEST, 'there is no sandbox to test');
  return [...(await toolChecks()), works, holds, await checkDisk(home)];
}

/** What can be said of this machine when its home cannot be written. */
export async function checksWithoutHome(home: string): Promise<DoctorCheck[]> {
  const why = 'the home cannot be written';
  const disk = checkDisk(await nearestFolder(home));
  return [...(await toolChecks()), notTried('sandbox', why), notTried(SELF_TEST, why), await disk];
}

const SELF_TEST = 'sandbox self-test';

function notTried(name: string, why: string): DoctorCheck {
  const hint = 'mend what is named above, then run "assay doctor" again';
  return { name, status: 'failed', found: 'it was not tried', why, hint };
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await exists(path)) ? path : nearestFolder(parent);
}

async function toolChecks(): Promise<DoctorCheck[]> {
  return [
    checkNode(),
    await asCheck('python3', async () => {
      const python = await findPython();
      return `Python ${python.version} at ${python.executable}`;
    }),
    await checkInstaller(),
    await asCheck('git', async () => (await runGit(['--version'], { cwd: '/' })).trim()),
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
