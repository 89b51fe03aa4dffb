import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { checkInvariants, KINDS } from '../../src/db/invariants/all.ts';
import { INVARIANTS, NO_INPUTS } from '../../src/db/invariants/check.ts';
import { PLANTS } from '../support/plants/all.ts';
import { acknowledged, isCheckedInFull, kindsOf } from '../support/plants/plant.ts';
import { assertSound, breachesOf } from '../support/ledger/sound.ts';
import { aSoundLedger, type SoundLedger } from '../support/ledger/sound-ledger.ts';

describe('the invariants', function () {
  let ledger: SoundLedger;
  before(async () => void (ledger = await aSoundLedger()));
  after(() => ledger.pool.end());

  it('hold in a healthy database', async () => {
    await assertSound(ledger.pool);
  });

  it('hold when a line that a late line depends on is void, until the next line is made', async () => {
    const { pool, late } = ledger;
    const client = await pool.connect();
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>(
      `update invoices set status = 'void', voided_at = '2026-03-01T00:00:31Z'
       where subscription_id = $1 and period_start = '2026-01-01' returning id`,
      [late.subscription_id],
    );
    const found = await breachesOf(client);
    await client.query('rollback');
    client.release();
    assert.deepEqual([rows.length, found], [1, []]);
  });

  it('hold when an item has moved to another subscription after its invoice was void', async () => {
    const { pool, with_item } = ledger;
    const client = await pool.connect();
    await client.query('begin');
    await client.query(
      `update invoices set status = 'void', voided_at = '2026-03-01T00:00:31Z' where id = $1`,
      [with_item.id],
    );
    const { rowCount } = await client.query(
      `with taker as (
         insert into subscriptions select (jsonb_populate_record(s, '{"id": "sub_taker"}')).* from subscriptions s
         where s.id = $1 returning id
       ) update invoice_items x set subscription_id = taker.id from taker where x.subscription_id = $1`,
      [with_item.subscription_id],
    );
    const found = await breachesOf(client, undefined, kindsOf('I22'));
    await client.query('rollback');
    client.release();
    assert.deepEqual([rowCount, found.filter(({ invariant }) => invariant === 'I22')], [1, []]);
  });

  for (const [place, { invariant, what, plant, options }] of PLANTS.entries()) {
    it(`${invariant} alone finds ${what}`, async () => {
      const client = await ledger.pool.connect();
      try {
        await client.query('begin');
        const row = await plant(client, ledger);
        const kinds = isCheckedInFull(place) ? KINDS : kindsOf(invariant);
        const found = await breachesOf(client, options?.(client, ledger), kinds);
        assert.deepEqual(
          [...new Set(found.map((breach) => breach.invariant))],
          [invariant],
          JSON.stringify(found),
        );
        assert.ok(
          found.some((breach) => breach.row.includes(row)),
          `${row} in ${JSON.stringify(found)}`,
        );
      } finally {
        await client.query('rollback');
        client.release();
      }
    });
  }

  it('are all in the document, each with its statement', () => {
    const document = readFileSync(new URL('../../docs/invariants.md', import.meta.url), 'utf8');
    const stated = new Map(
      [...document.matchAll(/^\| (I\d+) \| (.*?) \| .+ \|$/gm)].map(([, a, b]) => [a, b]),
    );
    assert.equal(stated.size, 69);
    for (const { number, statement } of INVARIANTS) assert.equal(stated.get(number), statement);
  });

  it('have a plant each, except the one that needs two sessions', () => {
    const planted = new Set(PLANTS.map(({ invariant }) => invariant));
    const others = INVARIANTS.map(({ number }) => number).filter((number) => !planted.has(number));
    assert.deepEqual(others, ['I31']);
  });

  it('I31 finds a session that waits for a lock for more than ten seconds', async () => {
    const [holder, waiter] = [await ledger.pool.connect(), await ledger.pool.connect()];
    const lock = 'select from environments for update';
    await holder.query('begin');
    await holder.query(lock);
    const waiting = waiter.query(lock);
    await pause(10_500);
    const checked = await checkInvariants(ledger.pool, NO_INPUTS);
    await holder.query('rollback');
    await waiting;
    holder.release();
    waiter.release();
    const { breaches } = checked.find(({ number }) => number === 'I31')!;
    assert.match(breaches![0]!.what, /has waited for a lock/);
  });

  it('a check writes nothing, and reports an invariant without its input as not checked', async () => {
    const checked = await checkInvariants(ledger.pool, NO_INPUTS);
    const unchecked = checked.filter(({ breaches }) => breaches === null).map(({ number }) => number);
    assert.deepEqual(unchecked, ['I1', 'I23']);
  });

  /** Breaches found after these changes, by invariant. */
  async function foundAfter(...changes: string[]) {
    const client = await ledger.pool.connect();
    try {
      await client.query('begin');
      for (const change of changes) await client.query(change);
      return await breachesOf(client);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  it('a statement that fails on a row is a breach, and the other statements still run', async () => {
    const found = await foundAfter(
      `create or replace function event_number(value jsonb) returns numeric language sql immutable return 1 / (1 - 1)`,
      `update customers set currency = 'EUR'`,
    );
    const numbers = new Set(found.map(({ invariant }) => invariant));
    assert.deepEqual([...numbers], ['I6', 'I7', 'I9', 'I33', 'I35', 'I43']);
    assert.match(found[0]!.what, /^could not be checked: division by zero/);
  });

  it('a line that cannot be rated is a breach, and the other lines are still checked', async () => {
    const { draft, late } = ledger;
    const charge_of = ({ line_items }: typeof draft) =>
      line_items.find(({ type }) => type === 'usage')!.charge_id;
    const found = await foundAfter(
      `update charges set pricing = '{"pricing_model": "per_unit", "unit_amount": "much"}' where id = '${charge_of(draft)}'`,
      `update line_items set amount = amount + 1 where charge_id = '${charge_of(late)}'`,
    );
    const rated = found
      .filter(({ invariant }) => invariant === 'I7')
      .map(({ row, what }) => `${row}: ${what}`);
    for (const [charge_id, what] of [
      [charge_of(draft), 'cannot be checked'],
      [charge_of(late), 'the price of'],
    ])
      assert.ok(
        rated.some((text) => text.includes(charge_id!) && text.includes(what!)),
        rated.join('\n'),
      );
  });

  it('a check that fails names the invariant', async () => {
    const broken = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('line 2 is no JSON')) }),
    };
    await assert.rejects(
      checkInvariants(ledger.pool, { acknowledged: broken, workflows: null }),
      /^Error: The check stopped at I1; the invariants after it are not checked: line 2 is no JSON$/,
    );
  });

  it('names no more than a hundred breaches of one invariant, and says that there are more', async () => {
    const missing = Array.from({ length: 150 }, (_, index) => ({
      id: `evt_${'0'.repeat(23)}${`${index}`.padStart(3, '0')}`,
      idempotency_key: `lost-${index}`,
    }));
    const [first] = await checkInvariants(ledger.pool, {
      acknowledged: acknowledged(...missing),
      workflows: null,
    });
    assert.deepEqual([first!.number, first!.breaches!.length, first!.is_cut], ['I1', 100, true]);
  });
});
