import { lookup } from 'node:dns';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectPlainly, isIP, Socket, type LookupFunction } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import { messageOf } from '../process/message-of.ts';
import { isReachable, type Reach } from './reachable.ts';

/** Bytes of a response that are read; of them the first are kept. */
const RESPONSE_BYTES = { read: 65_536, kept: 1024 };

/** The outcome of a try: a status, or an error in one sentence. `retry_after` is the header of that name. */
export type Response = {
  status: number | null;
  body: string | null;
  retry_after: string | null;
  error: string | null;
  duration_ms: number;
};

type Post = { url: string; headers: Readonly<Record<string, string>>; body: string };

/**
 * Posts a body once, on a connection of its own. Follows no redirect, sends no cookie and uses no proxy. The status
 * counts as soon as it comes within `timeout_ms`, whatever the rest of the response does.
 */
export async function post(
  { url, headers, body }: Post,
  { reach, timeout_ms, signal }: { reach: Reach; timeout_ms: number; signal?: AbortSignal },
): Promise<Response> {
  const started_at = performance.now();
  const timeout = AbortSignal.timeout(timeout_ms);
  const ended = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const outcome = (response: Partial<Response>): Response => ({
    status: null,
    body: null,
    retry_after: null,
    error: null,
    ...response,
    duration_ms: Math.round(performance.now() - started_at),
  });
  let response: IncomingMessage;
  try {
    response = await responseTo(new URL(url), { headers, body, reach, signal: ended });
  } catch (error) {
    const reason = timeout.aborted ? `no response within ${timeout_ms / 1000} s` : messageOf(error);
    return outcome({ error: reason });
  }
  const {
    statusCode: status = 0,
    headers: { 'retry-after': retry_after = null },
  } = response;
  return outcome({ status, retry_after, body: await beginningOf(response) });
}

type Sent = { headers: Readonly<Record<string, string>>; body: string; reach: Reach; signal: AbortSignal };

function responseTo(url: URL, { headers, body, reach, signal }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
      createConnection: (_, connected) => {
        connectTo(url, { reach, signal }).then(
          (socket) => connected(null, socket),
          // The request fails with the error, and takes no socket then.
          (error: Error) => connected(error, new Socket()),
        );
        return null;
      },
    });
    request.on('response', resolve).on('error', reject).end(body);
  });
}

/** A socket to the address, ready for http. Nothing is sent before the address at its other end is checked. */
async function connectTo(
  { protocol, hostname, port }: URL,
  { reach, signal }: { reach: Reach; signal: AbortSignal },
): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const is_tls = protocol === 'https:';
  if (isIP(host) !== 0 && !isReachable(host, reach)) throw notReachable(host);
  const usual_port = is_tls ? 443 : 80;
  const plain = connectPlainly({
    host,
    signal,
    lookup: lookupWithin(reach),
    port: port === '' ? usual_port : Number(port),
  });
  try {
    await once(plain, 'connect', { signal });
    const address = plain.remoteAddress ?? '';
    if (!isReachable(address, reach)) throw notReachable(address);
    if (!is_tls) return plain;
    const encrypted = connectByTls({
      socket: plain,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    await once(encrypted, 'secureConnect', { signal });
    return encrypted;
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

/** Finds the addresses of a name, and leaves out those to which no webhook may go, before anything connects to them. */
function lookupWithin(reach: Reach): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const reachable = addresses.filter(({ address }) => isReachable(address, reach));
      if (reachable.length === 0) return callback(notReachable(addresses[0]?.address ?? name), []);
      if (options.all === true) return callback(null, reachable);
      callback(null, reachable[0]!.address, reachable[0]!.family);
    });
  };
}

function notReachable(address: string): Error {
  return new Error(`${address} is no public address`);
}

/** The first characters of a response, whole ones alone; less if the rest does not come. Closes the connection. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of response) {
      const bytes: Buffer = chunk;
      if (read < RESPONSE_BYTES.kept) chunks.push(bytes);
      read += bytes.length;
      if (read >= RESPONSE_BYTES.read) break;
    }
  } catch {
    // The status has come: what breaks off afterwards changes nothing.
  }
  response.destroy();
  return wholeCharacters(Buffer.concat(chunks).subarray(0, RESPONSE_BYTES.kept));
}

/**
 * The text of bytes in UTF-8 without the part of a character at their end. A zero byte, which no text column takes,
 * becomes U+FFFD.
 */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
}
