import type { IncomingMessage } from 'node:http';
import { SocketAddress, type BlockList } from 'node:net';
import { familyOf } from '../../src/settings/networks.ts';

const MAPPED = '::ffff:';

/**
 * Address of the client: the right-most address of X-Forwarded-For, followed by the socket's own, that is not a trusted
 * proxy. The addresses to its left are claims of the client. If a proxy wrote no valid address, or all are trusted
 * proxies, the result is the proxy farthest from us that is known.
 */
export function clientAddressOf(
  { socket, forwarded }: { socket: string; forwarded: string | undefined },
  proxies: BlockList,
): string {
  let client = plain(socket) ?? '';
  const hops = (forwarded ?? '').split(',');
  while (isTrusted(client, proxies)) {
    const hop = plain(hops.pop() ?? '');
    if (hop === null) break;
    client = hop;
  }
  return client;
}

/** Address of the client of a request. */
export function addressOf({ socket, headers }: IncomingMessage, trusted_proxies: BlockList): string {
  const forwarded = headers['x-forwarded-for'];
  const known = { socket: socket.remoteAddress ?? '', forwarded: forwarded?.toString() };
  return clientAddressOf(known, trusted_proxies);
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const family = familyOf(address);
  return family !== null && proxies.check(address, family);
}

/**
 * Normal form of an address: without spaces, brackets, port and zone, IPv4-mapped IPv6 as IPv4. Null if it is not an
 * address.
 */
function plain(text: string): string | null {
  const [, bracketed, with_port] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? with_port ?? text.trim()).replace(/%.*$/, '');
  const family = familyOf(address);
  if (family === null) return null;
  const form = new SocketAddress({ address, family }).address;
  const mapped = form.startsWith(MAPPED) ? form.slice(MAPPED.length) : '';
  return familyOf(mapped) === 'ipv4' ? mapped : form;
}
