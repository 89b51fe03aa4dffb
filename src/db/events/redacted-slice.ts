import type { Db } from '../connection/pool.ts';
import type { EventPlace, PendingRedaction } from '../customers/redactions.ts';
import { STORED_CONTENT } from './event-keys.ts';
import { hasNodes, settle } from './settle.ts';

/** The next events of a redaction's customer. `last` is null if there are none. */
export type Slice = { count: number; last: EventPlace | null };

/** SQL: events `e` of the customer $1 after the place ($2, $3). */
const AFTER = `e.customer_key = $1 and (e.timestamp, e.id) > ($2::timestamptz, $3::bigint)`;

/**
 * SQL: events `e` of it up to the place ($4, $5) that have one of the properties $6 and were stored before the position
 * ($7, $8).
 */
const TO_REDACT = `${AFTER} and (e.timestamp, e.id) <= ($4::timestamptz, $5::bigint)
  and e.timestamp between $2 and $4 and e.properties ?| $6::text[]
  and (e.epoch < $7 or (e.epoch = $7 and e.created_xid < $8::xid8))`;

const BEGINNING = { timestamp: '-infinity', id: '0' };

/**
 * Finds the next events of a redaction, at most `limit`, by the index of the customer's events; before the first one,
 * waits until every node shows what was stored before the redaction. From here on the transaction reads no whole table:
 * the planner may expect a quarter of a customer's events between two places, and would then read all of them for each
 * slice.
 */
export async function nextSlice(
  db: Db,
  { customer_key, after }: PendingRedaction,
  limit: number,
): Promise<Slice> {
  if (after === null) await settle(db, await hasNodes(db));
  await db.query('set local enable_seqscan = off');
  const { timestamp, id } = after ?? BEGINNING;
  const { rows } = await db.query<EventPlace & { count: number }>(
    `select timestamp, id, count(*) over ()::integer as count from (
       select e.timestamp, e.id from events e where ${AFTER} order by e.timestamp, e.id limit $4) as slice
     order by timestamp desc, id desc limit 1`,
    [customer_key, timestamp, id, limit],
  );
  const last = rows[0];
  return last === undefined
    ? { count: 0, last: null }
    : { count: last.count, last: { timestamp: last.timestamp, id: last.id } };
}

type Sent = { key_hash: string; content_hash: string };
type Redacted = { key_hash: string; redacted_hash: string; event_name: string; day: string };

/**
 * Removes the properties of a redaction from its customer's events up to `last`, of those stored before the call, and
 * from the daily totals. The caller holds the rollup's lock: no total is made of what is being removed. Statements for
 * keys and days get the few rows that changed as values, so that the planner reads them by their indexes, whatever it
 * expects of a customer with many events.
 */
export async function redactSlice(
  db: Db,
  { customer_key, properties, epoch, xid, after }: PendingRedaction,
  last: EventPlace,
): Promise<void> {
  const { timestamp, id } = after ?? BEGINNING;
  const values = [customer_key, timestamp, id, last.timestamp, last.id, properties, epoch, xid];
  const { rows: hashes } = await db.query<Sent>(
    `select e.key_hash, ${STORED_CONTENT} as content_hash from events e where ${TO_REDACT}`,
    values,
  );
  if (hashes.length === 0) return;
  // Before the events change: the hash of what was sent, of those that have none.
  await db.query(
    `update event_keys k set content_hash = r.content_hash
     from unnest($1::uuid[], $2::uuid[]) as r(key_hash, content_hash)
     where k.key_hash = r.key_hash and k.content_hash is null`,
    [hashes.map(({ key_hash }) => key_hash), hashes.map(({ content_hash }) => content_hash)],
  );
  const { rows } = await db.query<Redacted>(
    `update events e set properties = e.properties - $6::text[] where ${TO_REDACT}
     returning e.key_hash, e.event_name, date_trunc('day', e.timestamp, 'UTC') as day,
       ${STORED_CONTENT} as redacted_hash`,
    values,
  );
  await db.query(
    `update event_keys k set redacted_hash = r.redacted_hash
     from unnest($1::uuid[], $2::uuid[]) as r(key_hash, redacted_hash) where k.key_hash = r.key_hash`,
    [rows.map(({ key_hash }) => key_hash), rows.map(({ redacted_hash }) => redacted_hash)],
  );
  await forgetTotals(db, { customer_key, properties, days: rows });
}

type NamedDay = Pick<Redacted, 'event_name' | 'day'>;

/**
 * Deletes the totals of properties on the given days. A later plan that adds one of them up reads the events of these
 * days, because their totals do not have all of them any more (daily-usage.ts).
 */
async function forgetTotals(
  db: Db,
  {
    customer_key,
    properties,
    days,
  }: { customer_key: string; properties: readonly string[]; days: readonly NamedDay[] },
): Promise<void> {
  for (const table of ['usage_days', 'usage_cells'])
    await db.query(
      `delete from ${table} d using (select distinct event_name, day
         from unnest($3::text[], $4::timestamptz[]) as n(event_name, day)) as n
       where d.customer_key = $1 and d.property = any($2) and d.event_name = n.event_name and d.day = n.day`,
      [customer_key, properties, days.map(({ event_name }) => event_name), days.map(({ day }) => day)],
    );
}
