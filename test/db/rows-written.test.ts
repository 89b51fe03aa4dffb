import assert from 'node:assert/strict';
import { drawFromGrants, returnToGrants } from '../../src/db/credit/credit-draws.ts';
import { writeSpans } from '../../src/db/invoicing/line-items.ts';
import { transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { ALL } from '../../src/domain/series.ts';
import * as given from '../support/billing.ts';

/** Rows go to Postgres as JSON. Without this check, a row that joins no line item would be lost without an error. */
describe('what is written for the lines of an invoice', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  async function aBill() {
    const customer = await given.aCustomer(pool);
    const plan_id = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription = await given.aSubscription(pool, customer, plan_id);
    const grant_id = await given.aGrant(pool, customer, 5);
    await given.post(pool, customer, given.january(3));
    const invoice = await given.bill(pool, given.stepOf(subscription));
    const { id, charge_id, period_start: full_period_start } = invoice.line_items[0]!;
    const key = { environment_id: given.LIVE, invoice_id: invoice.id, now: invoice.created_at };
    return {
      key,
      line_item_id: id,
      line: { charge_id: charge_id!, series: ALL, full_period_start },
      grant_id,
    };
  }

  async function balanceOf(grant_id: string): Promise<[remaining: string, entries: number]> {
    const { rows } = await pool.query(
      `select trim_scale(remaining)::text as remaining,
         (select count(*)::integer from credit_ledger l where l.grant_id = g.id) as entries
       from credit_grants g where id = $1`,
      [grant_id],
    );
    return [rows[0].remaining, rows[0].entries];
  }

  /** A misspelled member: Postgres reads it as missing. */
  const unnamed = { full_period_start: undefined! };

  for (const [what, write] of [
    ['draws', drawFromGrants],
    ['returns', returnToGrants],
  ] as const) {
    it(`${what} without a line are refused, and the others of the statement are rolled back`, async () => {
      const { key, line, grant_id } = await aBill();
      const before = await balanceOf(grant_id);
      const draw = { ...line, grant_id, amount: '1' };
      await assert.rejects(
        transaction(pool, (db) => write(db, key, [draw, { ...draw, ...unnamed }])),
        new RegExp(`1 of 2 ${what} of invoice ${key.invoice_id}`),
      );
      assert.deepEqual(await balanceOf(grant_id), before);
    });

    it(`${what} of a line are written`, async () => {
      const { key, line, grant_id } = await aBill();
      const [, entries] = await balanceOf(grant_id);
      await transaction(pool, (db) => write(db, key, [{ ...line, grant_id, amount: '1' }]));
      assert.deepEqual(await balanceOf(grant_id), [what === 'draws' ? '1' : '3', entries + 1]);
    });
  }

  it('spans without a line are refused, and the spans of the draft stay', async () => {
    const { key, line, line_item_id } = await aBill();
    const spansOf = async (db: Db) =>
      (await db.query('select * from line_item_spans where line_item_id = $1', [line_item_id])).rows;
    const before = await spansOf(pool);
    const up_to = { id: before[0].up_to_cut_off_id, epoch: 1, snapshot: '' };
    const span = {
      ...{ after: null, up_to, stored_from: null, stored_to: null },
      ...{ timestamp_from: line.full_period_start, timestamp_to: '2026-02-01T00:00:00.000Z' },
    };
    const held = [line_item_id, undefined!].map((id) => ({ line_item_id: id, spans: [span] }));
    await assert.rejects(
      transaction(pool, (db) => writeSpans(db, key, held)),
      /null value in column "line_item_id"/,
    );
    assert.deepEqual(await spansOf(pool), before);
  });
});
