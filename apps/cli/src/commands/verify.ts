import type { Mismatch, Verification } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { homeFolder } from '../daemon/home-paths.ts';
import { exitCodes } from '../exit-codes.ts';
import { offline } from '../offline.ts';
import { safeText } from '../render/safe-text.ts';
import type { Colours } from '../render/style.ts';
import { table } from '../render/table.ts';
import type { Session } from '../session.ts';

const MAX_ROWS = 100;

export const verifyCommand: AddCommand = (program, session) => {
  jsonOption(program.command('verify'))
    .description(
      'compute every number of a plan, comparison or quest again from its sources (exit 1 unless there are some and all are confirmed)',
    )
    .argument('<ref>', 'the id of a plan, a comparison or a quest')
    .addHelpText('after', examples(['assay verify plan_01JD…', 'assay verify quest_01JD… --json']))
    .action((ref: string) => verify(session, ref));
};

async function verify(session: Session, ref: string): Promise<void> {
  const { verifyOffline } = await offline();
  const began = performance.now();
  const verification = await verifyOffline(homeFolder(session.io.env), ref);
  const seconds = (performance.now() - began) / 1000;
  const { ok, total, mismatches } = verification;
  session.exitCode = total > 0 && ok === total && mismatches.length === 0 ? exitCodes.ok : exitCodes.failedWork;
  session.answer(verification, () => verificationText(verification, session.colours('stdout'), seconds));
}

export function verificationText({ ok, total, mismatches }: Verification, colours: Colours, seconds: number): string {
  const rows = mismatches
    .slice(0, MAX_ROWS)
    .map((mismatch) => [
      safeText(mismatch.evidenceId),
      shown(mismatch.claimed),
      shown(mismatch.recomputed),
      colours.red(reasonText(mismatch)),
      safeText(mismatch.source),
    ]);
  const columns = [
    { title: 'evidence' },
    { title: 'claimed', align: 'right' },
    { title: 'recomputed', align: 'right' },
    { title: 'reason' },
    { title: 'source' },
  ] as const;
  const list = rows.length === 0 ? '' : table(columns, rows);
  const more = mismatches.length > rows.length ? `… and ${mismatches.length - rows.length} more (see --json)\n` : '';
  if (total === 0) return `${colours.red('✗ there are no numbers to verify')}\n`;
  const all = ok === total && mismatches.length === 0;
  const counts = `${ok} of ${total} numbers confirmed in ${seconds.toFixed(1)} s`;
  return `${list}${more}${all ? colours.green(`✓ ${counts}`) : colours.red(`✗ ${counts}`)}\n`;
}

function shown(value: number | null): string {
  return value === null ? '–' : String(value);
}

function reasonText({ reason, source }: Mismatch): string {
  if (!source.startsWith('documents/') || reason === 'mismatch') return reason.replaceAll('_', ' ');
  return reason === 'source_missing' ? 'the report is gone' : 'the report is not the one that was written';
}
