/** One connection, or one request of plain HTTP, that was asked for. */
export interface EgressRecord {
  /** When it ended, as an ISO instant. */
  readonly at: string;
  readonly kind: 'connect' | 'http';
  /** As asked for, without what cannot be shown; empty when the request named none. */
  readonly host: string;
  readonly port: number | null;
  /** The address that was connected to; `upstream` when the person's own proxy resolved the name. */
  readonly address: string | null;
  readonly verdict: 'allowed' | 'refused' | 'failed';
  readonly reason?: string;
  /** Bytes sent by the session and received by it. */
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly seconds: number;
}

/** What a session did on the network, by host. */
export interface EgressSummary {
  readonly connections: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  /** At most 100; the first ones. */
  readonly hosts: readonly EgressHost[];
  /** Hosts beyond those. */
  readonly moreHosts: number;
}

export interface EgressHost {
  readonly host: string;
  readonly port: number | null;
  readonly verdict: EgressRecord['verdict'];
  readonly addresses: readonly string[];
  readonly connections: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  /** Of the first record, for what was refused or failed. */
  readonly reason?: string;
}

const MAX_HOSTS = 100;
const MAX_ADDRESSES = 8;

/** Sums records by host, port and verdict, with a bound. */
export class EgressTotals {
  readonly #hosts = new Map<string, EgressHost>();
  readonly #more = new Set<string>();
  #connections = 0;
  #bytesUp = 0;
  #bytesDown = 0;

  add(record: EgressRecord): void {
    this.#connections += 1;
    this.#bytesUp += record.bytesUp;
    this.#bytesDown += record.bytesDown;
    const key = `${record.verdict} ${record.host} ${record.port}`;
    const known = this.#hosts.get(key);
    if (known === undefined && this.#hosts.size >= MAX_HOSTS) {
      if (this.#more.size < MAX_HOSTS) this.#more.add(key);
      return;
    }
    this.#hosts.set(key, known === undefined ? first(record) : joined(known, record));
  }

  summary(): EgressSummary {
    return {
      connections: this.#connections,
      bytesUp: this.#bytesUp,
      bytesDown: this.#bytesDown,
      hosts: [...this.#hosts.values()],
      moreHosts: this.#more.size,
    };
  }
}

function first(record: EgressRecord): EgressHost {
  const { host, port, verdict, address, bytesUp, bytesDown, reason } = record;
  const addresses = address === null ? [] : [address];
  return { host, port, verdict, addresses, connections: 1, bytesUp, bytesDown, ...(reason ? { reason } : {}) };
}

function joined(known: EgressHost, record: EgressRecord): EgressHost {
  const { address } = record;
  const isNew = address !== null && !known.addresses.includes(address) && known.addresses.length < MAX_ADDRESSES;
  return {
    ...known,
    addresses: isNew ? [...known.addresses, address] : known.addresses,
    connections: known.connections + 1,
    bytesUp: known.bytesUp + record.bytesUp,
    bytesDown: known.bytesDown + record.bytesDown,
  };
}
