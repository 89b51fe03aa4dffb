import { uuidOfKey } from '../../../src/db/events/event-id.ts';
import { insertWithKeys } from '../../../src/db/events/event-keys.ts';
import { INVARIANTS, type CheckInputs } from '../../../src/db/invariants/check.ts';
import type { Kind } from '../../../src/db/invariants/unit.ts';
import type { Db } from '../../../src/db/connection/pool.ts';
import * as given from '../ledger/billing.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';

/** A planted fault. `plant` breaks the data and returns a text that the reported row must contain; `options` is the input of the check. */
export type Plant = {
  invariant: string;
  what: string;
  plant: (db: Db, ledger: SoundLedger) => Promise<string>;
  options?: (db: Db, ledger: SoundLedger) => CheckInputs;
};

/** Kinds of units by which an invariant is checked. */
export function kindsOf(invariant: string): Kind[] {
  return INVARIANTS.find(({ number }) => number === invariant)!.parts.map(({ kind }) => kind);
}

/**
 * True for every tenth of the plants, which are many: it is looked for among everything, the others among the units of their invariant's
 * kinds.
 */
export function isCheckedInFull(place: number): boolean {
  return place % 10 === 0;
}

/** Runs statements with `id` as their parameter, and returns it. */
export async function change(db: Db, id: string, ...statements: readonly string[]): Promise<string> {
  for (const statement of statements) await db.query(statement, statement.includes('$1') ? [id] : []);
  return id;
}

/** Copies a row with some values changed, whatever columns its table has. */
export async function copyRow(
  db: Db,
  table: string,
  of: Record<string, string>,
  changed: object,
): Promise<void> {
  const found = Object.keys(of).map((column, index) => `t.${column} = $${index + 2}`);
  await db.query(
    `insert into ${table} overriding system value
     select (jsonb_populate_record(t, $1)).* from ${table} t where ${found.join(' and ')}`,
    [JSON.stringify(changed), ...Object.values(of)],
  );
}

export const lineOf = (invoice: SoundLedger['draft'], type = 'usage') =>
  invoice.line_items.find((line) => line.type === type)!.id;

/** Inserts an event with the idempotency key `planted`, which it returns. */
export async function insertEvent(
  db: Db,
  event: { environment_id: number; customer_key: string; timestamp: string; key_hash?: string },
): Promise<string> {
  const { key_hash = uuidOfKey(event.environment_id, 'planted') } = event;
  await db.query(
    insertWithKeys(`insert into events (key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp,
       timestamp_given, created_at, properties) values ($1, $2, $3, 'api_call', 'planted', $4, true, now(), '{}')`),
    [key_hash, event.environment_id, event.customer_key, event.timestamp],
  );
  return 'planted';
}

/** The events as one page of a client's log. */
export async function* acknowledged(...events: { id: string; idempotency_key: string }[]) {
  yield events;
}

export const WRITTEN_EVENT = { environment_id: given.LIVE, timestamp: '2026-01-05T00:00:00Z' };
