import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errorText } from '@assay/foundation';
import type { ProxyContext } from './context.ts';
import type { Dialed } from './dial.ts';
import { hostPortText, parseHostPort, type HostPort } from './host-name.ts';
import type { HostCredential, TlsTarget } from './policy.ts';
import { failed } from './refusal.ts';
import { askUpstream } from './tunnel.ts';

export interface Grant {
  readonly credential: HostCredential;
  /** Where a request for the credential's host really goes. */
  readonly target: HostPort;
}

/** The credential of the host that a request names. */
export function grantFor(credentials: readonly HostCredential[], asked: HostPort): Grant | undefined {
  const name = hostPortText(asked);
  const credential = credentials.find(({ host }) => host.toLowerCase() === name);
  if (credential === undefined) return undefined;
  return { credential, target: credential.tls === undefined ? asked : (parseHostPort(credential.tls.to) ?? asked) };
}

/** TLS to the target over a connection that was dialed for it, the person's own proxy in between included. */
export async function throughTls(
  context: ProxyContext,
  dialed: Dialed,
  { target, tls }: { readonly target: HostPort; readonly tls: TlsTarget },
): Promise<Dialed> {
  const { socket, upstream, address } = dialed;
  const seconds = context.limits.connectSeconds;
  try {
    if (upstream !== undefined) await askUpstream(socket, upstream, { target, seconds });
    const secured = connectTls({
      socket,
      host: target.host,
      servername: isIP(target.host) === 0 ? target.host : '',
      rejectUnauthorized: tls.unverified !== true,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1000);
      const onAbort = () => reject(new Error('the session ended'));
      context.signal.addEventListener('abort', onAbort, { once: true });
      const settle = (error?: Error) => {
        clearTimeout(timer);
        context.signal.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      };
      secured.once('secureConnect', () => settle());
      secured.once('error', settle);
      secured.once('close', () => settle(new Error('the connection was closed')));
    });
    secured.on('error', () => secured.destroy());
    return { socket: secured, address, upstream: undefined };
  } catch (error) {
    socket.destroy();
    throw failed(`${hostPortText(target)} does not answer through TLS: ${errorText(error)}`);
  }
}
