import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { verifies } from '@assay/testkit';
import { clientHello, outside, outsideTcp, sessionWith } from './support/session.ts';

const connectTo = (host: string, more = '') => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
const get = (address: string, headers: string) => `GET ${address} HTTP/1.1\r\n${headers}\r\n\r\n`;
const statusOf = (answer: string) => answer.split('\r\n')[0];

describe('what is refused', () => {
  test.each([
    ['another host', connectTo('other.example:443'), '403 other.example:443 is not an allowed host'],
    ['another port', connectTo('index.example:8443'), '403 index.example:8443 is not an allowed host'],
    ['no port', connectTo('index.example'), '400 CONNECT needs a host name or address and a port'],
    ['a number for a host', connectTo('2130706433:443'), '400 CONNECT needs a host name or address and a port'],
    ['octal', connectTo('0177.0.0.1:443'), '400 CONNECT needs a host name or address and a port'],
    ['loopback', connectTo('127.0.0.1:443'), '403 127.0.0.1:443 is not an allowed host'],
    ['mapped loopback', connectTo('[::ffff:127.0.0.1]:443'), '403 [::ffff:7f00:1]:443 is not an allowed host'],
    ['metadata', connectTo('169.254.169.254:80'), '403 169.254.169.254:80 is not an allowed host'],
    ['all addresses', connectTo('0.0.0.0:443'), '403 0.0.0.0:443 is not an allowed host'],
    ['a user in CONNECT', connectTo('u:p@index.example:443'), '400 CONNECT needs a host name or address and a port'],
    [
      'two hosts in CONNECT',
      'CONNECT index.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n',
      '400 the Host header names another host than the request',
    ],
    ['a body in CONNECT', connectTo('index.example:443', 'Content-Length: 5\r\n'), '400 CONNECT has no body'],
    [
      'two hosts',
      get('http://index.example/x', 'Host: other.example'),
      '400 the Host header names another host than the request',
    ],
    [
      'another port in Host',
      get('http://index.example/x', 'Host: index.example:8080'),
      '400 the Host header names another host than the request',
    ],
    [
      'a user',
      get('http://u:p@index.example/x', 'Host: index.example'),
      '400 an address with a user name is not passed on',
    ],
    ['no host', get('/x', 'Host: index.example'), '400 a request to this proxy names a whole http:// address'],
    [
      'https in absolute form',
      get('https://index.example/x', 'Host: index.example'),
      '400 a request to this proxy names a whole http:// address',
    ],
    ['a number in an address', get('http://2130706433/x', 'Host: 127.0.0.1'), '400 the address names no usable host'],
    [
      'both lengths',
      'POST http://index.example/ HTTP/1.1\r\nHost: index.example\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400 this is not a request that a proxy understands',
    ],
    [
      'two lengths',
      'POST http://index.example/ HTTP/1.1\r\nHost: index.example\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
      '400 this is not a request that a proxy understands',
    ],
    [
      'a space before the colon',
      get('http://index.example/', 'Host : index.example'),
      '400 this is not a request that a proxy understands',
    ],
    [
      'a bare line feed',
      'GET http://index.example/ HTTP/1.1\nHost: index.example\n\n',
      '400 this is not a request that a proxy understands',
    ],
    ['no HTTP', '\x16\x03\x01hello\r\n\r\n', '400 this is not a request that a proxy understands'],
    [
      'a long header',
      get('http://index.example/', `Host: index.example\r\nX: ${'x'.repeat(20_000)}`),
      '431 the header is longer than 16384 bytes',
    ],
  ])('%s', async (_name, request, status) => {
    verifies('network.smuggling-refused', 'network.odd-addresses');
    await using session = await sessionWith(
      { allow: ['index.example', 'index.example:80'] },
      { lookup: async () => ['127.0.0.1'] },
    );
    expect(statusOf(await session.send(request))).toBe(`HTTP/1.1 ${status}`);
    expect(await session.logged(1)).toMatchObject([{ verdict: 'refused', address: null, reason: status.slice(4) }]);
  });

  test.each([
    '127.0.0.1',
    '10.0.0.8',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1',
    '224.0.0.1',
  ])('an allowed name that leads to %s', async (address) => {
    verifies('network.private-refused');
    await using session = await sessionWith({ allow: ['index.example'] }, { lookup: async () => [address] });
    const reason = `index.example has the address ${address}, which is not public`;
    expect(statusOf(await session.send(connectTo('index.example:443')))).toBe(`HTTP/1.1 403 ${reason}`);
    expect(statusOf(await session.send(get('http://index.example/', 'Host: index.example')))).toBe(
      `HTTP/1.1 403 ${reason}`,
    );
    expect(session.records).toMatchObject([
      { verdict: 'refused', reason },
      { verdict: 'refused', reason },
    ]);
  });

  test('a private host is reached only when a person configured that very host and port', async () => {
    verifies('network.private-refused');
    await using server = await outside((_request, response) => response.end('inside'));
    await using other = await outside((_request, response) => response.end('other'));
    const ask = (host: string) => get(`http://${host}/`, `Host: ${host}\r\nConnection: close`);
    await using session = await sessionWith({ allow: [server.host, other.host], privateHosts: [server.host] });
    expect(await session.send(ask(server.host))).toContain('inside');
    expect(statusOf(await session.send(ask(other.host)))).toBe('HTTP/1.1 403 127.0.0.1 is not a public address');
  });
});

describe('rebinding', () => {
  test('a name is resolved once, and the address that was checked is the one connected to', async () => {
    verifies('network.resolved-once');
    await using server = await outside((_request, response) => response.end('pinned'));
    const [, port] = server.host.split(':');
    let lookups = 0;
    const lookup = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['169.254.169.254']);
    const host = `index.example:${port}`;
    await using session = await sessionWith({ allow: [host], privateHosts: [host] }, { lookup });
    expect(await session.send(get(`http://${host}/`, `Host: ${host}\r\nConnection: close`))).toContain('pinned');
    expect(lookups).toBe(1);
    expect(session.records).toMatchObject([{ host: 'index.example', address: '127.0.0.1', verdict: 'allowed' }]);
  });

  test('of several addresses only public ones are tried', async () => {
    verifies('network.private-refused');
    await using session = await sessionWith(
      { allow: ['index.example'], limits: { connectSeconds: 0.2 } },
      { lookup: async () => ['10.0.0.1', '192.0.2.1'] },
    );
    const answer = await session.send(connectTo('index.example:443'));
    expect(statusOf(answer)).toBe('HTTP/1.1 403 index.example has the address 10.0.0.1, which is not public');
  });
});

describe('tunnels', () => {
  const tunnelTo = async (hello: Buffer | string, policy = {}) => {
    const seen: string[] = [];
    const server = await outsideTcp((socket) => {
      socket.on('data', (chunk: Buffer) => seen.push(chunk.toString('latin1')));
      socket.on('end', () => socket.end());
      socket.write('greeting of the server');
    });
    const host = `index.example:${server.host.split(':')[1]}`;
    const session = await sessionWith(
      { allow: [host], privateHosts: [host], ...policy },
      { lookup: async () => ['127.0.0.1'] },
    );
    const socket = await session.open();
    socket.write(connectTo(host));
    await once(socket, 'data');
    socket.write(hello);
    return { session, socket, seen, server };
  };

  test('TLS for the allowed name passes both ways and is counted', async () => {
    verifies('network.allowed-host', 'network.logged');
    const hello = clientHello('Index.Example');
    const { session, socket, seen, server } = await tunnelTo(hello);
    await using _server = server;
    await using _session = session;
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toBe('greeting of the server');
    socket.end('more');
    await session.logged(1);
    expect(seen.join('')).toBe(`${hello.toString('latin1')}more`);
    expect(session.records).toMatchObject([
      { kind: 'connect', verdict: 'allowed', address: '127.0.0.1', bytesUp: hello.length + 4, bytesDown: 22 },
    ]);
    expect(session.proxy.summary()).toMatchObject({ connections: 1, bytesUp: hello.length + 4, bytesDown: 22 });
  });

  test.each([
    ['another name', clientHello('other.example'), 'the tunnel asks for other.example instead of index.example'],
    ['no name', clientHello(), 'the tunnel asks for no host instead of index.example'],
    ['no TLS', 'GET / HTTP/1.1\r\nHost: other.example\r\n\r\n', 'a tunnel carries TLS and nothing else'],
    [
      'a greeting that never ends',
      Buffer.concat([Buffer.from([22, 3, 1, 255, 255, 1, 0, 255, 255]), Buffer.alloc(40_000)]),
      'a tunnel carries TLS and nothing else',
    ],
  ])('a tunnel with %s reaches nothing', async (_name, hello, reason) => {
    verifies('network.tunnel-name');
    const { session, seen, server } = await tunnelTo(hello);
    await using _server = server;
    await using _session = session;
    expect(await session.logged(1)).toMatchObject([{ verdict: 'refused', reason }]);
    expect(seen).toEqual([]);
  });

  test('a greeting in many small parts is read as one', async () => {
    verifies('network.tunnel-name');
    const hello = clientHello('index.example');
    const { session, socket, seen, server } = await tunnelTo(hello.subarray(0, 3));
    await using _server = server;
    await using _session = session;
    for (const byte of hello.subarray(3)) socket.write(Buffer.from([byte]));
    await once(socket, 'data');
    socket.end();
    await session.logged(1);
    expect(seen.join('')).toBe(hello.toString('latin1'));
  });
});

describe('limits', () => {
  const slow = () => outsideTcp(() => undefined);

  test('too many at the same time, and too many in all', async () => {
    verifies('network.limits');
    await using server = await slow();
    const ask = get(`http://${server.host}/`, `Host: ${server.host}`);
    const policy = { allow: [server.host], privateHosts: [server.host] };
    await using session = await sessionWith({ ...policy, limits: { connections: 2 } });
    const held = await Promise.all([session.open(), session.open()]);
    for (const socket of held) socket.write(ask);
    await new Promise((go) => setTimeout(go, 100));
    expect(statusOf(await session.send(ask))).toBe('HTTP/1.1 429 more than 2 connections at the same time');
    await using quick = await outside((_request, response) => response.end('ok'));
    const askQuick = get(`http://${quick.host}/`, `Host: ${quick.host}\r\nConnection: close`);
    await using few = await sessionWith({
      allow: [quick.host],
      privateHosts: [quick.host],
      limits: { totalConnections: 2 },
    });
    const statuses = [await few.send(askQuick), await few.send(askQuick), await few.send(askQuick)].map(statusOf);
    expect(statuses).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 429 more than 2 connections in one session',
    ]);
  });

  test('bytes end what passes them, and what comes after', async () => {
    verifies('network.limits');
    await using server = await outside((_request, response) => response.end(Buffer.alloc(3_000_000, 'x')));
    const ask = get(`http://${server.host}/`, `Host: ${server.host}\r\nConnection: close`);
    await using session = await sessionWith({
      allow: [server.host],
      privateHosts: [server.host],
      limits: { bytes: 1_000_000 },
    });
    expect((await session.send(ask)).length).toBeLessThan(2_000_000);
    expect(statusOf(await session.send(ask))).toBe('HTTP/1.1 429 more than 1000000 bytes in one session');
    expect(session.records).toMatchObject([{ verdict: 'failed' }, { verdict: 'refused' }]);
  });

  test('silence ends a connection, and so does the end of the session', async () => {
    verifies('network.limits');
    await using server = await slow();
    const ask = get(`http://${server.host}/`, `Host: ${server.host}`);
    const policy = { allow: [server.host], privateHosts: [server.host] };
    await using session = await sessionWith({ ...policy, limits: { idleSeconds: 0.2 } });
    expect(statusOf(await session.send(ask))).toBe(`HTTP/1.1 502 ${server.host} broke the connection`);
    await using ended = await sessionWith(policy);
    const answer = ended.send(ask);
    await new Promise((go) => setTimeout(go, 100));
    ended.proxy[Symbol.dispose]();
    expect(await answer).toBe('');
    expect(await ended.logged(1)).toMatchObject([{ verdict: 'failed' }]);
  });
});

describe('what is passed on', () => {
  test('a request keeps its own headers, loses those of the hop, and gets the credentials granted for its host', async () => {
    verifies('network.credentials-http');
    const seen: unknown[] = [];
    await using server = await outside((request, response) => {
      seen.push({ url: request.url, headers: request.headers });
      response.setHeader('X-Answer', 'yes').end();
    });
    await using session = await sessionWith({
      allow: [server.host],
      privateHosts: [server.host],
      credentials: [{ host: server.host, user: 'reader', password: 'päss:word' }],
    });
    const headers = `Host: ${server.host}\r\nAccept: text/html\r\nProxy-Authorization: Basic eA==\r\nX-Hop: 1\r\nConnection: close, x-hop\r\nAuthorization: Basic own`;
    const answer = await session.send(get(`http://${server.host}/simple/a%20b/?q=1`, headers));
    expect(answer).toContain('x-answer: yes');
    expect(seen).toEqual([
      {
        url: '/simple/a%20b/?q=1',
        headers: {
          host: server.host,
          accept: 'text/html',
          connection: 'close',
          authorization: 'Basic cmVhZGVyOnDDpHNzOndvcmQ=',
        },
      },
    ]);
  });

  test('a body arrives, chunked too, and connections are used again', async () => {
    verifies('network.allowed-host');
    await using server = await outside((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.end(`[${body}]`));
    });
    await using session = await sessionWith({ allow: [server.host], privateHosts: [server.host] });
    const post = (rest: string) => `POST http://${server.host}/ HTTP/1.1\r\nHost: ${server.host}\r\n${rest}`;
    const answer = await session.send(
      `${post('Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n')}${post('Content-Length: 3\r\nConnection: close\r\n\r\ndef')}`,
    );
    expect(answer).toContain('[abc]');
    expect(answer).toContain('[def]');
    expect(session.records).toMatchObject([
      { bytesUp: 3, bytesDown: 5 },
      { bytesUp: 3, bytesDown: 5 },
    ]);
  });
});

describe('the proxy of the person’s own machine', () => {
  const upstreamProxy = (seen: string[], answer: string) =>
    outsideTcp((socket) => {
      socket.on('data', (chunk: Buffer) => {
        seen.push(chunk.toString('latin1'));
        if (seen.length === 1) socket.write(answer);
        if (answer.startsWith('HTTP/1.1 200 OK')) socket.end();
      });
    });

  test('a tunnel goes through it with its credentials, and only allowed hosts do', async () => {
    verifies('network.upstream-proxy');
    const seen: string[] = [];
    await using proxy = await upstreamProxy(seen, 'HTTP/1.1 200 Connection established\r\n\r\n');
    await using session = await sessionWith({
      allow: ['index.example'],
      upstream: { https: `http://me:secret@${proxy.host}` },
    });
    expect(statusOf(await session.send(connectTo('other.example:443')))).toContain('403');
    expect(seen).toEqual([]);
    const socket = await session.open();
    socket.write(connectTo('index.example:443'));
    await once(socket, 'data');
    const hello = clientHello('index.example');
    socket.write(hello);
    while (seen.length < 2) await new Promise((go) => setTimeout(go, 5));
    expect(seen).toEqual([
      'CONNECT index.example:443 HTTP/1.1\r\nHost: index.example:443\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n',
      hello.toString('latin1'),
    ]);
    socket.destroy();
    expect((await session.logged(2))[1]).toMatchObject({ verdict: 'allowed', address: 'upstream' });
  });

  test('a plain request goes through it in absolute form, except to hosts of NO_PROXY', async () => {
    verifies('network.upstream-proxy');
    const seen: string[] = [];
    await using proxy = await upstreamProxy(seen, 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nthrough');
    await using direct = await outside((_request, response) => response.end('direct'));
    await using session = await sessionWith({
      allow: ['index.example:80', direct.host],
      privateHosts: [direct.host],
      upstream: { http: proxy.host, noProxy: ['127.0.0.1', '.internal'] },
    });
    const close = 'Connection: close';
    expect(await session.send(get('http://index.example/a', `Host: index.example\r\n${close}`))).toContain('through');
    expect(seen[0]).toContain('GET http://index.example/a HTTP/1.1\r\n');
    expect(await session.send(get(`http://${direct.host}/`, `Host: ${direct.host}\r\n${close}`))).toContain('direct');
  });

  test('one that refuses, and one that is no HTTP proxy, are named', async () => {
    verifies('network.upstream-proxy');
    await using proxy = await upstreamProxy([], 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    await using session = await sessionWith({ allow: ['index.example'], upstream: { https: `http://${proxy.host}` } });
    expect(statusOf(await session.send(connectTo('index.example:443')))).toBe(
      'HTTP/1.1 502 the proxy of this machine answered 407 for index.example:443',
    );
    await expect(sessionWith({ allow: [], upstream: { https: 'socks5://127.0.0.1:1080' } })).rejects.toMatchObject({
      code: 'config_invalid',
      why: 'socks5://127.0.0.1:1080 is not an HTTP proxy',
    });
  });
});
