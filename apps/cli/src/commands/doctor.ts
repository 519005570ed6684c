import type { Doctor, DoctorCheck } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { homeFolder } from '../daemon/home-paths.ts';
import { exitCodes } from '../exit-codes.ts';
import { offline } from '../offline.ts';
import { safeText } from '../render/safe-text.ts';
import type { Colours } from '../render/style.ts';
import type { Session } from '../session.ts';

export const doctorCommand: AddCommand = (program, session) => {
  jsonOption(program.command('doctor'))
    .description('look at what this machine can run and what is missing (exit 3 when something needed is)')
    .addHelpText('after', examples(['assay doctor', 'assay doctor --json']))
    .action(() => doctor(session));
};

async function doctor(session: Session): Promise<void> {
  const { runDoctor } = await offline();
  const found = await runDoctor(homeFolder(session.io.env));
  session.exitCode = found.ok ? exitCodes.ok : exitCodes.notConfigured;
  session.answer(found, () => doctorText(found, session.colours('stdout')));
}

export function doctorText({ checks }: Doctor, colours: Colours): string {
  return checks.map((check) => checkText(check, colours)).join('');
}

function checkText({ name, status, found, why, hint }: DoctorCheck, colours: Colours): string {
  const marks = { ok: colours.green('✓ ok'), warning: colours.yellow('! warning'), failed: colours.red('✗ failed') };
  const lines = [`${marks[status]}  ${safeText(name)}: ${safeText(found)}`];
  if (why !== undefined) lines.push(`  why: ${safeText(why)}`);
  if (hint !== undefined) lines.push(`  do:  ${safeText(hint)}`);
  return lines.map((line) => `${line}\n`).join('');
}
