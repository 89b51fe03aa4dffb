import { aggregateUsage, applyCredits, issueInvoice } from '../../src/billing/close/draft.ts';
import { insertWithKeys } from '../../src/db/events/event-keys.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { createSizes } from '../../src/db/invariants/sizes.ts';
import { queueWhatChanged } from '../../src/checks/what-is-new.ts';
import { checkQueued, queueStoredEvents } from '../../src/db/invariants/slices.ts';
import { createPool, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { seedPlan, seedSubscription } from '../../dev/seed-plan.ts';
import { addDays } from '../../src/domain/time/period.ts';
import type { Measure } from '../figure.ts';
import { customerId } from '../requests.ts';
import type { Place } from '../servers.ts';
import { numbersBelow } from '../waiting.ts';
import { DAYS, DAYS_END, liveEnvironment, openTable, type TableSize } from './tables.ts';

/** The month of the earlier invoices, which has all other events, and the day that the hour's invoices bill, which has the hour's events alone. */
const MONTH = addDays(DAYS_END, -DAYS);
const DAY = addDays(MONTH, -1);

const SETTINGS = { grace_period_ms: 0, late_usage_days: 35 };

/** The events that an hour brings. */
const EVENTS = 100_000;
const EVENTS_A_TRANSACTION = 1000;
const INVOICES = 1000;
/** Events of earlier hours for each of their invoices. */
const EVENTS_AN_INVOICE = 1000;

/** Returns a function that lets an hour of events and invoices come, and measures the time in ms of the check of what is new. */
export async function openHour(place: Place, size: TableSize): Promise<Measure> {
  const { database_url, events } = await openTable(place, size);
  const pool = createPool(database_url, 2, { statement_ms: 600_000 });
  place.stops.add(() => pool.end());
  const environment_id = await liveEnvironment(database_url);
  const stored = await countEvents(pool);
  const before = Math.max(0, Math.round(Math.min(stored, events) / EVENTS_AN_INVOICE));
  place.say(
    `  ${stored.toLocaleString('en')} events; making ${before.toLocaleString('en')} invoices of earlier hours`,
  );
  for (let made = 0; made < before; made += INVOICES)
    await makeInvoices(pool, {
      environment_id,
      count: Math.min(INVOICES, before - made),
      days: DAYS,
      start_date: MONTH,
    });
  await forgetWhatIsNew(pool);
  return async () => {
    await storeEvents(pool, environment_id);
    while (await rollUp(pool));
    await makeInvoices(pool, { environment_id, count: INVOICES, days: 1, start_date: DAY });
    await pool.query('analyze');
    const { took_ms, by_kind } = await timeCheck(pool);
    place.say(`  ${size}: ${[...by_kind].map(([kind, ms]) => `${kind} ${Math.round(ms)}`).join(', ')} ms`);
    return took_ms;
  };
}

async function timeCheck(pool: Pool): Promise<{ took_ms: number; by_kind: Map<string, number> }> {
  const sizes = createSizes();
  const started_at = performance.now();
  while (await queueStoredEvents(pool));
  await queueWhatChanged(pool);
  const by_kind = new Map([['queue', performance.now() - started_at]]);
  for (let slice = await checkQueued(pool, sizes); slice !== null; slice = await checkQueued(pool, sizes))
    by_kind.set(slice.kind, (by_kind.get(slice.kind) ?? 0) + slice.took_ms);
  const took_ms = performance.now() - started_at;
  const { rows } = await pool.query<{ invariant: string; row: string }>(
    `select invariant, "row" from breaches where invariant <> 'I12' and exception is null limit 3`,
  );
  if (rows.length > 0) throw new Error(`the table is not sound: ${JSON.stringify(rows)}`);
  return { took_ms, by_kind };
}

/** Marks everything stored as checked. */
async function forgetWhatIsNew(pool: Pool): Promise<void> {
  await pool.query('delete from row_changes');
  await pool.query('update epochs set events_checked_to = rolled_up_to');
}

/** Events of the billed day, of a fifth of the customers in turn, a thousand in a transaction. */
async function storeEvents(pool: Pool, environment_id: number): Promise<void> {
  const hour = String(performance.now());
  const { rows } = await pool.query<{ key: string }>(
    'select key from customers where environment_id = $1 and external_id = any($2) order by key',
    [environment_id, numbersBelow(INVOICES).map(customerId)],
  );
  for (let first = 0; first < EVENTS; first += EVENTS_A_TRANSACTION) {
    const keys = numbersBelow(EVENTS_A_TRANSACTION).map((n) => rows[(first + n) % INVOICES]!.key);
    await pool.query(STORE, [environment_id, first, keys, DAY, hour]);
  }
}

const STORE = insertWithKeys(`
  insert into events (key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp, timestamp_given,
    created_at, properties)
  select encode(substring(sha256(convert_to($1::integer::text, 'UTF8') || '\\x00' || convert_to(key, 'UTF8')) for 16),
      'hex')::uuid,
    $1, customer_key, 'api_call_' || n % 10, key, $4::timestamptz + n * interval '1 millisecond', true, now(),
    jsonb_build_object('bytes', n % 20000)
  from (
    select customer_key, $2::integer + place as n, $5 || '-' || $2::integer + place as key
    from unnest($3::bigint[]) with ordinality as c(customer_key, place)) as event`);

type Bills = { environment_id: number; count: number; days: number; start_date: string };

/** Closes a period of as many customers, each time on a new plan, so that no event is on two lines of a charge. */
async function makeInvoices(pool: Pool, { environment_id, count, days, start_date }: Bills): Promise<void> {
  const plan = await seedPlan(pool, environment_id, days);
  for (const number of numbersBelow(count)) {
    const key = await seedSubscription(pool, plan, { customer_id: customerId(number), start_date });
    const step = { ...key, period_start: start_date, revision: 1 };
    await transaction(pool, (db) => aggregateUsage(db, step, SETTINGS));
    await transaction(pool, (db) => applyCredits(db, step, SETTINGS));
    await transaction(pool, (db) => issueInvoice(db, step, SETTINGS));
  }
}

async function countEvents(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('select count(*) from events');
  return Number(rows[0]!.count);
}
