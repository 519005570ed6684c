import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PythonInterpreter } from '@assay/sandbox';

const run = promisify(execFile);
const maker = fileURLToPath(new URL('make_packages.py', import.meta.url));

export interface TestPackage {
  readonly name: string;
  readonly version: string;
  readonly requires?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Python that runs while it is built: makes it a source distribution. */
  readonly sdist?: string;
}

/** Writes wheels and source distributions into a folder. */
export async function makePackages(
  python: PythonInterpreter,
  folder: string,
  packages: readonly TestPackage[],
): Promise<void> {
  await run(python.executable, [maker, folder, JSON.stringify(packages)]);
}

export interface TestIndex extends AsyncDisposable {
  readonly host: string;
  readonly url: string;
  readonly asked: readonly IncomingMessage[];
}

/** A package index on loopback (PEP 503) over a folder; `linksTo` is where its pages say that the files are. */
export async function serveIndex(
  folder: string,
  options: { linksTo?: string; hang?: boolean; auth?: string } = {},
): Promise<TestIndex> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    if (options.hang === true) return;
    if (options.auth !== undefined && request.headers.authorization !== basic(options.auth)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
      return;
    }
    const path = decodeURIComponent(request.url ?? '/');
    const file = join(folder, path.replace('/files/', ''));
    if (path.startsWith('/files/') && existsSync(file)) {
      createReadStream(file).pipe(response);
      return;
    }
    const project = /^\/simple\/([a-z0-9-]+)\/$/.exec(path)?.[1];
    const names = readdirSync(folder).filter((name) => project !== undefined && name.startsWith(`${project}-`));
    response.statusCode = names.length === 0 ? 404 : 200;
    response.setHeader('Content-Type', 'text/html');
    response.end(names.map((name) => `<a href="${options.linksTo ?? ''}/files/${name}">${name}</a>`).join('\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/simple/`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function basic(auth: string): string {
  return `Basic ${Buffer.from(auth).toString('base64')}`;
}
