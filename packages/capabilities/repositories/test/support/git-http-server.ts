import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface GitHttpServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711`; repositories lie below it by their path under the root. */
  readonly url: string;
  readonly host: string;
  /** Values of every Authorization header that came. */
  readonly authorizations: string[];
  /** Paths that were asked for. */
  readonly asked: string[];
}

export interface GitHttpOptions {
  readonly auth?: { readonly username: string; readonly password: string };
  /** Serves files alone, as a plain web server would. */
  readonly dumb?: boolean;
  /** Answers before git does: gives true when it did. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Arguments of the serving git, such as `-c uploadpack.allowAnySHA1InWant=false`. */
  readonly gitArgs?: readonly string[];
}

/** Git over HTTP on the loopback interface, for repositories below `root`. */
export async function gitHttpServer(root: string, options: GitHttpOptions = {}): Promise<GitHttpServer> {
  const authorizations: string[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const given = request.headers.authorization;
    if (given !== undefined) authorizations.push(given);
    asked.push(request.url ?? '');
    if (options.before?.(request, response) === true) return;
    if (options.auth !== undefined && given !== basic(options.auth)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"', 'content-type': 'text/plain' });
      response.end(`no entry with ${given ?? 'nothing'}\n`);
      return;
    }
    if (options.dumb === true) plainFile(root, request, response);
    else backend(root, { request, response, gitArgs: options.gitArgs ?? [] });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    authorizations,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export function basic({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function plainFile(root: string, request: IncomingMessage, response: ServerResponse): void {
  const path = join(root, new URL(request.url ?? '/', 'http://x').pathname);
  if (!existsSync(path) || !statSync(path).isFile()) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/plain' });
  createReadStream(path).pipe(response);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly gitArgs: readonly string[];
}

/** `git http-backend` speaks CGI: headers, an empty line, the body. */
function backend(root: string, { request, response, gitArgs }: Exchange): void {
  const url = new URL(request.url ?? '/', 'http://x');
  const child = spawn('git', ['-c', 'safe.directory=*', ...gitArgs, 'http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_USER: 'test',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  let head = Buffer.alloc(0);
  let started = false;
  child.stdout.on('data', (chunk: Buffer) => {
    if (started) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    started = true;
    const headers: Record<string, string> = {};
    for (const line of head.subarray(0, end).toString('utf8').split('\r\n')) {
      const [name = '', ...value] = line.split(': ');
      headers[name.toLowerCase()] = value.join(': ');
    }
    const { status = '200', ...rest } = headers;
    response.writeHead(Number(status.split(' ')[0]), rest);
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
}
