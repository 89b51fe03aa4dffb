import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalid, rateLimited, type BillingError } from '../../src/domain/money/errors.ts';
import { exchangeOf, holdDeadline, startDeadline } from './exchange.ts';
import { isObject, parseJson, type JsonObject } from './json.ts';
import type { ReceiveMemory } from './receive-memory.ts';

export const BODY_BYTES_MAX = 1024 * 1024;
export const BATCH_BYTES_MAX = 5 * 1024 * 1024;

/** Bytes of memory that Node needs for each chunk, however small, besides the chunk's own bytes. */
const PART_BYTES = 256;

const MEDIA_TYPE = /^application\/json(\s*;\s*charset=("utf-8"|utf-8))?\s*$/i;

/**
 * Reads the body of a response's request (readBody), at once if all of it has arrived. Otherwise the deadline pauses
 * meanwhile: the client's sending time does not count.
 */
export function receiveBody(
  response: ServerResponse,
  bytes_max: number,
): Buffer | null | Promise<Buffer | null> {
  const { req } = response;
  const { receive_memory } = exchangeOf(response).deps;
  return hasArrived(req) ? arrivedBody(req, bytes_max, receive_memory) : awaitBody(response, bytes_max);
}

/**
 * Whether all of the body is in Node's buffer and nobody reads it: then it needs neither listeners nor a reservation of
 * memory. Node tells of the end of a request after this turn, so the length decides.
 */
function hasArrived(request: IncomingMessage): boolean {
  const { complete, readableFlowing, readableLength, destroyed, headers } = request;
  if (readableFlowing !== null || destroyed || isAbsent(request)) return false;
  return complete || readableLength === Number(headers['content-length']);
}

function arrivedBody(request: IncomingMessage, bytes_max: number, memory: ReceiveMemory): Buffer {
  checkMediaType(request);
  const size = request.readableLength;
  if (size > bytes_max) throw tooLarge(bytes_max);
  if (!memory.hasRoom(size + PART_BYTES)) throw rateLimited();
  const chunks: Buffer[] = [];
  // Depending on the version of Node, one read returns everything or one chunk.
  for (let chunk: unknown; (chunk = request.read()) instanceof Buffer;) chunks.push(chunk);
  return joined(chunks);
}

async function awaitBody(response: ServerResponse, bytes_max: number): Promise<Buffer | null> {
  const left_ms = holdDeadline(response);
  try {
    return await readBody(response.req, bytes_max, exchangeOf(response).deps.receive_memory);
  } finally {
    startDeadline(response, left_ms);
  }
}

/**
 * Reads the raw body of a request; null if it has none. Throws invalid_request for a wrong media type, a
 * Content-Encoding, and a body that is too large or cut off; rate_limited if ReceiveMemory has no room. The server's
 * limits bound how long a body may take.
 */
export async function readBody(
  request: IncomingMessage,
  bytes_max: number,
  memory: ReceiveMemory,
): Promise<Buffer | null> {
  if (isAbsent(request)) return null;
  checkMediaType(request);
  return readBytes(request, bytes_max, memory);
}

/** Parses a body strictly (parseJson). Throws invalid_request if it is missing, bad JSON or not an object. */
export function objectOf(body: Buffer | null, free_object_level?: number): JsonObject {
  if (body === null) throw invalid(null, 'missing', 'the body is missing; send a JSON object');
  const value = parseJson(body, free_object_level);
  if (!isObject(value)) throw invalid(null, 'wrong_type', 'the body must be a JSON object');
  return value;
}

function isAbsent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function checkMediaType({ headers }: IncomingMessage): void {
  if (!MEDIA_TYPE.test(headers['content-type'] ?? ''))
    throw invalid(null, 'bad_media_type', 'Content-Type must be application/json with UTF-8 encoding');
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity')
    throw invalid(null, 'bad_media_type', 'Content-Encoding is not supported; send the body uncompressed');
}

/**
 * Collects the body with three listeners instead of raw-body (decision 16). After a refusal it drops the chunks that
 * still arrive.
 */
function readBytes(request: IncomingMessage, bytes_max: number, memory: ReceiveMemory): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > bytes_max) return reject(tooLarge(bytes_max));
    // A destroyed request emits no further event.
    if (request.destroyed) return reject(cutOff());
    let chunks: Buffer[] | null = [];
    let size = 0;
    const refuse = (error: BillingError) => {
      chunks = null;
      arriving?.close();
      reject(error);
    };
    const arriving = memory.open(() => refuse(rateLimited()));
    if (arriving === null) return reject(rateLimited());
    request.on('data', (chunk: Buffer) => {
      if (chunks === null) return;
      size += chunk.length;
      if (size > bytes_max) return refuse(tooLarge(bytes_max));
      if (!arriving.hold(chunk.length + PART_BYTES)) return refuse(rateLimited());
      chunks.push(chunk);
    });
    request.on('end', () => {
      arriving.close();
      if (chunks !== null) resolve(joined(chunks));
    });
    request.on('error', () => refuse(cutOff()));
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function tooLarge(bytes_max: number): BillingError {
  return invalid(null, 'too_large', `the body must not be larger than ${bytes_max} bytes`);
}

function cutOff(): BillingError {
  return invalid(null, 'bad_framing', 'the body ended before it was complete');
}
