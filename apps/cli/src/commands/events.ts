import type { AssayEvent } from '@assay/contracts';
import type { Client } from '@assay/client';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { connect } from '../daemon/connect.ts';
import { exitCodes } from '../exit-codes.ts';
import { numberFrom, wholeNumber } from '../option-values.ts';
import { safeText } from '../render/safe-text.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly follow?: boolean;
  readonly after: number;
  readonly limit: number;
}

export const eventsCommand: AddCommand = (program, session) => {
  jsonOption(program.command('events'))
    .description('print the journal of a quest')
    .argument('<quest>', 'the id of a quest')
    .option('--follow', 'go on with new events until Ctrl-C; with --json one line of JSON per event')
    .option('--after <seq>', 'only events with a greater number', wholeNumber, 0)
    .option('--limit <n>', 'at most this many events, up to 10000', numberFrom(1, 10_000), 1000)
    .addHelpText('after', examples(['assay events quest_01JD…', 'assay events quest_01JD… --follow --after 120']))
    .action(async (quest: string, options: Options) => {
      const client = await connect(session);
      if (options.follow === true) return follow(session, client, { quest, after: options.after });
      const page = await client.questEvents({ quest, query: { after: options.after, limit: options.limit } });
      session.answer(page, () => page.events.map(eventLine).join(''));
    });
};

async function follow(
  session: Session,
  client: Client,
  { quest, after }: { readonly quest: string; readonly after: number },
): Promise<void> {
  const stop = new AbortController();
  using _interrupt = session.io.onInterrupt(() => stop.abort());
  try {
    for await (const item of client.followQuest(quest, { after: String(after), signal: stop.signal })) {
      if (item.kind === 'reset') session.note('the journal was cut: its events follow again from the first');
      if (item.kind !== 'event') continue;
      session.io.stdout.write(session.json ? `${JSON.stringify(item.event)}\n` : eventLine(item.event));
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    session.exitCode = exitCodes.ok; // Ctrl-C is how a follower is left
  }
}

/** `12  2026-12-01T02:03:04.567Z  plan.task_started  dataset_profile  {…}` */
export function eventLine(event: AssayEvent): string {
  const scope = event.scope.task ?? event.scope.session ?? event.scope.plan ?? '';
  const data = JSON.stringify(event.data);
  const shown = data.length > 200 ? `${data.slice(0, 199)}…` : data;
  return `${[String(event.seq).padStart(5), event.at, event.type, scope, shown].map(safeText).join('  ')}\n`;
}
