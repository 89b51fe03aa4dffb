import assert from 'node:assert/strict';
import { consumeAll, consumeNext } from '../../src/db/changes/consume.ts';
import { countUnread, rowsOfBatch, type Consumer } from '../../src/db/changes/consumers.ts';
import { forgetChanges } from '../../src/db/changes/retention.ts';
import { UPDATES_OF, WATCHED_COLUMNS } from '../../src/db/changes/watched-columns.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import { FEED } from '../../src/db/feed/consumer.ts';
import { collectionsConsumer } from '../../src/collection/consumer.ts';
import { emailsConsumer } from '../../src/emails/consumer.ts';
import { CHECK } from '../../src/db/invariants/check-queue.ts';
import { REPORTS } from '../../src/db/reports/fold.ts';
import * as given from '../support/ledger/billing.ts';

describe('the log of changed rows', () => {
  let pool: Pool;
  let grant: string;
  beforeEach(async () => {
    pool = await given.aLedger();
    grant = await given.aGrant(pool, await given.aCustomer(pool), 10);
    await consumeAll(pool, CHECK);
  });
  afterEach(() => pool.end());

  const change = 'update credit_grants set remaining = remaining + 1 where id = $1';

  it('has the columns of the list, by a trigger on each of its tables that also fires where others are off', async () => {
    const { rows } = await pool.query(
      `select g.tgrelid::regclass::text as table, g.tgenabled as enabled, pg_get_triggerdef(g.oid) ~ 'FOR EACH ROW' as by_row,
         replace(encode(substring(g.tgargs for length(g.tgargs) - 1), 'escape'), '\\000', ', ') as columns,
         (select string_agg(attname, ', ' order by attnum) from pg_attribute a where a.attrelid = g.tgrelid and a.attnum = any(g.tgattr)) as updates_of
       from pg_trigger g where g.tgfoid = 'log_row_change'::regproc order by g.tgrelid::regclass::text collate "C"`,
    );
    const wanted = Object.entries(WATCHED_COLUMNS).map(([table, columns]) => ({
      ...{ table, enabled: 'A', by_row: true, columns, updates_of: UPDATES_OF[table] ?? null },
    }));
    assert.deepEqual(rows, wanted);
  });

  it('has no column that its table lacks', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attnum > 0`,
    );
    const known = new Set(rows.map(({ name }) => name));
    const missing = Object.entries(WATCHED_COLUMNS).flatMap(([table, columns]) =>
      [table === 'environments' ? 'id' : 'environment_id', ...columns.split(', ')].filter(
        (column) => !known.has(`${table}.${column}`),
      ),
    );
    assert.deepEqual(missing, []);
  });

  async function loggedBy(statement: string, values: unknown[] = []) {
    return transaction(pool, async (db) => {
      await db.query(statement, values);
      const { rows } = await db.query(
        `select table_name, before, after from row_changes where created_xid = pg_current_xact_id() order by id`,
      );
      return rows;
    });
  }

  it('has a row before and after its change, and nothing of an update that changes nothing', async () => {
    const [drawn] = await loggedBy(change, [grant]);
    assert.deepEqual(
      [drawn.table_name, Object.keys(drawn.after).sort(), drawn.before.remaining, drawn.after.remaining],
      ['credit_grants', WATCHED_COLUMNS['credit_grants']!.split(', ').sort(), 10, 11],
    );
    assert.deepEqual(
      await loggedBy('update credit_grants set remaining = remaining where id = $1', [grant]),
      [],
    );
    assert.deepEqual(await loggedBy(`update customers set search_text = 'acme'`), []);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription = await given.aSubscription(pool, await given.aCustomer(pool), plan);
    const [period] = await loggedBy(`update periods set kind = 'trial' where subscription_id = $1`, [
      subscription,
    ]);
    assert.deepEqual([period.before.kind, period.after.kind], ['billing', 'trial']);
    const [deleted] = await loggedBy('delete from periods where subscription_id = $1', [subscription]);
    assert.deepEqual([deleted.before.subscription_id, deleted.after], [subscription, null]);
  });

  /** A consumer that keeps the ids of the rows that it has read. */
  function reader(rows_max: number, read: string[] = []): Consumer & { read: string[] } {
    return {
      ...{ name: 'check', rows_max, read },
      work: async (db) => {
        const { rows } = await db.query(`select id from ${rowsOfBatch('check', rows_max)} as r`);
        read.push(...rows.map(({ id }) => id));
      },
    };
  }

  async function idsAfter(id: string): Promise<string[]> {
    const { rows } = await pool.query('select id from row_changes where id > $1 order by id', [id]);
    return rows.map((row) => row.id);
  }

  async function lastId(): Promise<string> {
    return (await pool.query('select max(id) as id from row_changes')).rows[0].id;
  }

  it('is read in batches, each row once, and a row that commits late comes next', async () => {
    const from = await lastId();
    const late = await pool.connect();
    await late.query('begin');
    await late.query(change, [await given.aGrant(pool, await given.aCustomer(pool), 1)]);
    for (let n = 0; n < 5; n++) await pool.query(change, [grant]);
    const consumer = reader(2);
    assert.equal(await consumeNext(pool, consumer), 'more');
    await late.query('commit');
    late.release();
    await pool.query(change, [grant]);
    await consumeAll(pool, consumer);
    assert.deepEqual(
      [...consumer.read].sort((a, b) => Number(a) - Number(b)),
      await idsAfter(from),
    );
    assert.equal(await countUnread(pool, 'check', 1), 0);
    await pool.query(change, [grant]);
    assert.equal(await countUnread(pool, 'check', 10), 1);
  });

  it('is read by one process at a time, and a batch whose work fails is read again', async () => {
    const from = await lastId();
    await pool.query(change, [grant]);
    const consumer = reader(10);
    const failing: Consumer = { ...consumer, work: () => Promise.reject(new Error('killed')) };
    await assert.rejects(consumeNext(pool, failing), /killed/);
    const seen: string[] = [];
    const busy: Consumer = {
      ...consumer,
      work: async (db) => {
        seen.push(await consumeNext(pool, consumer));
        await consumer.work(db);
      },
    };
    assert.equal(await consumeNext(pool, busy), 'done');
    assert.deepEqual([seen, consumer.read], [['busy'], await idsAfter(from)]);
  });

  /** Adds to a snapshot's transaction ids. */
  const later = (snapshot: string) => `(
    select concat(pg_snapshot_xmin(s)::text::numeric + 1000000, ':', pg_snapshot_xmax(s)::text::numeric + 1000000, ':',
      (select string_agg((x::text::numeric + 1000000)::text, ',') from pg_snapshot_xip(s) as x))::pg_snapshot
    from (select ${snapshot} as s) as of where s is not null)`;

  it('is read on after a restore into a cluster that counts transactions from the start', async () => {
    const from = await lastId();
    for (let n = 0; n < 3; n++) await pool.query(change, [grant]);
    const consumer = reader(1);
    await consumeNext(pool, consumer);
    // Seen from the new cluster, all transactions so far have higher ids than any of its own.
    await pool.query(
      `update row_changes set created_xid = (created_xid::text::numeric + 1000000)::text::xid8`,
    );
    await pool.query(
      `update consumers set snapshot = ${later('snapshot')}, next_snapshot = ${later('next_snapshot')},
         last_xid = (last_xid::text::numeric + 1000000)::text::xid8`,
    );
    await pool.query(`insert into epochs (epoch, system_identifier) values (2, 'restored')`);
    await pool.query('alter table row_changes alter column epoch set default 2');
    await pool.query(change, [grant]);
    await consumeAll(pool, consumer);
    assert.deepEqual(consumer.read, await idsAfter(from));
  });

  it('keeps rows for two days, and longer until every consumer has read them', async () => {
    await pool.query(`update row_changes set noted_at = now() - interval '3 days'`);
    const count = async () => (await pool.query('select from row_changes')).rows.length;
    const all = await count();
    assert.equal(await forgetChanges(pool, 500), 0);
    await consumeAll(pool, REPORTS);
    assert.equal(await forgetChanges(pool, 500), 0);
    await consumeAll(pool, FEED);
    assert.equal(await forgetChanges(pool, 500), 0);
    await consumeAll(pool, emailsConsumer({ has_smtp: false }));
    assert.equal(await forgetChanges(pool, 500), 0);
    await consumeAll(
      pool,
      collectionsConsumer(async (invoices) => invoices.length),
    );
    await pool.query(change, [grant]);
    assert.equal(await forgetChanges(pool, 1), 1);
    assert.equal(await forgetChanges(pool, 500), all - 1);
    assert.equal(await count(), 1);
  });
});
