import assert from 'node:assert/strict';
import { compareNumbers } from '../../src/billing/close/compare-numbers.ts';
import { continueNumbers, isComparisonDue, lockCounters } from '../../src/db/invoicing/numbering.ts';
import type { LastNumber } from '../../src/domain/invoice/numbering.ts';
import { createPool, transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { copyDatabase, createDatabase } from '../support/servers/cluster.ts';

const EPOCH = `insert into epochs (epoch, system_identifier) values (2, 'another')`;
const TIMELINE = `update environments set numbering_timeline = '000000FF'`;
const HALTED = /^BillingError: Live invoices wait: the last number here is 1/;

describe('invoice numbering after a restore', () => {
  let original: Pool;
  let url: string;
  before(async () => {
    url = await createDatabase();
    original = await given.aLedger(url);
    await compare(original, []);
    await issue(original);
    await original.end();
  });

  const compare = (pool: Pool, remembered: readonly LastNumber[]) =>
    transaction(pool, (db) => compareNumbers(db, remembered));

  async function issue(pool: Pool): Promise<string | null> {
    const customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    return (await given.bill(pool, given.stepOf(await given.aSubscription(pool, customer, plan)))).number;
  }

  const remember = async (pool: Pool, last_number: string): Promise<LastNumber[]> => {
    const counters = await transaction(pool, lockCounters);
    return counters.map(({ account_id, environment_id, last_credit_note_number, last_sequence }) => ({
      ...{ account_id, environment_id, last_number, last_credit_note_number, last_sequence },
    }));
  };

  /** Each case runs on a copy of the database with one invoice, as after a restore in the same cluster. */
  const CASES: [what: string, restored: string | null, remembered: string | null, issues: boolean][] = [
    ['issues if the remembered number equals the last one', null, '1', true],
    ['issues if no number is remembered, in the same cluster', null, null, true],
    ['stops if the remembered number is higher', null, '2', false],
    ['stops in a new epoch if no number is remembered', EPOCH, null, false],
    ['stops on another timeline of the WAL if no number is remembered', TIMELINE, null, false],
    ['issues in a new epoch if the remembered number equals the last one', EPOCH, '1', true],
  ];
  for (const [what, restored, last_number, issues] of CASES) {
    it(what, async () => {
      const pool = createPool(await copyDatabase(url), 4);
      await assert.rejects(issue(pool), /^BillingError: Live invoices wait: PostgreSQL was restarted/);
      if (restored !== null) await pool.query(restored);
      assert.equal(await isComparisonDue(pool), true);
      const remembered = last_number === null ? [] : await remember(pool, last_number);
      const halted = await compare(pool, remembered);
      assert.equal(await isComparisonDue(pool), false);
      if (issues) assert.equal(await issue(pool), 'INV-000002');
      else await assert.rejects(issue(pool), HALTED);
      // The halt is reported once, and remains when no number is remembered any more.
      assert.deepEqual([halted.length, await compare(pool, [])], [issues ? 0 : 1, []]);
      if (!issues) await assert.rejects(issue(pool), HALTED);
      await pool.end();
    });
  }

  it('lets the feed go on beyond the remembered number, once, and tells it', async () => {
    const pool = createPool(await copyDatabase(url), 4);
    const last_sequence = '500';
    const remembered = (await remember(pool, '1')).map((number) => ({ ...number, last_sequence }));
    for (let times = 0; times < 2; times++) await compare(pool, remembered);
    const { rows } = await pool.query(
      'select sequence, type, object_id, data from feed where environment_id = $1 order by sequence',
      [given.LIVE],
    );
    assert.deepEqual(rows, [
      {
        ...{ sequence: '1000500', type: 'feed.restored', object_id: 'feed' },
        data: { object: 'feed_restoration', last_sequence: 0 },
      },
    ]);
    await pool.end();
  });

  it('stops if the remembered credit note is higher, and continues both counts after the last known numbers', async () => {
    const pool = createPool(await copyDatabase(url), 4);
    const remembered = (await remember(pool, '1')).map((number) => ({
      ...number,
      last_credit_note_number: '5',
    }));
    const [halted] = await compare(pool, remembered);
    assert.match(halted!, /the last credit note here is 0, but 5 was issued before a restore/);
    await assert.rejects(issue(pool), /^BillingError: Live invoices wait: the last credit note here is 0/);
    assert.deepEqual(await compare(pool, []), []);
    const counters = await transaction(pool, lockCounters);
    const { environment_id, given_credit_note } = counters.find(({ livemode }) => livemode)!;
    assert.equal(given_credit_note, '5');
    const next = { environment_id, last_number: '1', last_credit_note_number: '5', reason: 'restored' };
    await transaction(pool, (db) => continueNumbers(db, next));
    assert.equal(await issue(pool), 'INV-000002');
    const { rows } = await pool.query(
      `select last_credit_note_number as last, g.number_from, g.number_to, g.reason
       from environments n join credit_note_number_gaps g on g.environment_id = n.id`,
    );
    assert.deepEqual(rows, [{ last: '5', number_from: '1', number_to: '5', reason: 'restored' }]);
    await pool.end();
  });

  it('ignores remembered numbers of another account', async () => {
    const pool = createPool(await copyDatabase(url), 4);
    const remembered = (await remember(pool, '9')).map((number) => ({ ...number, account_id: 'other' }));
    assert.deepEqual(await compare(pool, remembered), []);
    await pool.end();
  });
});
