import assert from 'node:assert/strict';
import { pagesOfSubscriptions } from '../../src/db/invariants/pages.ts';
import * as given from '../support/billing.ts';

const TEST = 1;

describe('pages of subscriptions', () => {
  it('hold every subscription of every environment once, and end at the last one of each', async () => {
    const pool = await given.aLedger();
    for (const [environment_id, count] of [
      [TEST, 3],
      [given.LIVE, 1001],
    ] as const) {
      await pool.query(
        `with customer as (
           insert into customers (environment_id, id, external_id, currency, metadata, created_at)
           values ($1, 'cus', 'c', 'USD', '{}', now())
         ), plan as (
           insert into plans (environment_id, id, name, currency, interval, interval_count, metadata, created_at)
           values ($1, 'plan', 'Plan', 'USD', 'month', 1, '{}', now())
         )
         insert into subscriptions (environment_id, id, customer_id, plan_id, start_date, created_at)
         select $1, 'sub_' || lpad(n::text, 4, '0'), 'cus', 'plan', now(), now() from generate_series(1, $2::integer) n`,
        [environment_id, count],
      );
    }
    const pages = [];
    for await (const page of pagesOfSubscriptions(pool)) pages.push(page);
    await pool.end();
    assert.deepEqual(pages, [
      { environment_id: TEST, after: '', last: 'sub_0003' },
      { environment_id: given.LIVE, after: '', last: 'sub_0500' },
      { environment_id: given.LIVE, after: 'sub_0500', last: 'sub_1000' },
      { environment_id: given.LIVE, after: 'sub_1000', last: 'sub_1001' },
    ]);
  });
});
