import type { IncomingMessage } from 'node:http';
import { invalid, type BillingError } from '../src/domain/errors.ts';
import { isObject, parseJson, type JsonObject } from './json.ts';

export const BODY_BYTES_MAX = 1024 * 1024;
export const BATCH_BYTES_MAX = 5 * 1024 * 1024;

const MEDIA_TYPE = /^application\/json(\s*;\s*charset=("utf-8"|utf-8))?\s*$/i;

/**
 * The body of a request as it came and as the JSON object that it is. Throws invalid_request for a wrong media type, a coding,
 * a body that is empty, too large, cut off, or no object. How long a body may take is the server's limit.
 */
export async function readObject(
  request: IncomingMessage,
  options: { bytes_max: number; may_be_absent?: boolean; free_object_level?: number },
): Promise<{ bytes: Buffer; object: JsonObject }> {
  if (isAbsent(request)) {
    if (options.may_be_absent === true) return { bytes: Buffer.alloc(0), object: {} };
    throw invalid(null, 'missing', 'the body is missing: a JSON object is expected');
  }
  checkMediaType(request);
  const bytes = await readBytes(request, options.bytes_max);
  const value = parseJson(bytes, options.free_object_level);
  if (!isObject(value)) throw invalid(null, 'wrong_type', 'the body must be a JSON object');
  return { bytes, object: value };
}

function isAbsent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function checkMediaType({ headers }: IncomingMessage): void {
  if (!MEDIA_TYPE.test(headers['content-type'] ?? ''))
    throw invalid(null, 'bad_media_type', 'Content-Type must be application/json, in UTF-8');
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity')
    throw invalid(null, 'bad_media_type', 'a body with a Content-Encoding is not taken: send it as it is');
}

/** By hand (decision 16). What is too large is read on, and not kept. */
function readBytes(request: IncomingMessage, bytes_max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > bytes_max) return reject(tooLarge(bytes_max));
    // It tells nobody again that it has ended.
    if (request.destroyed) return reject(cutOff());
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytes_max) return void chunks.push(chunk);
      chunks = [];
      reject(tooLarge(bytes_max));
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', () => reject(cutOff()));
  });
}

function tooLarge(bytes_max: number): BillingError {
  return invalid(null, 'too_large', `the body must not be larger than ${bytes_max} bytes`);
}

function cutOff(): BillingError {
  return invalid(null, 'bad_framing', 'the body ended before it was whole');
}
