import { isIP, type BlockList } from 'node:net';
import { familyOf, isLoopback, networksOf } from '../settings/networks.ts';

/**
 * Networks that are no part of the public internet, from the registries of special-purpose addresses of IANA, and the
 * address of Azure's host. Of IPv6 all but 2000::/3. Apart, because a list takes an IPv4 address for one of ::/96 too.
 */
const NOT_GLOBAL = {
  ipv4: networksOf(
    [
      '0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,168.63.129.16,169.254.0.0/16,172.16.0.0/12,192.0.0.0/24,192.0.2.0/24',
      '192.88.99.0/24,192.168.0.0/16,198.18.0.0/15,198.51.100.0/24,203.0.113.0/24,224.0.0.0/4,240.0.0.0/4',
    ].join(','),
  ),
  ipv6: networksOf('::/3,2001::/23,2001:db8::/32,2002::/16,3fff::/20,4000::/2,8000::/1'),
};

/** Networks into which webhooks go besides the public internet, and whether they go to this machine, by http too. */
export type Reach = { allowed: BlockList; is_loopback_allowed: boolean };

/** Whether webhooks may go to an IP address. */
export function isReachable(address: string, { allowed, is_loopback_allowed }: Reach): boolean {
  const family = familyOf(address);
  if (family === null) return false;
  if (allowed.check(address, family)) return true;
  return (is_loopback_allowed && isLoopback(address)) || !NOT_GLOBAL[family].check(address, family);
}

/**
 * The fault of an endpoint's address, a sentence that follows the name of the field; null if webhooks may go there. A
 * name may still lead elsewhere, so that each connection is checked too.
 */
export function faultOfTarget(text: string, reach: Reach): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return 'must be an address such as https://example.com/webhooks';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  if (text.includes('#')) return 'must not have a fragment';
  // The parser writes every spelling of an address in one form: 0x7f.1, 2130706433 and 127.0.0.1 are the same.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const is_address = isIP(host) !== 0;
  if (is_address && !isReachable(host, reach)) return `must not lead to ${host}, which is no public address`;
  if (url.protocol === 'https:') return null;
  if (url.protocol !== 'http:' || !(reach.is_loopback_allowed && isLoopback(host)))
    return 'must begin with https://';
  return null;
}
