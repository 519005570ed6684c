import type { Doctor, DoctorCheck } from '@assay/contracts';
import type { EngineDeps } from '../deps.ts';

/** What this machine can run, and which quests have a problem. */
export async function doctor(deps: EngineDeps): Promise<Doctor> {
  const checks = [...(await deps.machineChecks()), ...(await questChecks(deps))];
  return { ok: checks.every((check) => check.status !== 'failed'), checks };
}

async function questChecks(deps: EngineDeps): Promise<DoctorCheck[]> {
  const { quests, broken } = await deps.quests.all();
  const notes = quests.flatMap(({ quest, journal }) =>
    journal.notes.map((note): DoctorCheck => ({ name: `quest ${quest.id}`, status: 'warning', found: note })),
  );
  const problems = broken.map(({ id, problem }): DoctorCheck => ({
    name: `quest ${id}`,
    status: 'failed',
    found: problem.message,
    ...(problem.why === undefined ? {} : { why: problem.why }),
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
  }));
  const summary: DoctorCheck = { name: 'quests', status: 'ok', found: `${quests.length} quests can be read` };
  return [summary, ...notes, ...problems];
}
