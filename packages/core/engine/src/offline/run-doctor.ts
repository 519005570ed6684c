import { silentLogger, systemClock } from '@assay/foundation';
import type { Doctor, DoctorCheck } from '@assay/contracts';
import { createBubblewrapSandbox } from '@assay/sandbox';
import { openHome } from '../home/home.ts';
import { asCheck, checksWithoutHome, machineChecks } from './machine-checks.ts';

/** What this machine can run, asked without a daemon. */
export async function runDoctor(home: string): Promise<Doctor> {
  const ofHome = await asCheck('home', async () => `${(await openHome(home, systemClock.now())).root} can be written`);
  const sandbox = createBubblewrapSandbox({ home, logger: silentLogger, clock: systemClock });
  // A sandbox keeps its sockets and cgroups in the home: without one it could only be said to be broken, wrongly.
  const rest = await (ofHome.status === 'ok' ? machineChecks(home, sandbox) : checksWithoutHome(home));
  const checks: DoctorCheck[] = [ofHome, ...rest];
  return { ok: checks.every((check) => check.status !== 'failed'), checks };
}
