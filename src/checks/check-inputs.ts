import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Acknowledgement, Workflows } from '../db/invariants/invariant.ts';
import type { Db } from '../db/connection/pool.ts';
import type { Temporal } from '../temporal/temporal.ts';

const LINES_AT_ONCE = 5000;

/**
 * Reads a client's log of acknowledged events in pages of 5,000: one JSON object with id and idempotency_key per line.
 * Throws an Error that names the file and the line if a line has another form.
 */
export async function* readAcknowledgements(path: string): AsyncIterable<Acknowledgement[]> {
  let page: Acknowledgement[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number++;
    if (line.trim() === '') continue;
    page.push(acknowledgementOf(line, `${path}, line ${number}`));
    if (page.length < LINES_AT_ONCE) continue;
    yield page;
    page = [];
  }
  yield page;
}

function acknowledgementOf(line: string, place: string): Acknowledgement {
  const read: unknown = JSON.parse(line);
  const isObject = typeof read === 'object' && read !== null && 'id' in read && 'idempotency_key' in read;
  if (!isObject || typeof read.id !== 'string' || typeof read.idempotency_key !== 'string')
    throw new Error(`${place} must be a JSON object with id and idempotency_key`);
  return { id: read.id, idempotency_key: read.idempotency_key };
}

/**
 * Reads from Temporal what a check needs. The list of running workflows is read before the check takes its database
 * snapshot.
 */
export async function workflowsOf(
  { runningIds, stateOf }: Pick<Temporal, 'runningIds' | 'stateOf'>,
  now: Db,
): Promise<Workflows> {
  const running = new Set<string>();
  for await (const id of runningIds()) running.add(id);
  return { running, stateOf, now };
}
