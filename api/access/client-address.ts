import { SocketAddress, type BlockList } from 'node:net';
import { familyOf } from '../../src/networks.ts';

const MAPPED = '::ffff:';

/**
 * Who sends a request: the right-most address of X-Forwarded-For, where the socket's comes last, that is not of a proxy that is
 * trusted. What stands left of it is the client's own word. Where a proxy wrote no address, or only addresses of proxies are there,
 * it is the last proxy that is known.
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

function isTrusted(address: string, proxies: BlockList): boolean {
  const family = familyOf(address);
  return family !== null && proxies.check(address, family);
}

/** An address in its one form: without spaces, brackets, port and zone. Null for what is no address. */
function plain(text: string): string | null {
  const [, bracketed, with_port] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? with_port ?? text.trim()).replace(/%.*$/, '');
  const family = familyOf(address);
  if (family === null) return null;
  const form = new SocketAddress({ address, family }).address;
  const mapped = form.startsWith(MAPPED) ? form.slice(MAPPED.length) : '';
  return familyOf(mapped) === 'ipv4' ? mapped : form;
}
