import { spawn } from 'node:child_process';
import { AssayError } from '@assay/foundation';
import { openBrowser } from '../open-browser.ts';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { findDaemon, type FoundDaemon } from '../daemon/find-daemon.ts';
import { homeFolder } from '../daemon/home-paths.ts';
import { daemonProgram, startDaemon } from '../daemon/start-daemon.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Session } from '../session.ts';

interface Options {
  readonly open?: boolean;
  readonly foreground?: boolean;
}

export const upCommand: AddCommand = (program, session) => {
  jsonOption(program.command('up'))
    .description('start the daemon of this home when none runs, and open its page')
    .option('--no-open', 'print the link of the page without opening a browser')
    .option('--foreground', 'run it in this terminal until Ctrl-C')
    .addHelpText('after', examples(['assay up', 'ASSAY_HOME=/data/assay assay up', 'assay up --foreground']))
    .action((options: Options) =>
      options.foreground === true ? inForeground(session) : up(session, options.open !== false),
    );
};

async function up(session: Session, mayOpen: boolean): Promise<void> {
  const home = homeFolder(session.io.env);
  const found = await findDaemon(home);
  const daemon: FoundDaemon = found ?? (await startDaemon(home, { env: session.io.env }));
  const started = found === undefined;
  const { url: page, expiresAt } = await daemon.client.createLink();
  const opened = mayOpen && session.io.interactive && openBrowser(page, session.io.env);
  session.answer({ url: daemon.url, pid: daemon.pid, started, home, page, expiresAt }, () =>
    [
      `${started ? 'started' : 'already running'}: ${daemon.url}`,
      `home: ${home}`,
      `page: ${page}`,
      opened ? 'it opens in your browser' : 'open the page within ten minutes; the link works once',
    ].join('\n'),
  );
}

async function inForeground(session: Session): Promise<void> {
  const home = homeFolder(session.io.env);
  const running = await findDaemon(home);
  if (running !== undefined)
    throw new AssayError('home_locked', 'a daemon of this home is running already', {
      why: `it answers at ${running.url}`,
      hint: 'stop it with "assay down"',
    });
  const child = spawn(process.execPath, [daemonProgram(session.io.env)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...session.io.env, ASSAY_HOME: home },
  });
  using _interrupt = session.io.onInterrupt(() => child.kill('SIGTERM'));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  session.exitCode = code === 0 ? exitCodes.ok : exitCodes.notConfigured;
}
