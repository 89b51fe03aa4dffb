import { join } from 'node:path';
import { findEnvironments, seedAccount } from '../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { withProgress } from '../../dev/progress.ts';
import { seedEvents, spreadEvenly, type Seed } from '../../dev/seed-events.ts';
import { seedPlan } from '../../dev/seed-plan.ts';
import { CUSTOMERS, customerId } from '../requests.ts';
import { rollingUp } from '../rolling-up.ts';
import type { Place } from '../servers.ts';
import { numbersBelow } from '../waiting.ts';

const DAY_MS = 86_400_000;

/** The events of every table lie in these days: full UTC days, so that a period can have the same bounds. */
export const DAYS = 30;
export const DAYS_END = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS).toISOString();

/** Customers with a given number of events: a tenth of all, a thousand, and a few. All others share the rest evenly. */
export const LARGE = { external_id: 'large', part: 10 };
export const THOUSAND = { external_id: 'thousand', events: 1000 };
export const FEW = { external_id: 'few', events: 20 };

const NAMES = 10;
const SMALL_EVENTS = 10_000;
const STATEMENT_MS = 600_000;

export type TableSize = 'large' | 'tenth' | 'twentieth' | 'small' | 'empty';

/** A place whose database has a table of this size, shared by all figures, with live events that are rolled up. */
export async function openTable(place: Place, size: TableSize): Promise<Place> {
  const events = {
    large: place.events,
    tenth: Math.floor(place.events / 10),
    twentieth: Math.ceil(place.events / 20),
    small: SMALL_EVENTS,
    empty: 0,
  }[size];
  const database_url = await place.shared(`table_${size}`, (url) => fill(url, events, place));
  await withProgress('  Rolling up', withPool(database_url, rollUpAll), place.say);
  return { ...place, database_url, logs: join(place.logs, size) };
}

/** Creates the plan before the events: the rollup adds up a property only if a charge needs it. */
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

/** Rolls up the remaining events, or those that figures have stored since: by then the worker would have done so. */
async function rollUpAll(pool: Pool): Promise<void> {
  while (await rollUp(pool));
  await pool.query('vacuum (analyze) usage_days, event_days');
}

/** Every table has the customers of the requests, so that all tables can be written to. */
function customersOf(events: number): Seed['customers'] {
  const special = [
    { external_id: LARGE.external_id, events: Math.floor(events / LARGE.part) },
    { external_id: THOUSAND.external_id, events: Math.min(THOUSAND.events, events) },
    { external_id: FEW.external_id, events: Math.min(FEW.events, events) },
  ];
  const rest = special.reduce((events_left, customer) => events_left - customer.events, events);
  return [...special, ...spreadEvenly(numbersBelow(CUSTOMERS).map(customerId), Math.max(0, rest))];
}

/** Id of the live environment of the first account. */
export function liveEnvironment(database_url: string): Promise<number> {
  return withPool(database_url, async (pool) => (await findEnvironments(pool))!.live);
}

/** A connection whose statements may take minutes, longer than any service allows. */
export async function withPool<T>(database_url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool(database_url, 1, { statement_ms: STATEMENT_MS });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
