/** What one session may reach. Everything else is refused, with the reason. */
export interface EgressPolicy {
  /**
   * `host`, `host:port`, `.suffix` or `.suffix:port`; IPv6 in brackets. Without a port: 443 through CONNECT and 80 for
   * plain HTTP. A suffix means every name below it, not the name itself.
   */
  readonly allow: readonly string[];
  /** `host:port` that may have a private or loopback address, because a person configured exactly that host. */
  readonly privateHosts?: readonly string[];
  /** Proxies of the person's own machine that all connections go through. */
  readonly upstream?: UpstreamProxies;
  /** Added to plain HTTP requests, so that whoever asks never sees them. A tunnel is not opened: nothing is added there. */
  readonly credentials?: readonly HostCredential[];
  readonly limits?: Partial<EgressLimits>;
}

/** Proxy addresses (`http://[user:password@]host:port`, or https) by the scheme of what is asked for. */
export interface UpstreamProxies {
  readonly http?: string;
  readonly https?: string;
  /** Hosts that are reached directly: names, suffixes, addresses, `*`. */
  readonly noProxy?: readonly string[];
}

export interface HostCredential {
  /** `host:port`, as whoever asks names it. */
  readonly host: string;
  readonly user: string;
  readonly password: string;
  /** For a host that speaks TLS: plain requests for `host` are sent there, with the credential, through TLS that begins here. */
  readonly tls?: TlsTarget;
}

export interface TlsTarget {
  /** `host:port`, which must be allowed as a target of its own. */
  readonly to: string;
  /** Certificates (PEM) that are trusted instead of the usual ones. */
  readonly ca?: string;
  /** True only where a person configured that this host's certificate is not checked. */
  readonly unverified?: boolean;
}

export interface EgressLimits {
  /** At the same time. */
  readonly connections: number;
  /** In the whole session. */
  readonly totalConnections: number;
  /** Up and down together, of the whole session. */
  readonly bytes: number;
  readonly headerBytes: number;
  readonly connectSeconds: number;
  /** Without a byte in either direction. */
  readonly idleSeconds: number;
}

export const defaultEgressLimits: EgressLimits = {
  connections: 64,
  totalConnections: 20_000,
  bytes: 16 * 1024 ** 3,
  headerBytes: 16 * 1024,
  connectSeconds: 20,
  idleSeconds: 120,
};
