// Non-public addresses. Users who may set hooks could reach them through workers, so they are rejected unless a setting
// allows them.

import { BlockList, isIPv6 } from 'node:net';

const IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local: cloud metadata services
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

const IPV6: readonly (readonly [string, number])[] = [
  ['::', 96], // unspecified, loopback, and IPv4-compatible
  ['::ffff:0:0:0', 96], // IPv4-translated
  ['64:ff9b::', 96], // NAT64
  ['64:ff9b:1::', 48], // NAT64 for local use
  ['100::', 64], // discard-only
  ['2001::', 23], // Teredo and other special-purpose addresses
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['fc00::', 7], // private
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, deprecated
  ['ff00::', 8], // multicast
];

const list = new BlockList();
for (const [net, prefix] of IPV4) list.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of IPV6) list.addSubnet(net, prefix, 'ipv6');

/** An IPv4-mapped address (::ffff:127.0.0.1) counts as its IPv4 address. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ''] = address.split('%'); // drops a zone, as in fe80::1%eth0
  return list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}
