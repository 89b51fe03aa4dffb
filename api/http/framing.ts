import type { IncomingMessage } from 'node:http';
import { invalid, type BillingError } from '../../src/domain/errors.ts';

const HEADERS_MAX = 1000;
/** The `http://host` of the absolute form, which only a proxy has a use for. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const NOT_IN_URL = /[^\x21-\x7e]/;

/** Path and query of a request target in either form. */
export function originForm(target: string): string {
  const rest = target.replace(ORIGIN, '');
  return rest.startsWith('/') || rest === target ? rest : `/${rest}`;
}

/**
 * What Node's parser lets through and two readers would read differently: one of them is in front of us. Null for a sound head.
 */
export function framingFault(request: IncomingMessage): BillingError | null {
  const { httpVersion, headers, rawHeaders, url } = request;
  if (rawHeaders.length > 2 * HEADERS_MAX) return badFraming(`more than ${HEADERS_MAX} headers`);
  const hosts = countOf(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return badFraming('one Host header is needed');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return badFraming('the only Transfer-Encoding is chunked, in HTTP/1.1');
  if (NOT_IN_URL.test(url ?? '')) return badFraming('the request target holds characters that need escaping');
  return null;
}

export function badFraming(message: string): BillingError {
  return invalid(null, 'bad_framing', message);
}

/** Whether a header as it was sent has a name, which is given in lower case. */
export function isNamed(sent: string, name: string): boolean {
  return sent.length === name.length && sent.toLowerCase() === name;
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isNamed(rawHeaders[i]!, name)) count++;
  return count;
}
