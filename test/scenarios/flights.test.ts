import assert from 'node:assert/strict';
import type { Invoice } from '../../src/db/invoices.ts';
import { eventually } from '../support/eventually.ts';
import { useStack, type Stack } from '../support/stack.ts';
import { FLIGHTS_PLAN, flightsOf, type Flight } from './flights.ts';
import { recount, type RecountedGrant, type RecountedInvoice } from './flights-recount.ts';

const TAX_RATE = '7';
const AT_ONCE = 16;
const DAY_MS = 86_400_000;

type Airport = { id: string; flights: Flight[]; grants: RecountedGrant[] };
type Period = { start: string; end: string };

function airportsOf(year: number): Airport[] {
  const flights = flightsOf(year);
  const ids = [...new Set(flights.map(({ origin }) => origin))].sort();
  return ids.map((id) => ({ id, flights: flights.filter(({ origin }) => origin === id), grants: [] }));
}

function monthsOf(year: number): Period[] {
  const start = (month: number) => new Date(Date.UTC(year, month, 1)).toISOString();
  return [0, 1, 2].map((month) => ({ start: start(month), end: start(month + 1) }));
}

/** Runs work for every item, a few at once. */
async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = [...items.entries()];
  const run = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

async function postFlights({ done }: Stack, key: string, flights: readonly Flight[]): Promise<void> {
  const events = flights.map(({ origin, idempotency_key, timestamp, destination, distance, delay }) => ({
    event_name: 'flight',
    customer_id: origin,
    idempotency_key,
    timestamp,
    properties: { destination, distance, delay },
  }));
  for (let first = 0; first < events.length; first += 1000) {
    await done(key, 'POST', '/v1/events/batch', { events: events.slice(first, first + 1000) });
  }
}

async function createAirports({ done }: Stack, key: string, airports: readonly Airport[]): Promise<string> {
  const plan = await done<{ id: string }>(key, 'POST', '/v1/pricing-plans', FLIGHTS_PLAN);
  await forEach(airports, async ({ id }) => {
    await done(key, 'POST', '/v1/customers', { external_id: id, tax_rate: TAX_RATE });
  });
  return plan.id;
}

async function invoicesOf({ done }: Stack, key: string, airport: Airport): Promise<Invoice[]> {
  const path = `/v1/invoices?customer_id=${airport.id}`;
  const { data } = await done<{ data: Invoice[] }>(key, 'GET', path);
  return data.sort((a, b) => a.period_start.localeCompare(b.period_start));
}

/** What we billed, in the recount's form: to the cent and to the tier. */
function asRecounted(invoice: Invoice): RecountedInvoice {
  return {
    lines: invoice.line_items.map((line) => ({
      quantity: Number(line.quantity),
      credits_applied: Number(line.credits_applied),
      amount: line.amount,
      tiers:
        line.tiers?.map(({ up_to, quantity, amount }) => ({
          up_to,
          quantity,
          amount: Math.round(Number(amount) * 100_000),
        })) ?? null,
    })),
    subtotal: invoice.subtotal,
    tax: invoice.tax.amount,
    total: invoice.total,
  };
}

function compare(airport: Airport, months: readonly Period[], invoices: readonly Invoice[]): void {
  assert.deepEqual(
    invoices.map(({ period_start, period_end }) => ({ start: period_start, end: period_end })),
    months,
    airport.id,
  );
  for (const [index, invoice] of invoices.entries()) {
    const expected = recount(airport.flights, months[index]!, airport.grants);
    assert.deepEqual(asRecounted(invoice), expected, `${airport.id}, ${months[index]!.start}`);
    assert.equal(invoice.status, expected.total === '0.00' ? 'paid' : 'open');
  }
}

async function assertGapless({ pool }: Stack, livemode: boolean, count: number): Promise<void> {
  const { rows } = await pool.query(
    `select count(*)::int as invoices, count(distinct number)::int as numbers, max(number)::int as highest
     from invoices i join environments n on n.id = i.environment_id where n.livemode = $1`,
    [livemode],
  );
  assert.deepEqual(rows[0], { invoices: count, numbers: count, highest: count });
}

describe('5,000 real flights, billed for three months', function () {
  this.timeout(600_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });

  it('lived through by the clock, with credit', async () => {
    const { test_key: key, done } = stack();
    const year = new Date().getUTCFullYear() + 1;
    const months = monthsOf(year);
    const airports = airportsOf(year);
    const plan_id = await createAirports(stack(), key, airports);
    await forEach(airports, async ({ id }) => {
      await done(key, 'POST', '/v1/subscriptions', {
        customer_id: id,
        plan_id,
        start_date: months[0]!.start,
      });
    });
    await forEach(airports, (airport, index) => grantCredit(stack(), key, airport, { index, months }));
    // A month's flights are posted on its last day, as nothing may lie more than a day ahead of the customer's clock.
    for (const month of months) {
      const to = new Date(Date.parse(month.end) - DAY_MS).toISOString();
      await forEach(airports, async ({ id }) => {
        await done(key, 'POST', '/v1/test-clock/advance', { customer_id: id, to });
      });
      const flights = airports.flatMap((airport) => airport.flights);
      await postFlights(
        stack(),
        key,
        flights.filter(({ timestamp }) => timestamp >= month.start && timestamp < month.end),
      );
    }
    await forEach(airports, async ({ id }) => {
      await done(key, 'POST', '/v1/test-clock/advance', { customer_id: id, to: months[2]!.end });
    });
    let credits = 0;
    for (const airport of airports) {
      const invoices = await invoicesOf(stack(), key, airport);
      compare(airport, months, invoices);
      credits += invoices.reduce((sum, { credits_applied }) => sum + Number(credits_applied), 0);
    }
    assert.ok(credits > 1000, 'credit was used');
    await assertGapless(stack(), false, 3 * airports.length);
  });

  it('caught up from the past, with a live key', async () => {
    const { live_key: key, done } = stack();
    const year = lastYearWhoseSpringIsOver();
    const months = monthsOf(year);
    const airports = airportsOf(year);
    const plan_id = await createAirports(stack(), key, airports);
    await postFlights(
      stack(),
      key,
      airports.flatMap(({ flights }) => flights),
    );
    await forEach(airports, async ({ id }) => {
      await done(key, 'POST', '/v1/subscriptions', {
        customer_id: id,
        plan_id,
        start_date: months[0]!.start,
      });
      // Made after these periods ended, so it covers nothing of them.
      await done(key, 'POST', '/v1/credit-grants', { customer_id: id, amount: 1000, rollover: true });
    });
    await forEach(airports, async (airport) => {
      const issued = ({ issued_at, period_end }: Invoice) =>
        issued_at !== null && period_end <= months[2]!.end;
      const invoices = await eventually(
        () => invoicesOf(stack(), key, airport),
        (found) => found.filter(issued).length === 3,
        500_000,
      );
      compare(airport, months, invoices.slice(0, 3));
    });
  });
});

/** The later months are billed as well, so the fewer the better. */
function lastYearWhoseSpringIsOver(): number {
  const year = new Date().getUTCFullYear();
  return monthsOf(year)[2]!.end < new Date().toISOString() ? year : year - 1;
}

/** Some airports have credit: for ever, until the middle of a month, for the first period only, and together. */
async function grantCredit(
  { done }: Stack,
  key: string,
  airport: Airport,
  { index, months }: { index: number; months: readonly Period[] },
): Promise<void> {
  const grant = async (amount: number, options: { rollover: boolean; expires_in_days?: number }) => {
    const body = { customer_id: airport.id, amount, ...options };
    const made = await done<{ created_at: string }>(key, 'POST', '/v1/credit-grants', body);
    const { created_at } = made;
    const by_days =
      options.expires_in_days === undefined
        ? null
        : new Date(Date.parse(created_at) + options.expires_in_days * DAY_MS).toISOString();
    // Nothing runs yet: without rollover it ends with the first period.
    const expires_at = [by_days, options.rollover ? null : months[0]!.end].reduce((a, b) =>
      a !== null && b !== null ? (a < b ? a : b) : (a ?? b),
    );
    airport.grants.push({ amount, created_at, expires_at, rollover: options.rollover, drawn: 0 });
  };
  const until = Math.ceil((Date.parse(months[1]!.start) - Date.now()) / DAY_MS) + 14;
  if (index % 3 === 0) await grant(15, { rollover: true });
  if (index % 4 === 0) await grant(9000, { rollover: true, expires_in_days: until });
  if (index % 5 === 0) await grant(25, { rollover: false });
}
