import { BlockList, isIPv4 } from 'node:net';

/** IPv4 ranges that are not the public internet: IANA's special-purpose registry (RFC 6890), multicast and class E. */
const specialIPv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Inside 2000::/3, what still is not a plain public host: Teredo, ORCHID, benchmarks, documentation, 6to4. */
const specialIPv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [net, bits] of specialIPv4) special.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of specialIPv6) special.addSubnet(net, bits, 'ipv6');
const globalIPv6 = new BlockList();
globalIPv6.addSubnet('2000::', 3, 'ipv6');

/**
 * True for an address of the public internet. Of IPv6 only global unicast counts, so that mapped, NAT64, link-local,
 * unique-local and multicast addresses do not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return globalIPv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
