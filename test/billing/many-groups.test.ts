import assert from 'node:assert/strict';
import { countAsked } from '../../src/db/usage/asked-usage.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { cutOffNow } from '../../src/db/usage/usage.ts';
import { askedUsage, countedOf } from '../../src/domain/usage/counting.ts';
import type { Aggregation, Charge } from '../../src/domain/pricing/charge.ts';
import { GROUPS_MAX } from '../../src/domain/pricing/series.ts';
import * as given from '../support/ledger/billing.ts';
import { aCharge } from '../support/ledger/plans.ts';
import { countingRows } from '../support/ledger/rows-read.ts';
import { greatest, quantitiesOf, type UsedEvent } from '../support/oracles/series-oracle.ts';

const START = '2026-01-01T00:00:00.000Z';
const END = '2026-02-01T00:00:00.000Z';
const VALUES = 5000;

describe('a charge with more groups than lines', function () {
  this.timeout(180_000);
  let pool: Pool;
  let customer: given.TestCustomer;
  const events: UsedEvent[] = given.january(VALUES * 2).map(({ timestamp }, place) => ({
    timestamp,
    properties: { request: `r${(place * 7919) % VALUES}`, model: `m${place % 1300}`, n: place % 11 },
  }));
  before(async () => {
    pool = await given.aLedger();
    customer = await given.aCustomer(pool);
    await given.post(pool, customer, events);
  });
  after(() => pool.end());

  const prices = [
    { match: { model: ['m1', 'm2'] }, unit_amount: '1' },
    { match: { model: ['m3'] }, unit_amount: '2' },
  ];
  const unlisted = { default: true as const, unit_amount: '3' };
  const listed = (more: (typeof unlisted)[] = []): Charge['pricing'] => ({
    pricing_model: 'per_unit',
    prices: [...prices, ...more],
  });
  const SUM: Aggregation = { type: 'sum', property: 'n' };
  const rows: [
    what: string,
    parts: Partial<Pick<Charge, 'aggregation' | 'group_by'>> & { pricing?: Charge['pricing'] },
  ][] = [
    ['a count by one property', { group_by: ['request'] }],
    ['a sum by two', { group_by: ['model', 'request'], aggregation: SUM }],
    [
      'a maximum by one, with prices',
      { group_by: ['request'], aggregation: { ...SUM, type: 'max' }, pricing: listed([unlisted]) },
    ],
    ['distinct values by one', { group_by: ['model'], aggregation: { ...SUM, type: 'unique' } }],
    [
      'last values by one, with prices',
      { group_by: ['request'], aggregation: { ...SUM, type: 'latest' }, pricing: listed() },
    ],
    ['prices alone', { pricing: listed([unlisted]) }],
  ];
  for (const [what, parts] of rows)
    it(`reads a row for each line, not for each value: ${what}`, async () => {
      const charge: Charge = { ...aCharge(), pricing: given.PER_UNIT, ...parts };
      const bounds = { timestamp_from: START, timestamp_to: END, stored_from: null, stored_to: null };
      const free = [{ ...bounds, after: null, up_to: await cutOffNow(pool) }];
      const interval = { interval_start: START, interval_end: END };
      const full_period = { kind: 'billing', period_start: START, period_end: END, ...interval } as const;
      const counting = { charge, full_period, free, others: [], known: [], daily: null };
      const asked = askedUsage(counting, { grants: [], previous_draws: new Map() });
      const read = countingRows(pool);
      const of_charge = { environment_id: given.LIVE, charge };
      const [usage] = await countAsked(read.db, of_charge, [{ ...asked, customer_key: customer.key }]);
      const { counted } = countedOf(counting, usage);
      const own = greatest(charge, events, { known: [], places: GROUPS_MAX });
      const shown = (text: unknown) => JSON.stringify(text);
      assert.deepEqual(usage!.added.map(shown).sort(), charge.group_by === null ? [] : own.map(shown).sort());
      assert.deepEqual(
        counted
          .map(({ series, quantity, skipped_events }) => shown({ series, quantity, skipped_events }))
          .sort(),
        quantitiesOf(charge, events, own).map(shown).sort(),
      );
      assert.ok(Math.max(...read.rows) <= GROUPS_MAX + 3, `${read.rows.join(', ')} rows`);
    });
});
