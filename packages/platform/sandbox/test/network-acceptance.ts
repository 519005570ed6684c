import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { findPython, type EgressPolicy, type PythonInterpreter, type SandboxSpec } from '../src/index.ts';
import { eventually, run, shell, specFor, start, type Subject } from './subject.ts';

/** A web server outside, and the policy that allows it. */
export async function serveGreeting(text = 'hello from outside') {
  const server = createServer((request, response) => response.end(`${text} ${request.url}`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    policy: { allow: [host], privateHosts: [host] } satisfies EgressPolicy,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const ASK = `
import os, sys, urllib.error, urllib.request
for address in sys.argv[1:]:
    try:
        print(urllib.request.urlopen(address, timeout=20).read().decode())
    except urllib.error.HTTPError as error:
        print(error.code, error.reason)
    except OSError as error:
        print(getattr(error, "reason", error))
`;

let known: Promise<PythonInterpreter> | undefined;
const python = () => (known ??= findPython());

async function allowSpec(subject: Subject, network: EgressPolicy, changes: Partial<SandboxSpec> = {}) {
  return specFor(subject, { interpreter: await python(), network, ...changes });
}

/** What every backend promises of a network that allows named hosts. */
export function networkAcceptance(make: () => Promise<Subject>): void {
  test('an allowed host is reached through the usual variables; another is refused by name and logged', async () => {
    verifies('network.allowed-host', 'network.logged');
    await using outside = await serveGreeting();
    await using subject = await make();
    await using instance = await subject.sandbox.create(await allowSpec(subject, outside.policy));
    const { executable } = await python();
    const { output, exit, session } = await run(subject, instance, {
      argv: [executable, '-c', ASK, `http://${outside.host}/x`, 'http://other.example/', 'https://other.example/'],
      env: { NO_PROXY: '*', no_proxy: '*' },
    });
    expect(output.split('\n')).toEqual([
      'hello from outside /x',
      '403 other.example:80 is not an allowed host',
      'Tunnel connection failed: 403 other.example:443 is not an allowed host',
      '',
    ]);
    expect(instance.attestation).toMatchObject({ network: 'allow', allowedHosts: [outside.host] });
    const [host, port] = outside.host.split(':');
    expect(exit.network).toMatchObject({ connections: 3, bytesDown: 21, moreHosts: 0 });
    expect(exit.network?.hosts).toMatchObject([
      { host, port: Number(port), verdict: 'allowed', addresses: ['127.0.0.1'], connections: 1, bytesDown: 21 },
      { host: 'other.example', port: 80, verdict: 'refused', reason: 'other.example:80 is not an allowed host' },
      { host: 'other.example', port: 443, verdict: 'refused', addresses: [] },
    ]);
    const lines = readFileSync(join(session.dir, 'network.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { verdict: string }).verdict)).toEqual([
      'allowed',
      'refused',
      'refused',
    ]);
  });

  test('a command with a network ends as one without: its exit code, its signal, TERM and grace', async () => {
    verifies('network.command-unchanged', 'sandbox.exit-code', 'sandbox.kill-grace');
    await using outside = await serveGreeting();
    await using subject = await make();
    await using instance = await subject.sandbox.create(await allowSpec(subject, outside.policy));
    expect((await run(subject, instance, shell('exit 7'))).exit).toMatchObject({ end: 'exited', exitCode: 7 });
    const { exit } = await run(subject, instance, shell('kill -SEGV $$; sleep 5'));
    expect(exit).toMatchObject({ end: 'signaled', signal: 'SIGSEGV' });
    // A shell that waits for all its children must not wait for the bridge.
    const waiting = await run(subject, instance, shell('true & wait; echo waited'));
    expect(waiting.output).toBe('waited\n');
    const session = await start(
      subject,
      instance,
      shell('trap "echo cleaned; exit 3" TERM; echo ready; sleep 30 & wait'),
    );
    await eventually(async () => (await session.read(0, 100)).includes('ready'));
    await session.kill('enough');
    expect(await session.wait()).toMatchObject({ end: 'killed', exitCode: 3 });
  });

  test('a command that did not start behind the bridge never counts as run', async () => {
    verifies('sandbox.setup-failed-never-ran');
    await using outside = await serveGreeting();
    await using subject = await make();
    await using instance = await subject.sandbox.create(await allowSpec(subject, outside.policy));
    const { exit } = await run(subject, instance, { argv: ['no-such-command', 'x'] });
    expect(exit).toMatchObject({ end: 'setup_failed', exitCode: null, signal: null });
    expect(exit.message).toBe('the command no-such-command could not be started: No such file or directory');
    const wrong = await run(subject, instance, { argv: ['true'], cwd: '/not/there' });
    expect(wrong.exit).toMatchObject({ end: 'setup_failed', exitCode: null });
    expect(wrong.exit.message).toContain('/not/there');
  });

  test('a policy that cannot be enforced is refused before anything runs', async () => {
    verifies('network.policy-refused');
    await using subject = await make();
    const refused = async (network: EgressPolicy, why: string) =>
      expect(subject.sandbox.create(await allowSpec(subject, network))).rejects.toMatchObject({
        code: 'sandbox_refused',
        why,
      });
    const shape = 'an entry is host, host:port, .suffix or .suffix:port';
    for (const entry of [
      '',
      '*',
      '*.example.org',
      'http://example.org',
      'a b',
      'example.org:0',
      'example.org:99999',
      '2130706433',
    ])
      await refused({ allow: [entry] }, shape);
    await refused({ allow: ['.org'] }, 'a suffix needs at least two labels, such as .example.org');
    await refused({ allow: [], privateHosts: ['127.0.0.1'] }, 'it must be host:port');
    const spec = specFor(subject, { network: { allow: ['example.org'] } });
    await expect(subject.sandbox.create(spec)).rejects.toMatchObject({ message: 'the network needs an interpreter' });
  });
}
