import assert from 'node:assert/strict';
import type { Invoice } from '../../src/objects/invoice.ts';
import { eventually } from '../support/servers/eventually.ts';
import { useStack, type Stack } from '../support/servers/stack.ts';
import {
  airportsOf,
  assertGapless,
  createAirports,
  DAY_MS,
  flightsIn,
  forEach,
  invoicesOf,
  monthsOf,
  postFlights,
  type Airport,
  type Month,
} from './airports.ts';
import { recount, type RecountedInvoice, type RecountedPeriod } from './flights-recount.ts';
import { DEARER_PLAN } from './flights.ts';

/** An invoice in the form of the recount, to the cent and to the tier. */
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

/** Takes every fourth airport only, because all months up to now are billed as well. */
const CAUGHT_UP_EACH = 4;

function compare(airport: Airport, months: readonly RecountedPeriod[], invoices: readonly Invoice[]): void {
  assert.deepEqual(
    invoices.map(({ period_start, period_end }) => ({ start: period_start, end: period_end })),
    months.map(({ start, end }) => ({ start, end })),
    airport.id,
  );
  for (const [index, invoice] of invoices.entries()) {
    const expected = recount(airport.flights, months[index]!, airport.grants);
    assert.deepEqual(asRecounted(invoice), expected, `${airport.id}, ${months[index]!.start}`);
    assert.equal(invoice.status, expected.total === '0.00' ? 'paid' : 'open');
  }
}

function middleOf({ start }: Month): string {
  return new Date(Date.parse(start) + 14 * DAY_MS).toISOString();
}

/** January, February in two parts, and March; from the middle of February on by the other plan. */
function withChange([january, february, march]: readonly Month[]): RecountedPeriod[] {
  const middle = middleOf(february!);
  return [
    january!,
    { start: february!.start, end: middle },
    { start: middle, end: february!.end, is_changed: true },
    { ...march!, is_changed: true },
  ];
}

/** SQL: live invoices of a customer that are issued, for periods that end by an instant. */
const ISSUED = `
  select from invoices i
  join customers c on (c.environment_id, c.id) = (i.environment_id, i.customer_id)
  join environments n on n.id = i.environment_id
  where n.livemode and c.external_id = $1 and i.period_end <= $2 and i.issued_at is not null`;

describe('5,000 real flights, billed for three months', function () {
  this.timeout(600_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });

  it('month by month by the test clock, with credit, and half of them with another plan from mid-February on', async () => {
    const { test_key: key, done } = stack();
    const year = new Date().getUTCFullYear() + 1;
    const months = monthsOf(year);
    const airports = airportsOf(year);
    const plan_id = await createAirports(stack(), key, airports);
    const dearer = await done<{ id: string }>(key, 'POST', '/v1/pricing-plans', DEARER_PLAN);
    const subscriptions = new Map<string, string>();
    await forEach(airports, async ({ id }) => {
      const { id: subscription_id } = await done<{ id: string }>(key, 'POST', '/v1/subscriptions', {
        customer_id: id,
        plan_id,
        start_date: months[0]!.start,
      });
      subscriptions.set(id, subscription_id);
    });
    const changing = airports.filter((_, index) => index % 2 === 1);
    await forEach(airports, (airport, index) => grantCredit(stack(), key, airport, { index, months }));
    // Flights are posted on the last day of the month: no event may be more than a day ahead of the customer's clock.
    for (const month of months) {
      const to = new Date(Date.parse(month.end) - DAY_MS).toISOString();
      await forEach(airports, async ({ id }) => {
        await done(key, 'POST', '/v1/test-clock/advance', { customer_id: id, to });
      });
      const flights = airports.flatMap((airport) => airport.flights);
      await postFlights(stack(), key, flightsIn(month, flights));
      if (month === months[1])
        await forEach(changing, async ({ id }) => {
          const path = `/v1/subscriptions/${subscriptions.get(id)}/change`;
          await done(key, 'POST', path, { plan_id: dearer.id, at: middleOf(month) });
        });
    }
    await forEach(airports, async ({ id }) => {
      await done(key, 'POST', '/v1/test-clock/advance', { customer_id: id, to: months[2]!.end });
    });
    let credits = 0;
    for (const airport of airports) {
      const invoices = await invoicesOf(stack(), key, airport);
      compare(airport, changing.includes(airport) ? withChange(months) : months, invoices);
      credits += invoices.reduce((sum, { credits_applied }) => sum + Number(credits_applied), 0);
    }
    assert.ok(credits > 1000, 'credit was used');
    await assertGapless(stack(), 3 * airports.length + changing.length);
  });

  it('caught up from the past, with a live key, every fourth customer', async () => {
    const { live_key: key, done } = stack();
    const year = lastYearWhoseSpringIsOver();
    const months = monthsOf(year);
    const airports = airportsOf(year).filter((_, index) => index % CAUGHT_UP_EACH === 0);
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
      // Granted after these periods ended, so it covers none of their usage.
      await done(key, 'POST', '/v1/credit-grants', { customer_id: id, amount: 1000, rollover: true });
    });
    await forEach(airports, async (airport) => {
      await eventually(
        () => stack().pool.query(ISSUED, [airport.id, months[2]!.end]),
        ({ rowCount }) => rowCount === 3,
        500_000,
      );
      const invoices = await invoicesOf(stack(), key, airport);
      compare(airport, months, invoices.slice(0, 3));
    });
  });
});

/** A year as late as possible, because all later months are billed as well. */
function lastYearWhoseSpringIsOver(): number {
  const year = new Date().getUTCFullYear();
  return monthsOf(year)[2]!.end < new Date().toISOString() ? year : year - 1;
}

/** Gives some airports credit: without expiry, until the middle of a month, for the first period only, or several of these. */
async function grantCredit(
  { done }: Stack,
  key: string,
  airport: Airport,
  { index, months }: { index: number; months: readonly Month[] },
): Promise<void> {
  const grant = async (amount: number, options: { rollover: boolean; expires_in_days?: number }) => {
    const body = { customer_id: airport.id, amount, ...options };
    const made = await done<{ created_at: string }>(key, 'POST', '/v1/credit-grants', body);
    const { created_at } = made;
    const by_days =
      options.expires_in_days === undefined
        ? null
        : new Date(Date.parse(created_at) + options.expires_in_days * DAY_MS).toISOString();
    // No subscription exists yet: without rollover the grant expires with the first period.
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
