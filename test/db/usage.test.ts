import assert from 'node:assert/strict';
import type { Aggregation, Filters } from '../../src/domain/pricing/charge.ts';
import type { Pricing } from '../../src/domain/pricing/definitions.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

const PER_UNIT: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

describe('quantities', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  const at = (minute: number, properties: object) => ({
    timestamp: `2026-01-02T00:${String(minute).padStart(2, '0')}:00.000Z`,
    properties,
  });
  const mixed = [
    at(1, { n: 2, who: 'a', region: 'eu' }),
    at(2, { n: '3.50', who: 1, region: 'us' }),
    at(3, { n: 'many', who: '1', region: 'eu' }),
    at(4, { n: null, who: null, region: 'eu' }),
    at(5, { n: true, who: { id: 1 }, region: null }),
    at(6, { n: -1, who: 'a', region: 'ap' }),
    at(7, {}),
  ];
  const rows: [
    Aggregation,
    Filters | null,
    given.TestEvent[],
    quantity: string,
    skipped: number,
    working: string,
  ][] = [
    [{ type: 'count' }, null, mixed, '7', 0, 'seven events'],
    [
      { type: 'sum', property: 'n' },
      null,
      mixed,
      '4.5',
      4,
      '2 + 3.50 - 1; text, null, a boolean and nothing are left out',
    ],
    [{ type: 'max', property: 'n' }, null, mixed, '3.5', 4, 'the decimal string counts'],
    [{ type: 'unique', property: 'who' }, null, mixed, '2', 3, 'a and 1, as 1 and "1" are one'],
    [{ type: 'latest', property: 'n' }, null, mixed, '0', 4, 'the last is -1, and no quantity is below 0'],
    [{ type: 'latest', property: 'n' }, null, mixed.slice(0, 5), '3.5', 3, 'the last that is a number'],
    [
      { type: 'sum', property: 'n' },
      null,
      [at(1, { n: -5 }), at(2, { n: 3 })],
      '0',
      0,
      '-2 is never below 0',
    ],
    [{ type: 'max', property: 'n' }, null, [], '0', 0, '0 without events'],
    [{ type: 'latest', property: 'n' }, null, [], '0', 0, '0 without events'],
    [{ type: 'count' }, { region: ['eu'] }, mixed, '3', 0, 'three in eu'],
    [{ type: 'count' }, { region: ['eu', 'us'], who: [1] }, mixed, '2', 0, '1 and "1" are one'],
    [{ type: 'count' }, { region: ['null'] }, mixed, '0', 0, 'null matches nothing'],
    [
      { type: 'latest', property: 'n' },
      null,
      [at(1, { n: 1 }), at(1, { n: 9 }), at(1, { n: 4 })],
      '4',
      0,
      'ties by order of storing',
    ],
    [
      { type: 'sum', property: 'n' },
      null,
      [at(1, { n: 0.1 }), at(2, { n: 0.2 }), at(3, { n: '0.000000000000000001' })],
      '0.300000000000000001',
      0,
      'no double',
    ],
  ];
  for (const [aggregation, filters, events, quantity, skipped, working] of rows) {
    it(`${aggregation.type}${filters === null ? '' : ` where ${JSON.stringify(filters)}`} is ${quantity}: ${working}`, async () => {
      const customer = await given.aCustomer(pool);
      const charge = { pricing: PER_UNIT, aggregation, filters };
      const subscription = await given.aSubscription(pool, customer, await given.aPlan(pool, [charge]));
      await given.post(pool, customer, events);
      const [line] = (await given.bill(pool, given.stepOf(subscription))).line_items;
      assert.deepEqual([line!.quantity, line!.skipped_events], [quantity, skipped]);
    });
  }
});
