import assert from 'node:assert/strict';
import type { Invoice } from '../../src/objects/invoice.ts';
import type { Stack } from '../support/servers/stack.ts';
import { FLIGHTS_PLAN, flightsOf, type Flight } from './flights.ts';
import type { RecountedGrant } from './flights-recount.ts';

const TAX_RATE = '7';
const AT_ONCE = 16;
export const DAY_MS = 86_400_000;

/** A customer: one airport, or several small ones together. */
export type Airport = { id: string; flights: Flight[]; grants: RecountedGrant[] };
export type Month = { start: string; end: string };

export function airportsOf(year: number): Airport[] {
  const flights = flightsOf(year);
  const ids = [...new Set(flights.map(({ customer_id }) => customer_id))].sort();
  const flightsFrom = (id: string) => flights.filter(({ customer_id }) => customer_id === id);
  return ids.map((id) => ({ id, flights: flightsFrom(id), grants: [] }));
}

export function monthsOf(year: number): Month[] {
  const start = (month: number) => new Date(Date.UTC(year, month, 1)).toISOString();
  return [0, 1, 2].map((month) => ({ start: start(month), end: start(month + 1) }));
}

export function flightsIn(month: Month, flights: readonly Flight[]): Flight[] {
  return flights.filter(({ timestamp }) => timestamp >= month.start && timestamp < month.end);
}

/** Runs `work` for every item, a few concurrently. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = [...items.entries()];
  const run = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

export async function postFlights({ done }: Stack, key: string, flights: readonly Flight[]): Promise<void> {
  const events = flights.map(({ destination, distance, delay, ...flight }) => ({
    event_name: 'flight',
    ...flight,
    properties: { destination, distance, delay },
  }));
  for (let first = 0; first < events.length; first += 1000) {
    await done(key, 'POST', '/v1/events/batch', { events: events.slice(first, first + 1000) });
  }
}

export async function createAirports(
  { done }: Stack,
  key: string,
  airports: readonly Airport[],
): Promise<string> {
  const plan = await done<{ id: string }>(key, 'POST', '/v1/pricing-plans', FLIGHTS_PLAN);
  await forEach(airports, async ({ id }) => {
    await done(key, 'POST', '/v1/customers', { external_id: id, tax_rate: TAX_RATE });
  });
  return plan.id;
}

export async function invoicesOf({ done }: Stack, key: string, airport: Airport): Promise<Invoice[]> {
  const path = `/v1/invoices?customer_id=${airport.id}`;
  const { data } = await done<{ data: Invoice[] }>(key, 'GET', path);
  return data.sort((a, b) => a.period_start.localeCompare(b.period_start));
}

/** Asserts that the invoice numbers of the test environment are 1 to `count`, without a gap. */
export async function assertGapless({ pool }: Stack, count: number): Promise<void> {
  const { rows } = await pool.query(
    `select count(*)::int as invoices, count(distinct number)::int as numbers, max(number)::int as highest
     from invoices i join environments n on n.id = i.environment_id where not n.livemode`,
  );
  assert.deepEqual(rows[0], { invoices: count, numbers: count, highest: count });
}
