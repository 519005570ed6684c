import { Option } from 'commander';
import { AssayError } from '@assay/foundation';
import { secretUse, usualUsername, type SecretInfo, type SecretUse } from '@assay/contracts';
import { examples, jsonOption, type AddCommand } from '../command-spec.ts';
import { connect } from '../daemon/connect.ts';
import { safeText } from '../render/safe-text.ts';
import { table } from '../render/table.ts';
import type { Io } from '../io.ts';

export const secretsCommand: AddCommand = (program, session) => {
  const secrets = program
    .command('secrets')
    .description('keep passwords for private repositories and package indexes, each for named hosts')
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(['assay secrets set team --host git.example.org < token.txt', 'assay secrets list']),
    );
  for (const add of [setCommand, listCommand, removeCommand]) add(secrets, session);
};

interface SetOptions {
  readonly host: readonly string[];
  readonly for: SecretUse;
  readonly username?: string;
}

const setCommand: AddCommand = (program, session) => {
  jsonOption(program.command('set'))
    .description('keep a password or token; it is read from standard input and never shown')
    .argument('<name>', 'what you call it')
    .requiredOption(
      '--host <host>',
      'the only host that it is sent to, with a port when the address has one; more than once for several',
      (host: string, before: readonly string[] | undefined) => [...(before ?? []), host],
    )
    .addOption(
      new Option('--for <use>', 'what it opens: a repository that is named with --secret, or an index of packages')
        .choices(secretUse.options)
        .default('repositories'),
    )
    .option(
      '--username <name>',
      `the user name that goes with it; when left out "${usualUsername.repositories}" for repositories, "${usualUsername.packages}" for packages`,
    )
    .addHelpText(
      'after',
      examples([
        'assay secrets set team --host git.example.org < token.txt',
        'assay secrets set index --for packages --host pypi.example.org --username ada < token.txt',
        'printenv GIT_TOKEN | assay secrets set team --host git.example.org:8443 --username ada',
      ]),
    )
    .action(async (name: string, { host, for: use, username }: SetOptions) => {
      const value = await valueFrom(session.io, name);
      const client = await connect(session);
      const body = { name, hosts: host.map(hostOf), use, value, ...(username === undefined ? {} : { username }) };
      const { secret } = await client.setSecret({ body });
      session.answer(
        { secret },
        () =>
          `${safeText(secret.name)} is kept for ${secret.hosts.map(safeText).join(', ')}${secret.use === 'packages' ? ' (packages)' : ''}\n`,
      );
    });
};

const listCommand: AddCommand = (program, session) => {
  jsonOption(program.command('list'))
    .description('list names, hosts, uses and user names; never a value')
    .addHelpText('after', examples(['assay secrets list', 'assay secrets list --json']))
    .action(async () => {
      const client = await connect(session);
      const answer = await client.listSecrets();
      session.answer(answer, () => secretListText(answer.secrets));
    });
};

const removeCommand: AddCommand = (program, session) => {
  jsonOption(program.command('remove'))
    .description('forget a secret')
    .argument('<name>', 'what you call it')
    .addHelpText('after', examples(['assay secrets remove team']))
    .action(async (name: string) => {
      const client = await connect(session);
      const answer = await client.removeSecret({ secret: name });
      session.answer(answer, () => `${safeText(answer.secret.name)} is forgotten\n`);
    });
};

const MOST_BYTES = 64 * 1024;

/** From a pipe or a file; on a terminal it is asked for and not shown. One line end at its end does not belong to it. */
async function valueFrom(io: Io, name: string): Promise<string> {
  const text = io.interactive
    ? await io.askHidden(`password or token for ${safeText(name)} (not shown): `)
    : await io.readInput(MOST_BYTES);
  const value = text.replace(/\r?\n$/, '');
  if (value !== '' && !/[\r\n]/.test(value)) return value;
  throw new AssayError('invalid_request', value === '' ? 'no password was given' : 'a password is one line', {
    why: 'it is read from standard input',
    hint: 'write: assay secrets set NAME --host HOST < file-with-the-token',
  });
}

/** `https://host/` is understood as the host. */
function hostOf(text: string): string {
  return text.replace(/^https?:\/\//i, '').replace(/\/.*$/, '');
}

export function secretListText(secrets: readonly SecretInfo[]): string {
  if (secrets.length === 0) return 'no secrets: "assay secrets set --help" shows how to keep one\n';
  const rows = secrets.map(({ name, hosts, use, username, createdAt }) =>
    [name, hosts.join(', '), use, username, createdAt ?? 'in config.yaml'].map(safeText),
  );
  return table(
    [{ title: 'name' }, { title: 'host' }, { title: 'for' }, { title: 'user name' }, { title: 'kept' }],
    rows,
  );
}
