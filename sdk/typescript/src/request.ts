import { jsonOf } from './json.ts';
import { retryAfterMs } from './retry.ts';

/** The address of the API without a slash at its end, and the key. */
export type Connection = { base_url: string; api_key: string };

/** An answer of any status. `body` is the parsed JSON, or null if the answer is not JSON. */
export type Answer = {
  status: number;
  body: unknown;
  request_id: string | null;
  /** Milliseconds to wait by the header Retry-After, or null without one. */
  retry_after_ms: number | null;
};

type Sent = {
  path: string;
  /** JSON text of a POST; a request without one is a GET. */
  text?: string;
  /** Milliseconds until the whole answer is here. */
  limit_ms: number;
  signal?: AbortSignal;
};

/** The longest answer is a page of changes: 8 MiB, and the change that goes beyond. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Sends a request. Throws if no answer arrives in time, if the connection is lost, and an AbortError if the signal
 * aborts.
 */
export async function send(
  { base_url, api_key }: Connection,
  { path, text, limit_ms, signal }: Sent,
): Promise<Answer> {
  // Not AbortSignal.any(): Node 20 keeps each of its signals as long as the longest-lived source.
  const aborting = new AbortController();
  const abort = () => aborting.abort();
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(() => aborting.abort(new Error(`no answer within ${limit_ms} ms`)), limit_ms);
  try {
    const response = await fetch(base_url + path, {
      method: text === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${api_key}`,
        Accept: 'application/json',
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
      // A redirect would turn a POST into a GET, and hand the key to another host.
      redirect: 'manual',
      signal: aborting.signal,
    });
    const { status, headers } = response;
    return {
      status,
      body: jsonOf(await textOf(response)),
      request_id: headers.get('x-request-id'),
      retry_after_ms: retryAfterMs(headers),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error(`the answer is longer than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
