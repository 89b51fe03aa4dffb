import assert from 'node:assert/strict';
import { moveCredit, type CreditMove } from '../../src/db/credit/credit-draws.ts';
import { writeSpans } from '../../src/db/invoicing/line-spans.ts';
import { transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { copies } from '../support/ledger/copies.ts';

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
    const { id: line_item_id, period_start } = invoice.line_items[0]!;
    const move = { grant_id, amount: '1', invoice_id: invoice.id, line_item_id, at: invoice.created_at };
    return { move, line_item_id, period_start, grant_id, customer };
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

  for (const kind of ['drawn', 'returned'] as const) {
    it(`credit ${kind} without a line is refused, and the other movements of the statement are rolled back`, async () => {
      const { move, grant_id } = await aBill();
      const before = await balanceOf(grant_id);
      // A misspelled member: Postgres reads it as missing.
      const moves: CreditMove[] = [
        { kind, ...move },
        { kind, ...move, line_item_id: undefined! },
      ];
      await assert.rejects(
        transaction(pool, (db) => moveCredit(db, given.LIVE, moves)),
        /1 of 2 movements of credit have a line item/,
      );
      assert.deepEqual(await balanceOf(grant_id), before);
    });

    it(`credit ${kind} of a line is written`, async () => {
      const { move, grant_id } = await aBill();
      const [, entries] = await balanceOf(grant_id);
      await transaction(pool, (db) => moveCredit(db, given.LIVE, [{ kind, ...move }]));
      assert.deepEqual(await balanceOf(grant_id), [kind === 'drawn' ? '1' : '3', entries + 1]);
    });
  }

  it('credit of a line is kept in the order of drawing, also where the plan begins with the lines', async () => {
    const { move, line_item_id, customer } = await aBill();
    await transaction(pool, async (db) => {
      await db.query('set local session_replication_role = replica');
      const full_period_start = `row.full_period_start + n * interval '1 second'`;
      await copies(db, 'line_items', 20_000, { id: `'li_' || n`, full_period_start });
    });
    await pool.query('analyze line_items');
    const grant_ids = await Promise.all(Array.from({ length: 9 }, () => given.aGrant(pool, customer, 5)));
    const order = [5, 2, 8, 0, 1, 7, 3, 6, 4].map((place) => grant_ids[place]!);
    const moves = (['drawn', 'held'] as const).flatMap((kind) =>
      order.map((grant_id): CreditMove => ({ kind, ...move, grant_id })),
    );
    await transaction(pool, async (db) => {
      // The plan that a group of many closes gets.
      await db.query('set local enable_nestloop = off');
      await moveCredit(db, given.LIVE, moves);
    });
    for (const table of ['credit_draws', 'credit_ledger']) {
      const written = await pool.query<{ grant_id: string }>(
        `select grant_id from ${table} where line_item_id = $1 and grant_id = any($2) order by id`,
        [line_item_id, grant_ids],
      );
      assert.deepEqual(
        written.rows.map(({ grant_id }) => grant_id),
        order,
        table,
      );
    }
  });

  it('spans without a line are refused, and the spans of the draft stay', async () => {
    const { line_item_id, period_start } = await aBill();
    const spansOf = async (db: Db) =>
      (await db.query('select * from line_item_spans where line_item_id = $1', [line_item_id])).rows;
    const before = await spansOf(pool);
    const up_to = { id: before[0].up_to_cut_off_id, epoch: 1, snapshot: '' };
    const span = {
      ...{ after: null, up_to, stored_from: null, stored_to: null },
      ...{ timestamp_from: period_start, timestamp_to: '2026-02-01T00:00:00.000Z' },
    };
    const held_spans = [line_item_id, undefined!].map((id) => ({ line_item_id: id, spans: [span] }));
    await assert.rejects(
      transaction(pool, (db) => writeSpans(db, given.LIVE, { held_spans, rewritten: [line_item_id] })),
      /null value in column "line_item_id"/,
    );
    assert.deepEqual(await spansOf(pool), before);
  });
});
