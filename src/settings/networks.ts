import { BlockList, isIP } from 'node:net';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** The family of an IP address; null if the text is no address, also with a port, a zone or leading zeros. */
export function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 4 || version === 6 ? FAMILIES[version] : null;
}

const LOOPBACK = networksOf('127.0.0.0/8,::1');

/** Whether only this machine reaches a server that listens on this host. */
export function isLoopback(host: string): boolean {
  const family = familyOf(host);
  return host === 'localhost' || (family !== null && LOOPBACK.check(host, family));
}

/**
 * Parses networks in CIDR notation, separated by commas; an address alone is a network of one. Throws an Error that
 * names the bad entry.
 */
export function networksOf(text: string): BlockList {
  const networks = new BlockList();
  for (const network of text.split(',')) addNetwork(networks, network.trim());
  return networks;
}

function addNetwork(networks: BlockList, network: string): void {
  const [address = '', prefix, ...more] = network.split('/');
  const family = familyOf(address);
  const bits = family !== null && prefix === undefined ? BITS[family] : Number(prefix);
  const is_network =
    family !== null && more.length === 0 && /^\d+$/.test(prefix ?? '0') && bits <= BITS[family];
  if (!is_network) throw new Error(`"${network}" is not a network such as 10.0.0.0/8 or fd00::/8`);
  networks.addSubnet(address, bits, family);
}
