import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Resources } from '@assay/foundation';
import { createEgressProxy, type EgressPolicy, type EgressProxyOptions, type EgressRecord } from '../../src/index.ts';

export interface SessionSide extends AsyncDisposable {
  readonly records: readonly EgressRecord[];
  readonly proxy: ReturnType<typeof createEgressProxy>;
  /** Sends bytes to the proxy as a session would; resolves with all that comes back until it closes or `until` is seen. */
  send(text: string | Buffer, until?: string): Promise<string>;
  open(): Promise<Socket>;
  /** Waits for that many log lines. */
  logged(count: number): Promise<readonly EgressRecord[]>;
}

/** A proxy with a door on loopback, as the session's socket is one. */
export async function sessionWith(
  policy: EgressPolicy,
  options: Pick<EgressProxyOptions, 'lookup'> = {},
): Promise<SessionSide> {
  const records: EgressRecord[] = [];
  const proxy = createEgressProxy({ policy, onRecord: (record) => records.push(record), ...options });
  const door = createServer({ allowHalfOpen: true }, (socket) => proxy.accept(socket));
  const port = await listening(door);
  const opened = new Set<Socket>();
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    opened.add(socket);
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return {
    records,
    proxy,
    open,
    async send(text, until) {
      const socket = await open();
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
        if (until !== undefined && answer.includes(until)) socket.destroy();
      });
      socket.write(text);
      if (!socket.closed) await once(socket, 'close');
      return answer;
    },
    async logged(count) {
      for (let tries = 0; records.length < count && tries < 500; tries += 1)
        await new Promise((go) => setTimeout(go, 10));
      return records;
    },
    async [Symbol.asyncDispose]() {
      proxy[Symbol.dispose]();
      for (const socket of opened) socket.destroy();
      door.close();
      await once(door, 'close');
    },
  };
}

/** A plain HTTP server on loopback. */
export async function outside(handle: RequestListener): Promise<AsyncDisposable & { readonly host: string }> {
  const server = createHttpServer(handle);
  const port = await listening(server);
  return {
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A TCP server on loopback that hands over each connection. */
export async function outsideTcp(
  handle: (socket: Socket) => void,
): Promise<AsyncDisposable & { readonly host: string }> {
  const resources = new Resources();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    resources.defer(() => socket.destroy());
    handle(socket);
  });
  const port = await listening(server);
  return {
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await resources[Symbol.asyncDispose]();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A ClientHello as OpenSSL-based programs send it, for that name. */
export function clientHello(serverName?: string): Buffer {
  const name = Buffer.from(serverName ?? '', 'latin1');
  const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
  const list = Buffer.concat([Buffer.from([0]), u16(name.length), name]);
  const extension = Buffer.concat([u16(0), u16(list.length + 2), u16(list.length), list]);
  const other = Buffer.concat([u16(43), u16(3), Buffer.from([2, 3, 4])]);
  const extensions = serverName === undefined ? other : Buffer.concat([other, extension]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    u16(2),
    Buffer.from([0x13, 0x01]),
    Buffer.from([1, 0]),
    u16(extensions.length),
    extensions,
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), u16(body.length), body]);
  return Buffer.concat([Buffer.from([22, 3, 1]), u16(message.length), message]);
}
