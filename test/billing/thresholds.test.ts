import assert from 'node:assert/strict';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import { dueLooks } from '../../src/db/subscriptions/threshold-looks.ts';
import * as given from '../support/ledger/billing.ts';
import { assertSound } from '../support/ledger/sound.ts';
import { aMember, billsOf, hoursAgo, look, post, waitOf, type Member } from '../support/ledger/thresholds.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';

const MEMBERS = 300;

/** billing.md 15, by real time: what the rollup asks for, and what a worker then does. */
describe('looks of a worker', function () {
  this.timeout(240_000);
  let pool: Pool;
  let plan_id: string;
  before(async () => {
    pool = await given.aLedger();
    plan_id = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
  });
  after(async () => {
    await assertSound(pool);
    await pool.end();
  });
  const set = (table: string, member: Member, change: string, ...values: unknown[]) =>
    pool.query(
      `update ${table} set ${change} where ${table === 'subscriptions' ? 'id' : 'subscription_id'} = $1`,
      [member.subscription_id, ...values],
    );

  it('bill what has come to the amount, once, and nudge its workflow', async () => {
    const member = await aMember(pool, plan_id);
    await post(pool, member, 99);
    assert.deepEqual(await look(pool), { nudged: [], reported: [] });
    assert.deepEqual(await billsOf(pool, member), []);
    await post(pool, member, 1);
    assert.deepEqual(await look(pool), { nudged: [member.subscription_id], reported: [] });
    assert.deepEqual(await billsOf(pool, member), ['open 100.00 threshold']);
    assert.deepEqual(await look(pool), { nudged: [], reported: [] });
    assert.equal(await waitOf(pool, member), null);
  });

  it('wait until a part is an hour old, however much is used', async () => {
    const member = await aMember(pool, plan_id);
    await post(pool, member, 100);
    await look(pool);
    for (const count of [200, 1]) {
      await given.post(
        pool,
        member.customer,
        Array.from({ length: count }, () => ({ timestamp: hoursAgo(0) })),
      );
      await look(pool);
      assert.deepEqual(
        [await billsOf(pool, member), await waitOf(pool, member)],
        [['open 100.00 threshold'], 60],
      );
    }
  });

  it('are asked for by the rollup for customers of the step with an amount, and for no others', async () => {
    const [member, without, other] = [
      await aMember(pool, plan_id),
      await aMember(pool, plan_id, null),
      await aMember(pool, plan_id),
    ];
    await post(pool, member, 1);
    await post(pool, without, 1);
    while (await rollUp(pool));
    assert.deepEqual(
      [await waitOf(pool, member), await waitOf(pool, without), await waitOf(pool, other)],
      [0, null, null],
    );
    await look(pool);
  });

  it('cost the rollup no statement, and one of a worker where none is due', async () => {
    const sent: string[] = [];
    const watched = watchedPool(pool, async (text) => void sent.push(text));
    const statementsOf = async (bill_at: string | null) => {
      await post(pool, await aMember(pool, plan_id, bill_at), 1);
      sent.length = 0;
      await rollUp(watched);
      return sent.length;
    };
    assert.equal(await statementsOf('100'), await statementsOf(null));
    await look(pool);
    sent.length = 0;
    await look(watched);
    assert.equal(sent.filter((text) => text.includes('threshold_looks')).length, 1);
  });

  it('leave parked ones, ended periods and beginnings that are work for an hour', async () => {
    for (const [table, change, value] of [
      ['subscriptions', 'attention = $2', 'a price is missing'],
      ['periods', 'period_end = $2', hoursAgo(0.5)],
      ['periods', 'opened_at = $2', null],
    ] as const) {
      const member = await aMember(pool, plan_id);
      const before = await pool.query('select p.* from periods p where subscription_id = $1', [
        member.subscription_id,
      ]);
      await set(table, member, change, value);
      await post(pool, member, 100);
      await look(pool);
      assert.deepEqual([await billsOf(pool, member), await waitOf(pool, member)], [[], 60], change);
      await set('subscriptions', member, 'attention = null');
      await set('periods', member, 'period_end = $2, opened_at = $3', before.rows[0].period_end, hoursAgo(3));
      await pool.query('update threshold_looks set look_at = now() where subscription_id = $1', [
        member.subscription_id,
      ]);
      await look(pool);
      assert.deepEqual(await billsOf(pool, member), ['open 100.00 threshold'], change);
    }
  });

  it('leave customers with a stopped clock to the advance', async () => {
    const member = await aMember(pool, plan_id);
    await post(pool, member, 100);
    while (await rollUp(pool));
    await pool.query('update customers set test_clock = now() where id = $1', [member.customer.id]);
    await look(pool);
    assert.deepEqual([await billsOf(pool, member), await waitOf(pool, member)], [[], null]);
    await pool.query('update customers set test_clock = null where id = $1', [member.customer.id]);
  });

  it('wait for no lock: what is locked stays due', async () => {
    const [locked, free] = [await aMember(pool, plan_id), await aMember(pool, plan_id)];
    for (const member of [locked, free]) await post(pool, member, 100);
    await transaction(pool, async (db) => {
      await db.query('select from customers where id = $1 for no key update', [locked.customer.id]);
      await look(pool);
      assert.deepEqual([await billsOf(pool, locked), await waitOf(pool, locked)], [[], 0]);
      assert.deepEqual(await billsOf(pool, free), ['open 100.00 threshold']);
    });
    await look(pool);
    assert.deepEqual(await billsOf(pool, locked), ['open 100.00 threshold']);
  });

  it('that fail alone are put off and reported, and the others are billed', async () => {
    const [broken, sound] = [await aMember(pool, plan_id), await aMember(pool, plan_id)];
    for (const member of [broken, sound]) await post(pool, member, 100);
    const failing = watchedPool(pool, async () => undefined);
    await pool.query(
      `create function refuse_one() returns trigger language plpgsql as $$
       begin raise exception 'refused'; end $$`,
    );
    await pool.query(
      `create trigger refused before insert on invoices for each row
       when (new.subscription_id = '${broken.subscription_id}') execute function refuse_one()`,
    );
    const { reported } = await look(failing);
    assert.equal(reported.length, 1);
    assert.deepEqual([await billsOf(pool, broken), await waitOf(pool, broken)], [[], 1]);
    assert.deepEqual(await billsOf(pool, sound), ['open 100.00 threshold']);
    await pool.query('drop trigger refused on invoices');
    await pool.query('update threshold_looks set look_at = now()');
    await look(pool);
    assert.deepEqual(await billsOf(pool, broken), ['open 100.00 threshold']);
  });

  it('that may read many events rest, and need new usage to follow', async () => {
    const charge = { pricing: given.PER_UNIT, aggregation: { type: 'unique', property: 'user' } } as const;
    const member = await aMember(pool, await given.aPlan(pool, [charge]));
    await post(pool, member, 10_000, { user: 'one' });
    await look(pool);
    await pool.query(`update threshold_looks set look_at = look_at + interval '10 minutes'`);
    assert.equal(await waitOf(pool, member), 10);
    const dueNow = () => pool.query('update threshold_looks set look_at = now()');
    await dueNow();
    await look(pool);
    assert.equal(await waitOf(pool, member), null, 'no usage since, so no look');
    await post(pool, member, 1, { user: 'two' });
    await look(pool);
    await post(pool, member, 1, { user: 'three' });
    while (await rollUp(pool));
    assert.equal((await pool.query('select is_asked from threshold_looks')).rows[0].is_asked, true);
    await dueNow();
    await look(pool);
  });

  it(`of two workers at once bill ${MEMBERS} that come to it at once, each once`, async () => {
    const members = await Promise.all(Array.from({ length: MEMBERS }, () => aMember(pool, plan_id)));
    await Promise.all(members.map((member) => post(pool, member, 100)));
    while (await rollUp(pool));
    await Promise.all([look(pool), look(pool)]);
    assert.deepEqual(await dueLooks(pool, 1), []);
    const ids = members.map(({ subscription_id }) => subscription_id);
    const { rows } = await pool.query<{ bill: string; count: number }>(
      `select concat_ws(' ', status, subtotal, cause) as bill, count(*)::integer as count,
         count(distinct subscription_id)::integer as subscriptions
       from invoices where subscription_id = any($1) group by 1`,
      [ids],
    );
    assert.deepEqual(rows, [{ bill: 'open 100.00 threshold', count: MEMBERS, subscriptions: MEMBERS }]);
  });
});
