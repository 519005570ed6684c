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
} as const satisfies Record<string, Requirement>;
