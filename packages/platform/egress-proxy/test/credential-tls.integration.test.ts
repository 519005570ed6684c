import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, verifies } from '@assay/testkit';
import { sessionWith } from './support/session.ts';

let cert: string;
let key: string;

beforeAll(async () => {
  await using folder = await temporaryFolder('assay-tls');
  const [keyFile, certFile] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=index.example'.split(' '),
      '-addext',
      'subjectAltName=DNS:index.example',
      '-keyout',
      keyFile,
      '-out',
      certFile,
    ],
    { stdio: 'ignore' },
  );
  [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
});

/** `index.example` with TLS, and a session that reaches it by the plain name `index.example:80`. */
async function index(handle: RequestListener, tls: { readonly ca?: string; readonly unverified?: boolean } = {}) {
  const server = createServer({ key, cert }, handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const to = `index.example:${port}`;
  const session = await sessionWith(
    {
      allow: [to],
      privateHosts: [to],
      credentials: [{ host: 'index.example:80', user: 'me', password: 'cAnArY', tls: { to, ca: cert, ...tls } }],
    },
    { lookup: async () => ['127.0.0.1'] },
  );
  return {
    to,
    session,
    get: (path: string) =>
      session.send(
        `GET http://index.example:80${path} HTTP/1.1\r\nHost: index.example:80\r\nConnection: close\r\n\r\n`,
      ),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a credential for a host that speaks TLS', () => {
  test('is added outside; links and redirects to that host lead back through here', async () => {
    verifies('network.credentials-tls');
    const seen: unknown[] = [];
    let port = '';
    await using server = await index((request, response) => {
      const { authorization, host, 'accept-encoding': encoding } = request.headers;
      seen.push({ url: request.url, authorization, host, encoding });
      if (request.url === '/old') response.writeHead(302, { location: `https://index.example${port}/new` }).end();
      else if (request.url === '/file')
        response.setHeader('Content-Type', 'application/zip').end(`https://index.example${port}/x`);
      else
        response
          .setHeader('Content-Type', 'text/html')
          .end(`<a href="https://index.example${port}/é.whl">a</a> <a href="https://index.example.org/b">b</a>`);
    });
    port = `:${server.to.split(':')[1]}`;
    const page = await server.get('/simple/a/');
    expect(page).toContain('<a href="http://index.example:80/');
    expect(page).toContain('<a href="https://index.example.org/b">');
    expect(await server.get('/old')).toContain('location: http://index.example:80/new');
    expect(await server.get('/file')).toContain(`https://index.example${port}/x`);
    expect(seen[0]).toEqual({
      url: '/simple/a/',
      authorization: `Basic ${Buffer.from('me:cAnArY').toString('base64')}`,
      host: server.to,
      encoding: 'identity',
    });
    const [first] = await server.session.logged(3);
    expect(first).toMatchObject({ host: 'index.example', port: Number(port.slice(1)), verdict: 'allowed' });
    expect(JSON.stringify(server.session.records)).not.toContain('cAnArY');
  });

  test('is not sent to a server whose certificate is not trusted', async () => {
    verifies('network.credentials-tls');
    const seen: unknown[] = [];
    await using server = await index((request, response) => response.end(String(seen.push(request.headers))), {
      ca: readFileSync('/etc/ssl/certs/ca-certificates.crt', 'utf8').split(/(?<=-----END CERTIFICATE-----)/)[0]!,
    });
    expect(await server.get('/')).toMatch(
      /^HTTP\/1\.1 502 index\.example:\d+ does not answer through TLS: self.signed/,
    );
    expect(seen).toEqual([]);
    expect(await server.session.logged(1)).toMatchObject([{ verdict: 'failed' }]);
  });

  test('a name on the list is still needed', async () => {
    verifies('network.credentials-tls');
    await using session = await sessionWith({
      allow: ['other.example'],
      credentials: [{ host: 'index.example:80', user: 'me', password: 'x', tls: { to: 'index.example:443' } }],
    });
    const answer = await session.send('GET http://index.example:80/ HTTP/1.1\r\nHost: index.example:80\r\n\r\n');
    expect(answer).toContain('403 index.example:443 is not an allowed host');
  });
});
