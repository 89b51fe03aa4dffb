import assert from 'node:assert/strict';
import { readOnly, type Pool } from '../../src/db/connection/pool.ts';
import { forgetRollup, rollUp } from '../../src/db/reports/roll-up.ts';
import { chargesOf } from '../../src/db/subscriptions/charges.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import * as given from '../support/ledger/billing.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import { dailyUsageOf } from '../support/ledger/usage.ts';

const FLAT = { event_name: 'fee', pricing: { pricing_model: 'flat', flat_amount: '10.00' } } as const;

describe('billing in a time zone', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('10.00 flat from 29 March 2026 in Berlin is 71 / 743 x 10.00 = 0.96', async () => {
    const customer = await given.aCustomer(pool, { timezone: 'Europe/Berlin' });
    const plan = await given.aPlan(pool, [FLAT]);
    const [period_start, march] = ['2026-03-28T23:00:00.000Z', '2026-02-28T23:00:00.000Z'];
    const subscription = await given.aSubscription(pool, customer, plan, period_start, march);
    // The customer moves; the subscription stays where it is.
    await pool.query(`update customers set timezone = 'Asia/Tokyo' where id = $1`, [customer.id]);
    const { period_end, timezone, total, line_items } = await given.bill(pool, {
      ...given.stepOf(subscription),
      period_start,
    });
    assert.deepEqual(
      { period_end, timezone, total, description: line_items[0]?.description },
      {
        period_end: '2026-03-31T22:00:00.000Z',
        timezone: 'Europe/Berlin',
        total: '0.96',
        description:
          'Fixed fee for fee, 0.96 of 10.00, from 29 to 31 March 2026, a part of the period from 1 to 31 March 2026 (Europe/Berlin)',
      },
    );
    const april = await given.bill(pool, { ...given.stepOf(subscription), period_start: period_end });
    assert.deepEqual([april.period_end, april.total], ['2026-04-30T22:00:00.000Z', '10.00']);
    const found = await readOnly(pool, (db) => breachesOf(db));
    assert.deepEqual(
      found.filter(({ invariant }) => invariant === 'I11'),
      [],
    );
  });

  it('local days that begin at 18:15 UTC are billed by daily totals as by the events themselves', async () => {
    const plan_id = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const [period_start, period_end] = ['2025-12-31T18:15:00.000Z', '2026-01-31T18:15:00.000Z'];
    const at = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
    const inside = [
      at(period_start, 0),
      at(period_start, 20_700_000),
      '2026-01-15T12:00:00.000Z',
      at(period_end, -1),
    ];
    const outside = [at(period_start, -1), at(period_end, 0), at(period_end, 20_700_000)];
    const billed = async (is_rolled_up: boolean): Promise<{ invoice: Invoice; days: number | undefined }> => {
      const customer = await given.aCustomer(pool, { timezone: 'Asia/Kathmandu' });
      const subscription = await given.aSubscription(pool, customer, plan_id, period_start);
      await given.post(
        pool,
        customer,
        [...inside, ...outside].map((timestamp) => ({ timestamp })),
      );
      while (is_rolled_up && (await rollUp(pool)));
      const charges = await chargesOf(pool, given.LIVE, plan_id);
      const range = { customer_key: customer.key, charges, from: period_start, to: period_end };
      const days = (await dailyUsageOf(pool, range))?.get(charges[0]!.id)?.days.length;
      return { invoice: await given.bill(pool, { ...given.stepOf(subscription), period_start }), days };
    };
    const by_totals = await billed(true);
    await forgetRollup(pool);
    const by_events = await billed(false);
    assert.deepEqual([by_totals.days, by_events.days], [4, 0]);
    for (const { invoice } of [by_totals, by_events]) {
      assert.equal(invoice.period_end, period_end);
      const [line] = invoice.line_items;
      assert.equal(line?.quantity, '4');
      assert.equal(line.description, 'Api call: 4 events, from 1 to 31 January 2026 (Asia/Kathmandu)');
    }
  });
});
