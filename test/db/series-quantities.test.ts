import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillDimensions } from '../../src/db/events/rollup-cells.ts';
import { createParameters } from '../../src/db/connection/parameters.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import type { SeriesQuantity } from '../../src/domain/usage/counted.ts';
import { isOfSeries, OF_EVENT, passes, textOf as textOfProperty } from '../../src/db/usage/series.ts';
import { cutOffNow } from '../../src/db/usage/usage.ts';
import {
  type Aggregation,
  allowedTexts,
  type Charge,
  type Filters,
  passes as passesAsText,
} from '../../src/domain/pricing/charge.ts';
import type { Series } from '../../src/domain/pricing/series.ts';
import type { Span } from '../../src/domain/time/span.ts';
import * as given from '../support/ledger/billing.ts';
import { aCharge } from '../support/ledger/plans.ts';
import { countingRows } from '../support/ledger/rows-read.ts';
import { greatest, quantitiesOf, type UsedEvent } from '../support/oracles/series-oracle.ts';
import { dailyUsageOf, seriesQuantities } from '../support/ledger/usage.ts';

const day = (place: number) => `2026-01-0${place}T00:00:00.000Z`;
const FROM = day(1);
const TO = day(5);
const LONG = 'x'.repeat(256);
/** Texts to order: of the last two, the second is the greater by code points, the first by UTF-16. */
const TEXTS = ['a', 'b', 'c', 'd', 'false', 'null', '__proto__', 'é"\\', '\uff21', '\u{1f600}'];

const aValue = fc.constantFrom<unknown>(...TEXTS, 1, '1', true, false, null, ['a'], LONG);
const anEvent: fc.Arbitrary<UsedEvent> = fc.record({
  timestamp: fc.integer({ min: 1, max: 4 }).map(day),
  properties: fc.record(
    {
      model: aValue,
      region: fc.constantFrom<unknown>('eu', 'us', 'asia', LONG, null),
      n: fc.constantFrom<unknown>(1, '1', -2, '2.5', 'many', 7, null),
    },
    { requiredKeys: [] },
  ),
});

const someValues = fc.uniqueArray(fc.constantFrom<string | number | boolean>(...TEXTS, 1, true, 'false'), {
  minLength: 1,
  maxLength: 3,
  selector: (value) => `${value}`,
});
const matchOf = (model: string | boolean, region: string[] | null): Filters =>
  region === null ? { model: [model] } : { model: [model], region };

/** Prices whose matches are disjoint by the model, the last one perhaps the default. */
const somePrices: fc.Arbitrary<Charge['pricing']> = fc
  .record({
    models: fc.uniqueArray(fc.constantFrom<string | boolean>(...TEXTS, '1', true), {
      minLength: 1,
      maxLength: 5,
      selector: (value) => `${value}`,
    }),
    regions: fc.array(fc.option(fc.constantFrom<string[]>(['eu'], ['us', 'asia'])), {
      minLength: 5,
      maxLength: 5,
    }),
    has_default: fc.boolean(),
    is_default_alone: fc.boolean(),
  })
  .map(({ models, regions, has_default, is_default_alone }) => ({
    pricing_model: 'per_unit',
    prices: [
      ...(is_default_alone ? [] : models).map((model, place) => ({
        match: matchOf(model, regions[place] ?? null),
        unit_amount: '1',
      })),
      ...(has_default || is_default_alone ? [{ default: true as const, unit_amount: '2' }] : []),
    ],
  }));

const anAggregation = fc.constantFrom<Aggregation>(
  { type: 'count' },
  ...(['sum', 'max', 'unique', 'latest'] as const).map((type) => ({ type, property: 'n' })),
);
const aDividedCharge: fc.Arbitrary<Charge> = fc
  .record({
    aggregation: anAggregation,
    filters: fc.option(
      fc.record({ model: someValues, region: fc.constant<string[]>(['eu', 'us']) }, { requiredKeys: [] }),
    ),
    pricing: fc.oneof(fc.constant(given.PER_UNIT), somePrices),
    group_by: fc.option(fc.constantFrom(['model'], ['region', 'model']), { freq: 5 }),
  })
  .filter(({ pricing, group_by }) => 'prices' in pricing || group_by !== null)
  .map((parts) => ({ ...aCharge(), ...parts }));

const aCase = fc.record({
  charges: fc.array(aDividedCharge, { minLength: 1, maxLength: 4 }),
  /** Events stored before the first cut-off, between it and the second, and after both. */
  before: fc.array(anEvent, { maxLength: 25 }),
  late: fc.array(anEvent, { maxLength: 10 }),
  after: fc.array(anEvent, { maxLength: 4 }),
  rolled_up: fc.record({ before: fc.boolean(), late: fc.boolean(), after: fc.boolean() }),
  places: fc.integer({ min: 0, max: 6 }),
});

const shown = (found: readonly SeriesQuantity[]) =>
  found
    .map(({ series: { price_index, group, others }, quantity, skipped_events }) =>
      JSON.stringify([price_index, group, others, quantity, skipped_events]),
    )
    .sort();

describe('quantities by price and group', function () {
  this.timeout(300_000);
  let pool: Pool;
  before(async () => {
    pool = await given.aLedger();
    await given.aPlan(pool, [{ pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'n' } }]);
  });
  after(() => pool.end());

  async function customerBy(...properties: string[]): Promise<given.TestCustomer> {
    const customer = await given.aCustomer(pool);
    await pool.query(
      `insert into usage_dimensions (environment_id, customer_key, event_name, property)
       select $1, $2, 'api_call', unnest($3::text[])`,
      [given.LIVE, customer.key, properties],
    );
    return customer;
  }

  async function store(
    customer: given.TestCustomer,
    events: UsedEvent[],
    is_rolled_up: boolean,
  ): Promise<void> {
    await given.post(pool, customer, events);
    if (!is_rolled_up) return;
    while (await rollUp(pool));
    while (await fillDimensions(pool));
  }

  const region = { timestamp_from: FROM, timestamp_to: TO, stored_from: null, stored_to: null };

  it('are those of the events, with the greatest groups apart and the rest in others, first and late, rolled up or not', async () => {
    let rest = 0;
    await fc.assert(
      fc.asyncProperty(aCase, async ({ charges, before, late, after, rolled_up, places }) => {
        const customer = await customerBy('model', 'region');
        await store(customer, before, rolled_up.before);
        const first = await cutOffNow(pool);
        await store(customer, late, rolled_up.late);
        const second = { ...(await cutOffNow(pool)), id: `${BigInt(first.id) + 1n}` };
        const query = { environment_id: given.LIVE, customer_key: customer.key };
        const named = charges.map((charge, place) => ({ ...charge, id: `${place}` }));
        const usage = await dailyUsageOf(pool, { ...query, charges: named, from: FROM, to: TO });
        // The rollup of these adds to days whose totals have been read.
        await store(customer, after, rolled_up.after);
        const first_spans: Span[] = [{ ...region, after: null, up_to: first }];
        const late_spans: Span[] = [{ ...region, after: first, up_to: second }];
        for (const charge of named)
          for (const daily of [usage!.get(charge.id)!, null]) {
            const read = (spans: Span[], own: readonly Series[], more: number) =>
              seriesQuantities(pool, { ...query, charge, spans, daily }, { own, places: more });
            const own = greatest(charge, before, { known: [], places });
            const found = await read(first_spans, [], places);
            const groups = found.map(({ series }) => series).filter(({ group }) => group !== null);
            assert.deepEqual(new Set(groups.map(textOf)), new Set(own.map(textOf)));
            for (const [spans, events] of [
              [first_spans, before],
              [late_spans, late],
              [
                [...first_spans, ...late_spans],
                [...before, ...late],
              ],
            ] as const) {
              const expected = quantitiesOf(charge, events, own);
              assert.deepEqual(shown(await read([...spans], own, 0)), shown(expected));
              rest += expected.filter(({ series }) => series.others).length;
            }
            if (charge.aggregation.type !== 'unique' && charge.aggregation.type !== 'latest')
              assert.deepEqual(shown(found), shown(quantitiesOf(charge, before, own)));
          }
      }),
      { numRuns: 60 },
    );
    assert.ok(rest > 100, `${rest}`);
  });

  it('are of the lines that the functions of the invariants name, and of the filters that Node passes cells by', async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(aDividedCharge, fc.array(anEvent, { maxLength: 20 }), async (charge, events) => {
        const customer = await given.aCustomer(pool);
        await given.post(pool, customer, events);
        const own = charge.group_by === null ? [] : greatest(charge, events, { known: [], places: 3 });
        for (const row of await conditionsOf(customer, charge, own)) {
          assert.deepEqual(row.of_series, row.in_series);
          assert.deepEqual(
            [row.passes, passesAsText(allowedTexts(charge.filters), (name) => row.texts[name])],
            [row.matches, row.matches],
          );
          const lines = row.of_series.filter((is_of_line) => is_of_line).length;
          assert.equal(lines, row.price_index === -1 ? 0 : 1);
          held += lines;
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(held > 100, `${held}`);
  });

  type Conditions = {
    passes: boolean;
    matches: boolean;
    price_index: number | null;
    of_series: boolean[];
    in_series: boolean[];
    texts: Record<string, string | null>;
  };

  /** Reads what SQL says of each event, beside what the functions of the database say; by the lines that the charge may have. */
  async function conditionsOf(
    customer: given.TestCustomer,
    { filters, pricing, group_by }: Charge,
    own: readonly Series[],
  ): Promise<Conditions[]> {
    const { values, parameter } = createParameters();
    const json = (value: unknown) => `nullif(${parameter(JSON.stringify(value))}::jsonb, 'null')`;
    const prices = 'prices' in pricing ? pricing.prices.map((_, place) => place) : [null];
    const rest = prices.map((price_index) => ({ price_index, group: null, others: group_by !== null }));
    const lines = [...own, ...rest];
    const inSeries = (series: Series) =>
      `event_in_series(e.properties, ${json(pricing)}, ${json(group_by)}, ${json(series)}, ${json(own)})`;
    const { rows } = await pool.query<Conditions>(
      `select ${passes(filters, OF_EVENT, parameter)} as passes, event_matches(e.properties, ${json(filters)}) as matches,
         event_price(e.properties, ${json(pricing)} -> 'prices') as price_index,
         array[${lines.map((series) => isOfSeries({ pricing, group_by, series, own }, parameter)).join(', ')}] as of_series,
         array[${lines.map(inSeries).join(', ')}] as in_series,
         jsonb_build_object('model', ${textOfProperty(`'model'`)}, 'region', ${textOfProperty(`'region'`)}) as texts
       from events e where e.customer_key = ${parameter(customer.key)}`,
      values,
    );
    return rows;
  }

  it('are read as a row for each price and each group with a line, whatever the number of values', async () => {
    const customer = await customerBy('model');
    const events = Array.from({ length: 5000 }, (_, place) => ({
      timestamp: day(1 + (place % 4)),
      properties: { model: `m${place % 4 === 0 ? place % 900 : place}`, n: place % 7 },
    }));
    await store(customer, events, true);
    const query = { environment_id: given.LIVE, customer_key: customer.key };
    const prices = [
      { match: { model: ['m1', 'm2'] }, unit_amount: '1' },
      { default: true as const, unit_amount: '2' },
    ];
    const pricing = { pricing_model: 'per_unit', prices } as const;
    const aggregations: Aggregation[] = [{ type: 'count' }, { type: 'unique', property: 'n' }];
    const { db, rows } = countingRows(pool);
    for (const aggregation of aggregations) {
      const charge: Charge = { ...aCharge(), aggregation, pricing, group_by: ['model'] };
      const usage = await dailyUsageOf(pool, { ...query, charges: [charge], from: FROM, to: TO });
      const spans = [{ ...region, after: null, up_to: await cutOffNow(pool) }];
      for (const daily of [usage!.get(charge.id)!, null]) {
        const found = await seriesQuantities(db, { ...query, charge, spans, daily }, { own: [], places: 10 });
        assert.deepEqual(
          new Set(found.filter(({ series }) => series.group).map(({ series }) => textOf(series))),
          new Set(greatest(charge, events, { known: [], places: 10 }).map(textOf)),
        );
      }
    }
    assert.equal(rows.length, 2 * 2);
    assert.ok(Math.max(...rows) <= 10 + 2, `${rows.join(', ')}`);
  });
});

function textOf({ price_index, group }: Series): string {
  return JSON.stringify([price_index, group]);
}
