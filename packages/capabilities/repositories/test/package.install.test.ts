import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AssayError } from '@assay/foundation';
import { temporaryFolder, verifies } from '@assay/testkit';
import { exportRepository, inspectRepository, repoManifest, type ExportOptions } from '../src/index.ts';
import { filesIn } from './support/export-of.ts';
import { packageIndexServer, sha256, tarGz, zip, type IndexedFile, type TarEntry } from './support/package-index.ts';

const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const packages = { python };

const planted = ['PIP_INDEX_URL', 'PIP_FIND_LINKS', 'PIP_CONFIG_FILE', 'PIP_EXTRA_INDEX_URL', 'PIP_NO_INDEX'];
let before: Record<string, string | undefined>;
beforeEach(() => {
  before = Object.fromEntries(planted.map((name) => [name, process.env[name]]));
  for (const name of planted) delete process.env[name];
  process.env['PIP_CONFIG_FILE'] = '/dev/null';
});
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

async function failure(work: Promise<unknown>): Promise<AssayError> {
  return work.then(
    () => expect.fail('it was not refused'),
    (error: AssayError) => error,
  );
}

/** Serves these files as the package `model`, then finds and exports what `given` names. */
async function exported(
  files: Readonly<Record<string, IndexedFile>>,
  given: string,
  options: { readonly subfolder?: string } & Partial<ExportOptions> = {},
) {
  const folder = await temporaryFolder();
  await using server = await packageIndexServer({ model: files });
  process.env['PIP_INDEX_URL'] = server.url;
  const { subfolder, ...rest } = options;
  const signal = AbortSignal.timeout(60_000);
  try {
    const ref = await inspectRepository(given, { packages, subfolder, signal });
    const target = join(folder.path, 'export');
    const made = await exportRepository(ref, target, {
      cacheDir: join(folder.path, 'cache'),
      packages,
      signal,
      ...rest,
    });
    return { ...made, folder, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

const sdist = (version: string, ...more: TarEntry[]) =>
  tarGz([
    { name: `model-${version}/PKG-INFO`, content: 'Name: model\n' },
    { name: `model-${version}/setup.py`, content: 'open("/tmp/assay-setup-py-ran", "w")\n' },
    { name: `model-${version}/model/run.sh`, content: '#!/bin/sh\n', mode: 0o755 },
    { name: `model-${version}/model/predict.py`, content: `VERSION = "${version}"\n` },
    ...more,
  ]);

describe('a package of the index', () => {
  it('is unpacked from its source distribution, with version and hash, and runs nothing', async () => {
    verifies('repository.package');
    const two = await sdist('2.0');
    const files = {
      'model-1.0.tar.gz': { content: await sdist('1.0') },
      'model-2.0.tar.gz': { content: two },
      'model-2.0-py3-none-any.whl': { content: zip([{ name: 'model/predict.py', content: 'x = 1\n' }]) },
      'model-2.1.tar.gz': { content: await sdist('2.1'), attributes: 'data-yanked="broken"' },
      'model-3.0b1.tar.gz': { content: await sdist('3.0b1') },
      'model-4.0.tar.gz': { content: await sdist('4.0'), attributes: 'data-requires-python="&gt;=3.99"' },
    };
    await using newest = await exported(files, 'pypi:Model');
    expect(await filesIn(newest.path)).toEqual(['PKG-INFO', 'model/predict.py', 'model/run.sh', 'setup.py']);
    expect(readFileSync(join(newest.path, 'model/predict.py'), 'utf8')).toBe('VERSION = "2.0"\n');
    expect(statSync(join(newest.path, 'model/run.sh')).mode & 0o777).toBe(0o755);
    expect(newest.commit).toBeNull();
    expect(newest.notes).toContain(`model-2.0.tar.gz, sha256 ${sha256(two)}`);
    expect(existsSync('/tmp/assay-setup-py-ran')).toBe(false);
    await using named = await exported(files, 'pypi:model==2.1', { subfolder: 'model' });
    expect(await filesIn(named.path)).toEqual(['predict.py', 'run.sh']);
    expect(named.ref.package).toMatchObject({ version: '2.1', kind: 'sdist', hashName: 'sha256' });
    expect(named.notes).toContain('version 2.1 was withdrawn by its authors: broken');
    const manifest = await repoManifest(named, { signal: AbortSignal.timeout(60_000) });
    expect(manifest.source).toMatchObject({ kind: 'package', package: { name: 'model', version: '2.1' } });
    await using withdrawn = await exported(files, 'pypi:model==2.1');
    expect(withdrawn.notes).toContain('version 2.1 was withdrawn by its authors: broken');
  });

  it('is unpacked from a wheel of nothing but Python when there is no source distribution, and that is said', async () => {
    verifies('repository.package');
    const wheel = zip([
      { name: 'model/predict.py', content: 'x = 1\n' },
      { name: 'model-1.0.dist-info/METADATA', content: 'Name: model\n' },
    ]);
    await using made = await exported({ 'model-1.0-py3-none-any.whl': { content: wheel } }, 'pypi:model');
    expect(await filesIn(made.path)).toEqual(['model-1.0.dist-info/METADATA', 'model/predict.py']);
    expect(made.notes).toContain(
      'version 1.0 has no source distribution: its wheel, which holds only Python, was unpacked',
    );
    const zipped = zip([{ name: 'model-1.0/predict.py', content: 'x = 1\n' }]);
    await using old = await exported({ 'model-1.0.zip': { content: zipped, hash: null } }, 'pypi:model');
    expect(await filesIn(old.path)).toEqual(['predict.py']);
    expect(old.notes).toContain('the index gives no hash for this file: the hash of what came was recorded');
  });

  it('that is not there, has no such version or no readable file, was changed, or whose index is down is refused', async () => {
    verifies('repository.package', 'repository.remote-failures');
    const content = await sdist('1.0');
    const files = { 'model-1.0.tar.gz': { content } };
    expect(await failure(exported(files, 'pypi:modle'))).toMatchObject({ code: 'repository_missing' });
    const version = await failure(exported(files, 'pypi:model==7'));
    expect(version).toMatchObject({ code: 'repository_missing', hint: 'name one of them: pypi:model==1.0' });
    const changed = { 'model-1.0.tar.gz': { content, hash: `sha256=${'0'.repeat(64)}` } };
    expect(await failure(exported(changed, 'pypi:model'))).toMatchObject({ code: 'repository_changed' });
    const bz2 = { 'model-1.0.tar.bz2': { content } };
    expect(await failure(exported(bz2, 'pypi:model'))).toMatchObject({ code: 'repository_unsupported' });
    process.env['PIP_INDEX_URL'] = 'http://ada:cAnArY@127.0.0.1:1/simple/';
    const down = await failure(inspectRepository('pypi:model', { packages, signal: AbortSignal.timeout(60_000) }));
    expect(down.code).toBe('repository_unreachable');
    expect(JSON.stringify([down.message, down.why, down.details])).not.toContain('cAnArY');
    const options = { packages, signal: AbortSignal.timeout(60_000), timeoutSeconds: 0.01 };
    expect(await failure(inspectRepository('pypi:model', options))).toMatchObject({ code: 'task_timeout' });
    const none = { packages: { python: '/bin/false' }, signal: AbortSignal.timeout(60_000) };
    expect(await failure(inspectRepository('pypi:model', none))).toMatchObject({ code: 'not_configured' });
  });
});
