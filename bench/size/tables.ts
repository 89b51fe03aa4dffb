import { join } from 'node:path';
import { findEnvironments, seedAccount } from '../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { rollUp } from '../../src/db/events/rollup.ts';
import { withProgress } from '../../src/dev/progress.ts';
import { seedEvents, spreadEvenly, type Seed } from '../../src/dev/seed-events.ts';
import { seedPlan } from '../../src/dev/seed-plan.ts';
import { CUSTOMERS, customerId } from '../requests.ts';
import { rollingUp } from '../rolling-up.ts';
import type { Place } from '../servers.ts';
import { numbersBelow } from '../waiting.ts';

const DAY_MS = 86_400_000;

/** The days that the events of every table are of: whole ones of UTC, so that they are those of a period too. */
export const DAYS = 30;
export const DAYS_END = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS).toISOString();

/** Customers with a number of events of their own: a tenth of all, a thousand, a few. All others share the rest evenly. */
export const LARGE = { external_id: 'large', part: 10 };
export const THOUSAND = { external_id: 'thousand', events: 1000 };
export const FEW = { external_id: 'few', events: 20 };

const NAMES = 10;
const SMALL_EVENTS = 10_000;
const STATEMENT_MS = 600_000;

export type TableSize = 'large' | 'small' | 'empty';

/** A place whose database has a table of that size, one for all figures, with events of the live mode that are rolled up. */
export async function openTable(place: Place, size: TableSize): Promise<Place> {
  const events = { large: place.events, small: SMALL_EVENTS, empty: 0 }[size];
  const database_url = await place.shared(`table_${size}`, (url) => fill(url, events, place));
  await withProgress('  Rolling up', withPool(database_url, rollUpAll), place.say);
  return { ...place, database_url, logs: join(place.logs, size) };
}

/** The plan is there before the events: a property is rolled up where a charge adds it up. */
async function fill(database_url: string, events: number, { say }: Place): Promise<void> {
  await seedAccount(database_url, null);
  const environment_id = await liveEnvironment(database_url);
  const seed = {
    environment_id,
    customers: customersOf(events),
    names: NAMES,
    days: DAYS,
    until: DAYS_END,
  };
  const started_at = performance.now();
  say(`  a table of ${events.toLocaleString('en')} events:`);
  await withPool(database_url, (pool) => seedPlan(pool, environment_id, DAYS));
  await rollingUp(database_url, () => seedEvents(database_url, seed, say));
  say(`  ready after ${((performance.now() - started_at) / 1000).toFixed(1)} s`);
}

/** As the worker has done by the time that somebody looks: what is left of the events, or what figures have stored since. */
async function rollUpAll(pool: Pool): Promise<void> {
  while (await rollUp(pool));
  await pool.query('vacuum (analyze) usage_days, event_days');
}

/** The customers of the requests are there in every table, so that every table can be written to. */
function customersOf(events: number): Seed['customers'] {
  const special = [
    { external_id: LARGE.external_id, events: Math.floor(events / LARGE.part) },
    { external_id: THOUSAND.external_id, events: Math.min(THOUSAND.events, events) },
    { external_id: FEW.external_id, events: Math.min(FEW.events, events) },
  ];
  const rest = special.reduce((left, customer) => left - customer.events, events);
  return [...special, ...spreadEvenly(numbersBelow(CUSTOMERS).map(customerId), Math.max(0, rest))];
}

export function liveEnvironment(database_url: string): Promise<number> {
  return withPool(database_url, async (pool) => (await findEnvironments(pool))!.live);
}

/** A connection whose statements may take minutes, as none of a service's may. */
export async function withPool<T>(database_url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool(database_url, 1, { statement_ms: STATEMENT_MS });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
