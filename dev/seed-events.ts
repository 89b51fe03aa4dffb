import { findAccount } from '../src/db/account/accounts.ts';
import { insertWithKeys } from '../src/db/events/event-keys.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import { newId } from '../src/keys/ids.ts';
import type { Say } from './progress.ts';

export type Seed = {
  environment_id: number;
  /** Customers to create, each with its number of events. */
  customers: readonly { external_id: string; events: number }[];
  /** How many event names the events of a customer alternate between: api_call_0, api_call_1 and so on. */
  names: number;
  /** The events of each customer are spread evenly over this many days before `until`. */
  days: number;
  until: string;
};

/** Gives each customer the same number of events, or one more. */
export function spreadEvenly(external_ids: readonly string[], events: number): Seed['customers'] {
  const each = Math.floor(events / external_ids.length);
  const rest = events % external_ids.length;
  return external_ids.map((external_id, place) => ({ external_id, events: each + (place < rest ? 1 : 0) }));
}

/** Connections to Postgres, which takes nearly all of the time and uses one processor per connection. */
const CONNECTIONS = 2;
const STATEMENT_MS = 1_800_000;
const EVENTS_A_STATEMENT = { least: 100_000, most: 500_000 };
/** Each event name has this many endpoints, `/v1/e00000` and so on, in turn. */
const ENDPOINTS = 100;
/** The fractional parts of its multiples are spread evenly between 0 and 1, however many there are. */
const GOLDEN_RATIO = 0.618034;

/** A stored customer with its number of events. */
type Share = { key: string; external_id: string; events: number };

/**
 * Fills a database with customers and with events as ingest would store them; returns the number of events. The
 * idempotency key of a customer's event is its external_id and the event's number, from 0. Then vacuums and analyzes
 * both tables, as autovacuum would minutes later. Throws if a customer exists already.
 */
export async function seedEvents(database_url: string, seed: Seed, say: Say): Promise<number> {
  const pool = createPool(database_url, CONNECTIONS, { statement_ms: STATEMENT_MS });
  try {
    const shares = await insertCustomers(pool, seed);
    const events = shares.reduce((sum, share) => sum + share.events, 0);
    const slices = slicesOf(events, seed.days);
    let next = 0;
    let stored = 0;
    const takeSlices = async () => {
      while (next < slices) {
        const inserted = await insertSlice(pool, seed, { shares, slice: next++, slices });
        stored += inserted;
        const tenths = Math.floor((stored * 10) / events);
        if (tenths > Math.floor(((stored - inserted) * 10) / events)) say(`  ${tenths * 10} % are stored`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, takeSlices));
    await pool.query('vacuum (analyze) customers, events, event_keys');
    return stored;
  } finally {
    await pool.end();
  }
}

/** One slice per day if that is neither too small nor too large: the rollup then visits each day of a customer once. */
function slicesOf(events: number, days: number): number {
  const { least, most } = EVENTS_A_STATEMENT;
  return Math.ceil(Math.max(events / most, Math.min(days, events / least)));
}

async function insertCustomers(pool: Pool, { environment_id, customers }: Seed): Promise<Share[]> {
  const { currency } = await findAccount(pool, environment_id);
  const external_ids = customers.map(({ external_id }) => external_id);
  const { rows } = await pool.query<{ key: string; external_id: string }>(
    `insert into customers (environment_id, id, external_id, currency, metadata, created_at)
     select $1, id, external_id, $4, '{}', date_trunc('milliseconds', now())
     from unnest($2::text[], $3::text[]) as c(id, external_id)
     returning key, external_id`,
    [environment_id, external_ids.map(() => newId('cus')), external_ids, currency],
  );
  const keys = new Map(rows.map(({ key, external_id }) => [external_id, key]));
  return customers.map((customer) => ({ ...customer, key: keys.get(customer.external_id)! }));
}

/**
 * Stores the events of one slice of the time. Computes key_hash as in src/db/events/event-id.ts and inserts in its
 * order, as ingest does: any other order would read and write index pages anew for nearly every row. Customers start at
 * different phases of their interval, so that few events share an instant.
 */
async function insertSlice(
  pool: Pool,
  { environment_id, names, days, until }: Seed,
  { shares, slice, slices }: { shares: readonly Share[]; slice: number; slices: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    insertWithKeys(`insert into events (key_hash, environment_id, bucket, customer_key, event_name, idempotency_key,
       timestamp, timestamp_given, created_at, properties)
     select encode(substring(sha256(
         convert_to($1::integer::text, 'UTF8') || '\\x00' || convert_to(idempotency_key, 'UTF8')) for 16),
         'hex')::uuid as key_hash,
       $1, (select case when livemode then event_bucket() else 0 end from environments where id = $1), key,
       'api_call_' || (n + place) % $5::integer, idempotency_key, timestamp, true, date_trunc('milliseconds', now()),
       jsonb_build_object('region', 'eu-central-1',
         'endpoint', '/v1/e' || lpad((n / $5::integer % ${ENDPOINTS})::text, 5, '0'), 'status', 200, 'bytes', n % 20000)
     from (
       select share.key, share.place, n, share.external_id || '-' || n as idempotency_key,
         date_trunc('milliseconds', $7::timestamptz
           - $6::integer * interval '1 day' * (1 - (n + share.phase) / share.events)) as timestamp
       from unnest($2::bigint[], $3::text[], $4::bigint[], $10::float8[]) with ordinality
         as share(key, external_id, events, phase, place)
       cross join lateral generate_series(
         (share.events * $8::bigint + $9 - 1) / $9::bigint, (share.events * ($8 + 1) + $9 - 1) / $9 - 1) as n
     ) as event
     order by key_hash`),
    [
      environment_id,
      shares.map(({ key }) => key),
      shares.map(({ external_id }) => external_id),
      shares.map(({ events }) => events),
      names,
      days,
      until,
      slice,
      slices,
      shares.map((_, place) => (place * GOLDEN_RATIO) % 1),
    ],
  );
  return rowCount!;
}
