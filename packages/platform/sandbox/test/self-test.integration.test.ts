import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { selfTest, type Instance, type Sandbox, type SelfTestResult } from '../src/index.ts';
import { bubblewrapSubject } from './subject.ts';

const execute = promisify(execFile);

const attempts = [
  'files outside',
  'home folders',
  'network',
  'other processes',
  'capabilities',
  'new privileges',
  'system call filter',
  'kernel settings',
  'read-only root',
  'namespaces',
  'mounts',
  'environment',
  'descriptors',
  'memory bound',
];

describe('the quick self-test', () => {
  test('finds nothing, within two seconds', async () => {
    verifies('sandbox.self-test');
    await using subject = await bubblewrapSubject();
    await subject.sandbox.capabilities(); // The host is another matter.
    const results = await selfTest(subject.sandbox);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(results.map(({ name }) => name)).toEqual(attempts);
  });

  test('finds a boundary that is none', async () => {
    verifies('sandbox.self-test');
    await using subject = await bubblewrapSubject();
    const results = await selfTest(withoutBoundary(subject.sandbox));
    const broken = results.filter(({ passed }) => !passed).map(({ name }) => name);
    expect(broken).toEqual(
      expect.arrayContaining(['files outside', 'other processes', 'new privileges', 'system call filter']),
    );
  });

  test('a sandbox that cannot start is not one that holds', async () => {
    verifies('sandbox.self-test');
    await using subject = await bubblewrapSubject();
    const broken: Sandbox = { ...subject.sandbox, id: 'bubblewrap', create: () => Promise.reject(new Error('no')) };
    expect(await selfTest(broken)).toEqual([{ name: 'start', passed: false, detail: 'no' }]);
  });
});

/** Runs commands on this machine as they are and writes their output where a session would have it. */
function withoutBoundary(sandbox: Sandbox): Sandbox {
  return {
    id: sandbox.id,
    capabilities: () => sandbox.capabilities(),
    create: async (spec) => {
      const real = await sandbox.create(spec);
      const instance: Instance = {
        attestation: real.attestation,
        [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
        exec: async (command) => {
          const session = await real.exec({ ...command, argv: ['true'] });
          await session.wait();
          if (command.argv.includes('sh')) {
            const script = ['-c', 'exec "$@" > "$0" 2>/dev/null || true', join(command.sessionDir, 'output.log')];
            await execute('/bin/sh', [...script, ...command.argv.map(harmless)], {
              env: { CANARY: 'x', PATH: '/usr/bin:/bin' },
            });
          }
          return session;
        },
      };
      return instance;
    },
  };
}

/** Without a boundary the attempts at changing the machine must not be made. */
function harmless(argument: string): string {
  return argument
    .split('\n')
    .filter((line) => !/'(mounts|read-only root|kernel settings|namespaces)'/.test(line))
    .join('\n');
}

const NOBODY = 65534;
const canBecomeNobody = process.getuid?.() === 0 && isExecutable('/usr/bin/setpriv');

describe('a user without privileges', () => {
  test.skipIf(!canBecomeNobody)('has a sandbox that holds, by another way to limit', async () => {
    verifies('sandbox.works-unprivileged', 'sandbox.limits-ladder');
    await using folder = await temporaryFolder('assay-nobody');
    chmodSync(folder.path, 0o777);
    const bundle = join(folder.path, 'bundle');
    await cp(process.env['ASSAY_BUNDLE_DIR']!, bundle, { recursive: true });
    const driver = join(folder.path, 'unprivileged.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('./unprivileged.ts', import.meta.url))],
      outfile: driver,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    await mkdir(join(folder.path, 'work'));
    for (const path of [bundle, driver, join(folder.path, 'work')]) chmodSync(path, 0o777);
    const { stdout } = await execute(
      '/usr/bin/setpriv',
      [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', process.execPath, driver, folder.path],
      {
        env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ASSAY_BUNDLE_DIR: bundle, TMPDIR: folder.path },
        cwd: '/',
      },
    );
    const said = JSON.parse(stdout) as {
      readonly uid: number;
      readonly limits: string;
      readonly selfTest: readonly SelfTestResult[];
      readonly ends: Readonly<Record<string, unknown>>;
    };
    expect(said.uid).toBe(NOBODY);
    expect(said.selfTest.filter(({ passed }) => !passed)).toEqual([]);
    expect(said.selfTest.map(({ name }) => name)).toEqual(attempts);
    expect(said.ends).toEqual({ exit: 7, killed: 'killed', forks: 'bounded', written: 'by the sandbox\n' });
    expect(readFileSync(join(folder.path, 'work', 'made'), 'utf8')).toBe('by the sandbox\n');
  });
});

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
