import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { addCells, fillDimensions } from '../../src/db/events/rollup-cells.ts';
import { dryRun, readOnly, type Pool } from '../../src/db/connection/pool.ts';
import { cutOffNow } from '../../src/db/usage/usage.ts';
import type { Charge } from '../../src/domain/pricing/charge.ts';
import { type Series, seriesKey } from '../../src/domain/pricing/series.ts';
import * as given from '../support/ledger/billing.ts';
import { aCharge } from '../support/ledger/plans.ts';
import { countingRows } from '../support/ledger/rows-read.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import { dailyUsageOf, quantityOf, seriesQuantities } from '../support/ledger/usage.ts';

const day = (place: number) => `2026-01-0${place}T00:00:00.000Z`;
const FROM = day(1);
const TO = day(5);

const LISTED: Charge['pricing'] = {
  pricing_model: 'per_unit',
  prices: [
    { match: { model: ['a', 1], region: ['eu'] }, unit_amount: '1' },
    { match: { model: ['b'] }, unit_amount: '2' },
  ],
};

type Selecting = Pick<Charge, 'aggregation' | 'filters' | 'pricing' | 'group_by'>;
const COUNT = { type: 'count' } as const;
const of = (parts: Partial<Selecting>): Charge => ({ ...aCharge(), aggregation: COUNT, ...parts }) as Charge;
const CHARGES: Charge[] = [
  of({ filters: { region: ['eu'] } }),
  of({ filters: { model: ['a', 'b'], region: ['eu', 'us'] }, aggregation: { type: 'sum', property: 'n' } }),
  of({ pricing: LISTED }),
  of({ group_by: ['model'], aggregation: { type: 'max', property: 'n' } }),
  of({ group_by: ['region', 'model'], aggregation: { type: 'unique', property: 'n' } }),
  of({
    pricing: LISTED,
    group_by: ['region'],
    aggregation: { type: 'sum', property: 'n' },
    filters: { region: ['eu', 'us'] },
  }),
].map((charge, place) => ({ ...charge, id: `${place}` }));
const DIMENSIONS = ['model', 'region'];

const MANY = 'x'.repeat(300);
const anEvent = fc.record({
  timestamp: fc.integer({ min: 1, max: 4 }).map(day),
  properties: fc.record(
    {
      model: fc.constantFrom<unknown>('a', 'b', 1, '1', null, MANY, ['a'], true),
      region: fc.constantFrom('eu', 'us', 'asia'),
      n: fc.constantFrom<unknown>(1, -2, '2.5', 'many', 7),
    },
    { requiredKeys: [] },
  ),
});
type Event = { timestamp: string; properties: Record<string, unknown> };

/** The acts between two steps of the rollup: events are stored, and a plan names a property. */
const aStep = fc.record({
  events: fc.array(anEvent, { maxLength: 6 }),
  named: fc.option(fc.constantFrom(...DIMENSIONS), { freq: 2 }),
  is_filled: fc.boolean(),
});

describe('the cells of a day', function () {
  this.timeout(180_000);
  let pool: Pool;
  before(async () => {
    pool = await given.aLedger();
    const sums = { pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'n' } } as const;
    await given.aPlan(pool, [sums]);
  });
  after(() => pool.end());

  const name = (customer: given.TestCustomer, property: string) =>
    pool.query(
      `insert into usage_dimensions (environment_id, customer_key, event_name, property) values ($1, $2, 'api_call', $3)
       on conflict do nothing`,
      [given.LIVE, customer.key, property],
    );

  it('give each charge the quantity of its events by price and group, whatever is named, rolled up or filled when', async () => {
    let by_cell = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 6 }), async (steps) => {
        const customer = await given.aCustomer(pool);
        for (const { events, named, is_filled } of steps) {
          if (named !== null) await name(customer, named);
          await given.post(pool, customer, events as given.TestEvent[]);
          while (await rollUp(pool));
          if (is_filled) while (await fillDimensions(pool));
        }
        const events = steps.flatMap((step) => step.events as Event[]);
        const query = { environment_id: given.LIVE, customer_key: customer.key };
        const usage = (await dailyUsageOf(pool, { ...query, charges: CHARGES, from: FROM, to: TO }))!;
        by_cell += [...usage.values()]
          .flatMap(({ days }) => days)
          .filter(({ totals }) => totals !== null).length;
        const bounds = { timestamp_from: FROM, timestamp_to: TO, stored_from: null, stored_to: null };
        const spans = [{ after: null, up_to: await cutOffNow(pool), ...bounds }];
        for (const charge of CHARGES)
          for (const daily of [usage.get(charge.id)!, null]) {
            const expected = expectedOf(charge, events);
            if (charge.group_by === null && charge.pricing !== CHARGES[2]!.pricing) {
              const { quantity } = await quantityOf(pool, { ...query, charge, spans, daily });
              assert.equal(
                quantity,
                expected.get(seriesKey({ price_index: null, group: null, others: false })) ?? '0',
              );
              continue;
            }
            const all = { own: [], places: 1000 };
            const found = await seriesQuantities(pool, { ...query, charge, spans, daily }, all);
            assert.deepEqual(
              new Map(found.map(({ series, quantity }) => [seriesKey(series), quantity])),
              expected,
              `charge ${charge.id}`,
            );
          }
      }),
      { numRuns: 25 },
    );
    assert.ok(by_cell > 50, `${by_cell}`);
    const breaches = await readOnly(pool, (db) => breachesOf(db));
    assert.deepEqual(
      breaches.filter(({ invariant }) => invariant === 'I33'),
      [],
    );
  });

  it('are not kept for a day with more than 1,000 of them, which is read from its events', async () => {
    const customer = await given.aCustomer(pool);
    await name(customer, 'model');
    const post = async (from: number, count: number, timestamp: string) =>
      given.post(
        pool,
        customer,
        Array.from({ length: count }, (_, place) => ({
          timestamp,
          properties: { model: `${from + place}` },
        })),
      );
    const cells = async () =>
      (
        await pool.query(
          `select day::text, count(*)::integer from usage_cells where customer_key = $1 and property = '' group by 1 order by 1`,
          [customer.key],
        )
      ).rows.map(({ count }) => count);
    await post(0, 1000, day(1));
    await post(0, 600, day(2));
    while (await rollUp(pool));
    const before = await cells();
    await post(600, 401, day(2));
    while (await rollUp(pool));
    await post(2000, 5, day(2));
    while (await rollUp(pool));
    const charge = CHARGES[3]!;
    const query = { environment_id: given.LIVE, customer_key: customer.key };
    const usage = await dailyUsageOf(pool, {
      ...query,
      charges: [{ ...charge, aggregation: COUNT }],
      from: FROM,
      to: TO,
    });
    assert.deepEqual([before, await cells()], [[1000, 600], [1000]]);
    assert.deepEqual(
      usage!.get(charge.id)!.days.map(({ totals }) => totals?.length ?? null),
      [1000, null],
    );
  });

  it('are added without reading the days of a step, but those that may have more than 1,000 of them', async () => {
    const customer = await given.aCustomer(pool);
    await name(customer, 'model');
    const models = (count: number, timestamp: string) =>
      Array.from({ length: count }, (_, place) => ({ timestamp, properties: { model: `${place}` } }));
    await given.post(
      pool,
      customer,
      [1, 2, 3].flatMap((place) => models(1000, day(place))),
    );
    await given.post(pool, customer, models(1001, day(4)));
    const rows = await dryRun(pool, async (db) => {
      const read = countingRows(db);
      await addCells(read.db, { condition: 'e.customer_key = $1', values: [customer.key] });
      return read.rows;
    });
    // The statement that adds is between two settings.
    assert.deepEqual(rows, [0, 1, 0, 0]);
  });
});

/** The quantity by `seriesKey`, from the events one by one: written without the code of the rollup and of the series. */
function expectedOf(
  { aggregation, filters, pricing, group_by }: Charge,
  events: readonly Event[],
): Map<string, string> {
  const groups = new Map<string, Event[]>();
  for (const event of events) {
    const text = (property: string) => {
      const value = event.properties[property];
      return value === undefined || value === null || typeof value === 'object' ? null : `${value as string}`;
    };
    const matches = (wanted: object) =>
      Object.entries(wanted).every(([property, values]) =>
        (values as unknown[]).some((value) => `${value as string}` === text(property)),
      );
    if (!matches(filters ?? {})) continue;
    const price_index = 'prices' in pricing ? pricing.prices.findIndex(({ match }) => matches(match!)) : null;
    if (price_index === -1) continue;
    const values = (group_by ?? []).map((property) => [property, text(property)] as const);
    const is_long = values.some(([, value]) => (value ?? '').length > 255);
    const group = group_by === null || is_long ? null : (Object.fromEntries(values) as Series['group']);
    const key = seriesKey({ price_index, group, others: is_long });
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return new Map([...groups].map(([key, held]) => [key, aggregated(aggregation, held)]));
}

function aggregated(aggregation: Charge['aggregation'], events: readonly Event[]): string {
  if (aggregation.type === 'count') return `${events.length}`;
  const values = events
    .map(({ properties }) => properties[aggregation.property])
    .filter((value) => value !== undefined);
  if (aggregation.type === 'unique') return `${new Set(values.map((value) => `${value as string}`)).size}`;
  const numbers = values.filter((value) => value !== 'many').map(Number);
  const result =
    aggregation.type === 'sum' ? numbers.reduce((sum, n) => sum + n, 0) : Math.max(0, ...numbers);
  return `${Math.max(0, result)}`;
}
