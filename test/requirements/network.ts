import type { Requirement } from '../requirements.ts';

const source = 'spec: sandbox, network';

export const networkRequirements = {
  'network.allowed-host': {
    says: 'A command reaches the hosts that its specification allows, through the usual proxy variables, and no other.',
    source,
  },
  'network.logged': {
    says: 'Every connection that a session asks for is logged with host, address, bytes and verdict, and summed in its exit record.',
    source,
  },
  'network.command-unchanged': {
    says: 'A command with a network returns its own exit code and signal and gets TERM and grace as one without.',
    source,
  },
  'network.policy-refused': {
    says: 'A list of allowed hosts that cannot be enforced is refused with the reason.',
    source,
  },
  'network.private-refused': {
    says: 'Private, loopback, link-local, metadata, mapped and other special addresses are refused unless a person configured exactly that host and port.',
    source,
  },
  'network.odd-addresses': { says: 'Addresses in decimal, octal, hexadecimal or short form are no hosts.', source },
  'network.smuggling-refused': {
    says: 'A request that names two hosts, a user, no host or two lengths is refused and goes nowhere.',
    source,
  },
  'network.resolved-once': {
    says: 'A name is resolved once, outside, and the checked address is the one used.',
    source,
  },
  'network.tunnel-name': { says: 'A tunnel carries TLS for the name that was allowed, and nothing else.', source },
  'network.limits': {
    says: 'Connections, bytes, headers and silence have bounds, and the end of a session ends all.',
    source,
  },
  'network.credentials-http': {
    says: 'Credentials granted for a host are added to plain requests outside, and never seen inside.',
    source: 'spec: secrets and data',
  },
  'network.credentials-tls': {
    says: 'Credentials granted for a host with TLS are added outside, its certificate is checked, and the session never sees them.',
    source: 'spec: secrets and data',
  },
  'network.upstream-proxy': { says: 'The proxy of the person’s own machine is used, for allowed hosts only.', source },
  'network.escape': {
    says: 'From a session with allowed hosts nothing else is reached: no other port, address form, name, socket or DNS, by no trick.',
    source: 'spec: escape suite',
  },
  'network.nothing-left': { says: 'The socket and the bridge of a session are gone with it.', source },
  'network.outlives-client': {
    says: 'The way out of a session lives in the session host and goes on when the daemon was killed.',
    source: 'decision 0017',
  },
} as const satisfies Record<string, Requirement>;
