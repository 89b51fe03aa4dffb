import type { IncomingMessage } from 'node:http';
import { invalid, type BillingError } from '../../src/domain/money/errors.ts';

const HEADERS_MAX = 1000;
/** Scheme and host of an absolute request target; only a proxy needs them. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const NOT_IN_URL = /[^\x21-\x7e]/;

/** Path and query of a request target, which may be absolute (`http://host/path`) or a path. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(ORIGIN, '');
  return rest.startsWith('/') || rest === target ? rest : `/${rest}`;
}

/**
 * The fault of a request head that Node's parser accepts but a proxy in front of us may read differently (request
 * smuggling); null if there is none.
 */
export function framingFault(request: IncomingMessage): BillingError | null {
  const { httpVersion, headers, rawHeaders, url } = request;
  if (rawHeaders.length > 2 * HEADERS_MAX)
    return badFraming(`the request must not have more than ${HEADERS_MAX} headers`);
  const hosts = countOf(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0'))
    return badFraming('the request must have exactly one Host header');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return badFraming('Transfer-Encoding must be chunked, in HTTP/1.1');
  if (NOT_IN_URL.test(url ?? ''))
    return badFraming('the request target contains characters that must be percent-encoded');
  return null;
}

/** invalid_request with the reason `bad_framing`. */
export function badFraming(message: string): BillingError {
  return invalid(null, 'bad_framing', message);
}

/** Whether the name of a raw header equals `name`, which must be in lower case. */
export function isNamed(header_name: string, name: string): boolean {
  return header_name.length === name.length && header_name.toLowerCase() === name;
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isNamed(rawHeaders[i]!, name)) count++;
  return count;
}
