import { request } from 'node:http';
import { systemClock, silentLogger, type Clock, type Logger } from '@assay/foundation';
import { createClient, type Client } from '@assay/client';
import { createHttpApi, serveHttp, type HttpApiOptions, type HttpServer } from '../../src/index.ts';
import { MemoryEngine } from './memory-engine.ts';

export const TOKEN = 'a'.repeat(64);

export interface Served extends AsyncDisposable {
  readonly engine: MemoryEngine;
  readonly server: HttpServer;
  readonly url: string;
  readonly client: Client;
  shutdowns: number;
}

export interface ServedOptions {
  readonly engine?: MemoryEngine;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly port?: number;
  readonly allowedOrigins?: readonly string[];
  readonly pageDir?: string;
}

export function apiOptions(engine: MemoryEngine, more: Partial<HttpApiOptions> = {}): HttpApiOptions {
  return {
    engine,
    token: TOKEN,
    version: '9.9.9',
    clock: systemClock,
    logger: silentLogger,
    onShutdown: () => undefined,
    pageUrl: () => 'http://127.0.0.1:4870',
    signal: new AbortController().signal,
    ...more,
  };
}

/** The whole interface over a memory engine, on a free port. */
export async function served(options: ServedOptions = {}): Promise<Served> {
  const { engine = new MemoryEngine(), clock = systemClock, logger = silentLogger, port = 0 } = options;
  const closing = new AbortController();
  const state = { shutdowns: 0 };
  const app = createHttpApi(
    apiOptions(engine, {
      clock,
      logger,
      signal: closing.signal,
      onShutdown: () => (state.shutdowns += 1),
      pageDir: options.pageDir,
      ...(options.allowedOrigins === undefined ? {} : { allowedOrigins: options.allowedOrigins }),
    }),
  );
  const server = await serveHttp({ app, host: '127.0.0.1', port, signal: closing.signal });
  return {
    engine,
    server,
    url: server.url,
    client: createClient({ baseUrl: server.url, token: TOKEN }),
    get shutdowns() {
      return state.shutdowns;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await server.close();
    },
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly socketPath?: string;
}

/** A request with headers that `fetch` does not let a caller set, such as Host. */
export function raw(
  url: string,
  { method = 'GET', headers = {}, body, socketPath }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(socketPath === undefined ? {} : { socketPath }) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const auth = { authorization: `Bearer ${TOKEN}` };

export function errorOf(answer: { readonly text: string }): {
  code: string;
  message: string;
  hint?: string;
  why?: string;
} {
  return (JSON.parse(answer.text) as { error: { code: string; message: string } }).error;
}
