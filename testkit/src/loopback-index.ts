import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Distribution } from './distributions.ts';

export interface LoopbackIndex extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
}

export interface LoopbackIndexOptions {
  readonly distributions: readonly Distribution[];
  /** Names of files that their authors withdrew. */
  readonly yanked?: readonly string[];
  /** Names of files of which the first download ends half way. */
  readonly cutOnce?: readonly string[];
}

/** A package index on loopback (PEP 503). */
export async function loopbackIndex(options: LoopbackIndexOptions): Promise<LoopbackIndex> {
  const files = new Map(options.distributions.map(({ file, bytes }) => [file, bytes]));
  const cut = new Set(options.cutOnce);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const file = path.replace('/files/', '');
    const bytes = files.get(file);
    if (bytes !== undefined) return void response.end(cut.delete(file) ? Buffer.alloc(bytes.length) : bytes);
    return page(response, path.split('/')[2] ?? '', { files, yanked: options.yanked ?? [] });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/simple/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function page(
  response: ServerResponse,
  project: string,
  { files, yanked }: { readonly files: ReadonlyMap<string, Buffer>; readonly yanked: readonly string[] },
): void {
  const links = [...files]
    .filter(([file]) => (file.split('-')[0] ?? '').replaceAll('_', '-').toLowerCase() === project)
    .map(([file, bytes]) => {
      const digest = createHash('sha256').update(bytes).digest('hex');
      return `<a href="/files/${file}#sha256=${digest}"${yanked.includes(file) ? ' data-yanked="broken"' : ''}>${file}</a>`;
    });
  response.statusCode = links.length === 0 ? 404 : 200;
  response.setHeader('Content-Type', 'text/html');
  response.end(`<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`);
}
