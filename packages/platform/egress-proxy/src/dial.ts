import { lookup as systemLookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errorText } from '@assay/foundation';
import { isPublicAddress } from './address-policy.ts';
import { AllowList, exactHosts, type Scheme } from './allow-list.ts';
import { hostPortText, type HostPort } from './host-name.ts';
import type { EgressLimits, EgressPolicy } from './policy.ts';
import { failed, refused } from './refusal.ts';
import { UpstreamChoice, type Upstream } from './upstream.ts';

/** Resolves a name to addresses; the system's way unless a test gives another. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** A connection to where the target is reached: the pinned address, or the person's own proxy. */
export interface Dialed {
  readonly socket: Socket;
  readonly address: string;
  /** Set when the socket leads to a proxy that still has to be told the target. */
  readonly upstream: Upstream | undefined;
}

const MAX_ADDRESSES = 4;

/** Decides whether a target may be reached, and connects. A name is resolved once, and the address stays the one checked. */
export class Dialer {
  readonly #allowed: AllowList;
  readonly #privateHosts: ReadonlySet<string>;
  readonly #upstream: UpstreamChoice;
  readonly #limits: EgressLimits;
  readonly #lookup: Lookup;

  constructor(policy: EgressPolicy, limits: EgressLimits, lookup: Lookup = lookupAll) {
    this.#allowed = new AllowList(policy.allow);
    this.#privateHosts = exactHosts(policy.privateHosts ?? []);
    this.#upstream = new UpstreamChoice(policy.upstream);
    this.#limits = limits;
    this.#lookup = lookup;
  }

  /** Rejects with a Refusal. */
  async dial(target: HostPort, scheme: Scheme, signal: AbortSignal): Promise<Dialed> {
    if (!this.#allowed.permits(target, scheme)) throw refused(`${hostPortText(target)} is not an allowed host`);
    const mayBePrivate = this.#privateHosts.has(hostPortText(target));
    if (isIP(target.host) !== 0 && !mayBePrivate && !isPublicAddress(target.host))
      throw refused(`${target.host} is not a public address`);
    const upstream = this.#upstream.for(target, scheme);
    if (upstream !== undefined) return this.#dialUpstream(upstream, signal);
    const addresses = await this.#addresses(target, mayBePrivate);
    let last: unknown;
    for (const address of addresses)
      try {
        const socket = await this.#connected(() => connect({ host: address, port: target.port }), 'connect', signal);
        return { socket, address, upstream: undefined };
      } catch (error) {
        last = error;
        if (signal.aborted) break;
      }
    throw failed(`${hostPortText(target)} cannot be reached: ${errorText(last)}`);
  }

  async #addresses(target: HostPort, mayBePrivate: boolean): Promise<readonly string[]> {
    if (isIP(target.host) !== 0) return [target.host];
    let found: readonly string[];
    try {
      found = await this.#lookup(target.host);
    } catch (error) {
      throw failed(`the name ${target.host} cannot be resolved: ${errorText(error)}`);
    }
    const usable = found.filter((address) => mayBePrivate || isPublicAddress(address));
    if (usable.length === 0 && found.length > 0)
      throw refused(`${target.host} has the address ${found[0]}, which is not public`);
    if (usable.length === 0) throw failed(`the name ${target.host} has no address`);
    return usable.slice(0, MAX_ADDRESSES);
  }

  async #dialUpstream(upstream: Upstream, signal: AbortSignal): Promise<Dialed> {
    const { host, port, tls } = upstream;
    try {
      const socket = await this.#connected(
        () => (tls ? connectTls({ host, port, servername: isIP(host) === 0 ? host : '' }) : connect({ host, port })),
        tls ? 'secureConnect' : 'connect',
        signal,
      );
      return { socket, address: 'upstream', upstream };
    } catch (error) {
      throw failed(`the proxy of this machine (${hostPortText(upstream)}) cannot be reached: ${errorText(error)}`);
    }
  }

  #connected(open: () => Socket, ready: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = open();
      const settle = (error?: Error) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        socket.removeAllListeners('error');
        // Later errors close the socket; whoever holds it sees that.
        socket.on('error', () => undefined);
        if (error === undefined) {
          resolve(socket);
          return;
        }
        socket.destroy();
        reject(error);
      };
      const onAbort = () => settle(new Error('the session ended'));
      const timer = setTimeout(
        () => settle(new Error(`no answer within ${this.#limits.connectSeconds} s`)),
        this.#limits.connectSeconds * 1000,
      );
      if (signal.aborted) {
        onAbort();
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      socket.once(ready, () => settle());
      socket.once('error', settle);
    });
  }
}

async function lookupAll(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}
