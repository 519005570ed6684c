import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { findPython, type PythonInterpreter } from '../src/index.ts';
import { bubblewrapSubject, run, specFor, type Subject } from './subject.ts';

const execute = promisify(execFile);
const QUESTION = 'import sys, json; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix]))';

async function ask(subject: Subject, interpreter: PythonInterpreter): Promise<readonly string[]> {
  await using instance = await subject.sandbox.create(specFor(subject, { interpreter }));
  const { output, exit } = await run(subject, instance, { argv: [interpreter.executable, '-c', QUESTION] });
  expect(exit, output).toMatchObject({ end: 'exited', exitCode: 0 });
  return JSON.parse(output) as string[];
}

describe('interpreters', () => {
  test('the default one is the real program, not a shim, and works inside', async () => {
    verifies('sandbox.interpreters');
    await using subject = await bubblewrapSubject();
    const python = await findPython();
    expect(python.executable).not.toContain('shims');
    expect(python.version).toMatch(/^3\.\d+\.\d+$/);
    expect(await ask(subject, python)).toEqual([python.executable, python.prefix, python.basePrefix]);
  });

  test.skipIf(!existsSync('/usr/bin/python3'))('that of the system needs no mounts', async () => {
    verifies('sandbox.interpreters');
    await using subject = await bubblewrapSubject();
    const python = await findPython('/usr/bin/python3');
    expect(python).toMatchObject({ prefix: '/usr', mounts: [] });
    expect((await ask(subject, python))[1]).toBe('/usr');
  });

  test('a virtual environment keeps its packages, through links too', async () => {
    verifies('sandbox.interpreters');
    await using subject = await bubblewrapSubject();
    const base = await findPython();
    const environment = join(subject.folder, 'env');
    await execute(base.executable, ['-m', 'venv', '--without-pip', environment]);
    const python = await findPython(join(environment, 'bin', 'python'));
    expect(python.executable).toBe(join(environment, 'bin', 'python'));
    expect(python.mounts).toContain(environment);
    const site = join(environment, 'lib', `python${python.version.split('.').slice(0, 2).join('.')}`, 'site-packages');
    writeFileSync(join(site, 'only_here.py'), 'value = 42\n');
    await using instance = await subject.sandbox.create(specFor(subject, { interpreter: python }));
    const script = 'import sys, only_here; print(sys.prefix, only_here.value)';
    const { output } = await run(subject, instance, { argv: ['python', '-c', script] });
    expect(output).toBe(`${environment} 42\n`);
  });

  test('one whose shared library lies outside its own folder finds it inside', async () => {
    verifies('sandbox.interpreters');
    await using subject = await bubblewrapSubject();
    await using elsewhere = await temporaryFolder();
    // A library that only a path written into a wrapper names stands for one that was built with such a path.
    const base = await findPython();
    const library = join(elsewhere.path, 'lib', 'libelsewhere.so');
    mkdirSync(join(elsewhere.path, 'lib'));
    copyFileSync(someSharedLibrary(base.basePrefix), library);
    const environment = join(subject.folder, 'env');
    await execute(base.executable, ['-m', 'venv', '--without-pip', environment]);
    const site = join(environment, 'lib', `python${base.version.split('.').slice(0, 2).join('.')}`, 'site-packages');
    writeFileSync(join(site, 'load.pth'), `import ctypes; ctypes.CDLL("${library}")\n`);
    const python = await findPython(join(environment, 'bin', 'python'));
    expect(python.mounts).toContain(join(elsewhere.path, 'lib'));
    await using instance = await subject.sandbox.create(specFor(subject, { interpreter: python }));
    const script = `print(open("/proc/self/maps").read().count("libelsewhere") > 0)`;
    const { output, exit } = await run(subject, instance, { argv: [python.executable, '-c', script] });
    expect(exit, output).toMatchObject({ exitCode: 0 });
    expect(output).toBe('True\n');
  });

  test('a missing one, and one that is no Python, are named', async () => {
    verifies('sandbox.interpreter-missing');
    await using folder = await temporaryFolder();
    const fake = join(folder.path, 'python');
    writeFileSync(fake, '#!/bin/sh\necho hello\n', { mode: 0o755 });
    for (const candidate of [fake, join(folder.path, 'missing'), '/bin/false'])
      await expect(findPython(candidate)).rejects.toMatchObject({
        code: 'interpreter_missing',
        message: `${candidate} is not a Python 3`,
        hint: expect.stringContaining('install Python 3') as string,
      });
  });

  test('an interpreter that would show the home is refused', async () => {
    verifies('sandbox.mounts-confined');
    await using subject = await bubblewrapSubject();
    const python = await findPython();
    const everything = { ...python, mounts: [subject.folder] };
    await expect(subject.sandbox.create(specFor(subject, { interpreter: everything }))).rejects.toMatchObject({
      code: 'sandbox_refused',
    });
    const root = { ...python, mounts: ['/'] };
    await expect(subject.sandbox.create(specFor(subject, { interpreter: root }))).rejects.toMatchObject({
      code: 'sandbox_refused',
    });
  });
});

/** An extension module of the standard library: small, and loadable by itself. */
function someSharedLibrary(prefix: string): string {
  const lib = join(prefix, 'lib');
  const folder = readdirSync(lib).find((name) => /^python3\.\d+$/.test(name))!;
  const loads = join(lib, folder, 'lib-dynload');
  return join(
    loads,
    readdirSync(loads).find((name) => name.startsWith('_json.') || name.startsWith('_struct.'))!,
  );
}
