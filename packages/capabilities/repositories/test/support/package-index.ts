import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { pack, type Headers } from 'tar-stream';

export interface PackageIndexServer extends AsyncDisposable {
  /** For PIP_INDEX_URL. */
  readonly url: string;
}

export interface IndexedFile {
  readonly content: Buffer;
  /** What the index says of the content; its true sha256 when left out, nothing when null. */
  readonly hash?: string | null;
  readonly attributes?: string;
}

/** A simple index on the loopback interface: packages, and their files by name. */
export async function packageIndexServer(
  packages: Readonly<Record<string, Readonly<Record<string, IndexedFile>>>>,
): Promise<PackageIndexServer> {
  const server = createServer((request, response) => {
    const [, kind = '', name = '', file] = (request.url ?? '').split('/');
    const files = packages[name];
    if (kind === 'simple' && files !== undefined && !file) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(page(name, files));
      return;
    }
    const found = kind === 'files' && file !== undefined ? files?.[file] : undefined;
    if (found === undefined) response.writeHead(404).end('no such page');
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.content);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function page(name: string, files: Readonly<Record<string, IndexedFile>>): string {
  const links = Object.entries(files).map(([file, { content, hash, attributes = '' }]) => {
    const fragment = hash === null ? '' : `#${hash ?? `sha256=${sha256(content)}`}`;
    return `<a href="/files/${name}/${file}${fragment}" ${attributes}>${file}</a>`;
  });
  return `<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`;
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export type TarEntry = Partial<Headers> & { readonly name: string; readonly content?: string };

/** A `.tar.gz` of these entries as they are, however strange. */
export async function tarGz(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry(header, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

/** A zip of these files; a name may be anything, a mode is that of Unix. */
export function zip(
  files: readonly { readonly name: string; readonly content: string; readonly mode?: number }[],
): Buffer {
  const script = `import io, json, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
    for file in json.load(sys.stdin):
        info = zipfile.ZipInfo(file["name"])
        info.external_attr = file.get("mode", 0o100644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        target.writestr(info, file["content"])
sys.stdout.buffer.write(out.getvalue())`;
  return execFileSync('python3', ['-c', script], { input: JSON.stringify(files), maxBuffer: 64 * 1024 * 1024 });
}
