import { silentLogger, systemClock } from '@assay/foundation';
import type { Doctor, DoctorCheck } from '@assay/contracts';
import { createBubblewrapSandbox } from '@assay/sandbox';
import { openHome } from '../home/home.ts';
import { asCheck, machineChecks } from './machine-checks.ts';

/** What this machine can run, asked without a daemon. */
export async function runDoctor(home: string): Promise<Doctor> {
  const checks: DoctorCheck[] = [
    await asCheck('home', async () => `${(await openHome(home, systemClock.now())).root} can be written`),
  ];
  const sandbox = createBubblewrapSandbox({ home, logger: silentLogger, clock: systemClock });
  checks.push(...(await machineChecks(home, sandbox)));
  return { ok: checks.every((check) => check.status !== 'failed'), checks };
}
