import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@assay/testkit';
import { served, TOKEN, type Served } from '../../../../packages/surfaces/http-api/test/support/serve.ts';

export interface ServedHome extends AsyncDisposable {
  readonly path: string;
  readonly api: Served;
  readonly engine: Served['engine'];
}

/** A home whose daemon is this process: the real HTTP interface over an engine in memory. */
export async function servedHome(): Promise<ServedHome> {
  const folder = await temporaryFolder('assay-home');
  const path = await realpath(folder.path);
  const api = await served();
  api.engine.home = path;
  await writeRuntime(path, { pid: process.pid, url: api.url });
  return {
    path,
    api,
    engine: api.engine,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export async function writeRuntime(home: string, file: { readonly pid: number; readonly url: string }): Promise<void> {
  await mkdir(join(home, 'runtime'), { recursive: true });
  await writeFile(join(home, 'runtime', 'daemon.json'), JSON.stringify(file));
  await writeFile(join(home, 'runtime', 'token'), `${TOKEN}\n`);
}
