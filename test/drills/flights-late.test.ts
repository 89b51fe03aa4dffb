import assert from 'node:assert/strict';
import type { Invoice } from '../../src/objects/invoice.ts';
import { useStack } from '../support/servers/stack.ts';
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
import type { Flight } from './flights.ts';
import { recount, sumOfLines } from './flights-recount.ts';

const BUSIEST = ['ORD', 'DFW', 'ATL', 'LAX', 'PHX', 'STL'];
const REGENERATED = ['ORD', 'DFW'];
/** Airports with credit for all flights before mid-February, so that the credit of a month does not depend on the order of billing. */
const WITH_CREDIT = ['DFW', 'ATL'];
const AMPLE = 1_000_000;

const SEED = 2001;
const LATE_PERCENT = 10;

/** The time of posting: in its month; or between its month's invoice and the next one; or after all months are billed. */
type Posted = 'in time' | 'late' | 'last';

/**
 * The time at which each flight is posted; only the seed decides which are late. Of the late flights of regenerated airports, every other
 * one is posted last: January's are then more than 35 days late, so that only a regeneration can bill them.
 */
function postings(airports: readonly Airport[]): Map<Flight, Posted> {
  const posted = new Map<Flight, Posted>();
  let random = SEED;
  let late = 0;
  for (const { id, flights } of airports) {
    for (const flight of flights) {
      random = (random * 16_807) % 2_147_483_647;
      const is_late = random % 100 < LATE_PERCENT;
      const is_last = is_late && REGENERATED.includes(id) && late++ % 2 === 0;
      posted.set(flight, is_last ? 'last' : is_late ? 'late' : 'in time');
    }
  }
  return posted;
}

describe('real flights, a tenth posted late and two airports regenerated', function () {
  this.timeout(200_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });
  const year = new Date().getUTCFullYear() + 1;
  const months = monthsOf(year);
  const april = { start: months[2]!.end, end: new Date(Date.UTC(year, 4, 1)).toISOString() };
  const airports = airportsOf(year).filter(({ id }) => BUSIEST.includes(id));
  const flights = airports.flatMap((airport) => airport.flights);
  const posted = postings(airports);

  const inMonth = (month: Month | undefined, when: Posted): Flight[] =>
    month === undefined ? [] : flightsIn(month, flights).filter((flight) => posted.get(flight) === when);

  const post = (some: readonly Flight[]) => postFlights(stack(), stack().test_key, some);

  const advanceAll = (to: string) =>
    forEach(airports, async ({ id }) => {
      const body = { customer_id: id, to };
      await stack().done(stack().test_key, 'POST', '/v1/test-clock/advance', body);
    });

  async function subscribeAll(): Promise<void> {
    const { test_key: key, done } = stack();
    const plan_id = await createAirports(stack(), key, airports);
    const start_date = months[0]!.start;
    await forEach(airports, async ({ id, grants }) => {
      if (WITH_CREDIT.includes(id)) grants.push(await grantUntilMidFebruary(id));
      await done(key, 'POST', '/v1/subscriptions', { customer_id: id, plan_id, start_date });
    });
  }

  async function grantUntilMidFebruary(customer_id: string): Promise<Airport['grants'][number]> {
    const expires_in_days = Math.ceil((Date.parse(months[1]!.start) - Date.now()) / DAY_MS) + 14;
    const body = { customer_id, amount: AMPLE, rollover: true, expires_in_days };
    const { test_key: key, done } = stack();
    const { created_at } = await done<{ created_at: string }>(key, 'POST', '/v1/credit-grants', body);
    const expires_at = new Date(Date.parse(created_at) + expires_in_days * DAY_MS).toISOString();
    return { amount: AMPLE, created_at, expires_at, rollover: true, drawn: 0 };
  }

  /** Posts each month's flights on its last day, with the late flights of the previous month, which is billed by then. */
  async function liveThroughMonths(): Promise<void> {
    for (const [index, month] of months.entries()) {
      await advanceAll(new Date(Date.parse(month.end) - DAY_MS).toISOString());
      await post([...inMonth(month, 'in time'), ...inMonth(months[index - 1], 'late')]);
    }
    await advanceAll(months[2]!.end);
    await post([...inMonth(months[2], 'late'), ...flights.filter((flight) => posted.get(flight) === 'last')]);
  }

  async function regenerate(airport: Airport): Promise<void> {
    const { test_key: key, done } = stack();
    for (const { id } of await invoicesOf(stack(), key, airport))
      await done(key, 'POST', `/v1/invoices/${id}/regenerate`);
  }

  function compare(airport: Airport, invoices: readonly Invoice[]): void {
    const valid = invoices.filter(({ status }) => status !== 'void');
    const lines = valid.flatMap(({ line_items }) => line_items);
    // An invoice lists its own lines first, in the order of the plan's charges.
    const charges = invoices[0]!.line_items.slice(0, 3).map(({ charge_id }) => charge_id!);
    const billed = (month: Month, charge: string) => (line: Invoice['line_items'][number]) =>
      line.charge_id === charge && line.period_start === month.start;
    for (const month of [...months, april]) {
      const sums = charges.map((charge) => sumOfLines(lines.filter(billed(month, charge))));
      const expected = recount(airport.flights, month, airport.grants).lines;
      const without_tiers = expected.map(({ tiers: _, ...line }) => line);
      assert.deepEqual(sums, without_tiers, `${airport.id}, ${month.start}`);
    }
    const late = lines.filter(({ type }) => type === 'late_usage');
    assert.ok(late.length > 0, `${airport.id} has late lines`);
  }

  it('the lines of every month sum to one invoice over all its flights', async () => {
    await subscribeAll();
    await liveThroughMonths();
    const regenerated = airports.filter(({ id }) => REGENERATED.includes(id));
    await forEach(regenerated, regenerate);
    // April's invoices bill all remaining late flights.
    await advanceAll(april.end);

    for (const airport of airports) {
      const invoices = await invoicesOf(stack(), stack().test_key, airport);
      compare(airport, invoices);
      const void_count = invoices.filter(({ status }) => status === 'void').length;
      assert.deepEqual(
        [invoices.length - void_count, void_count],
        [4, REGENERATED.includes(airport.id) ? 3 : 0],
        airport.id,
      );
    }
    await assertGapless(stack(), 4 * airports.length + 3 * REGENERATED.length);
    const late_share = [...posted.values()].filter((when) => when !== 'in time').length / flights.length;
    assert.ok(late_share > 0.08 && late_share < 0.12, `${late_share} are late`);
  });
});
