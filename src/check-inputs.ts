import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Acknowledgement, Workflows } from './db/invariants/invariant.ts';
import type { Db } from './db/pool.ts';
import type { Temporal } from './temporal.ts';

const LINES_AT_ONCE = 5000;

/** Pages of a client's log of acknowledged events, a JSON object with id and idempotency_key a line. Throws at a line that is none. */
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
    throw new Error(`${place} must be an object with id and idempotency_key`);
  return { id: read.id, idempotency_key: read.idempotency_key };
}

/** What a check asks of Temporal; the list is read before the check looks at its moment of the database. */
export async function workflowsOf(
  { runningIds, stateOf }: Pick<Temporal, 'runningIds' | 'stateOf'>,
  now: Db,
): Promise<Workflows> {
  const running = new Set<string>();
  for await (const id of runningIds()) running.add(id);
  return { running, stateOf, now };
}
