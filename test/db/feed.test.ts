import assert from 'node:assert/strict';
import { consumeAll, consumeNext } from '../../src/db/changes/consume.ts';
import { rowsByCommit, type Consumer } from '../../src/db/changes/consumers.ts';
import { onConnection, transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { FEED, feedBy } from '../../src/db/feed/consumer.ts';
import { readBounds, readFeed } from '../../src/db/feed/feed.ts';
import { keepFeedPartitions } from '../../src/db/feed/partitions.ts';
import { TOLD_TABLES } from '../../src/domain/feed/change-types.ts';
import * as given from '../support/ledger/billing.ts';

type Plan = { 'Node Type': string; 'Actual Loops': number; Plans?: Plan[] };

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe('the numbers of the feed', () => {
  let pool: Pool;
  let customer: given.TestCustomer;
  let after: number;

  beforeEach(async () => {
    pool = await given.aLedger();
    customer = await given.aCustomer(pool);
    await consumeAll(pool, FEED);
    after = (await readBounds(pool, given.LIVE)).newest_sequence;
  });
  afterEach(() => pool.end());

  const draw = (db: Db, grant: string) =>
    db.query('update credit_grants set remaining = remaining - 1 where id = $1', [grant]);

  async function told(): Promise<
    { sequence: number; object_id: string; type: string; data: object | null }[]
  > {
    const { newest_sequence: newest } = await readBounds(pool, given.LIVE);
    const all = { types: null, object_id: null, customer_key: null };
    const { changes } = await readFeed(pool, given.LIVE, { ...all, after, newest, limit: 100_000 });
    return changes;
  }

  it('are found without reading a large transaction once for each of its rows', async () => {
    await transaction(pool, async (db) => {
      for (let made = 0; made < 300; made++) await given.aGrant(db, customer, 10);
    });
    await consumeNext(pool, feedBy(100));
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) select * from ${rowsByCommit('feed', 100, TOLD_TABLES)} as r`,
    );
    const scans = nodesOf(rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'] === 'CTE Scan');
    const times = scans.reduce((sum, { 'Actual Loops': loops }) => sum + loops, 0);
    assert.ok(times >= 1 && times < 10, `read ${times} times`);
  });

  it('follow the commits, and a transaction that commits late comes next', async () => {
    const [early, late] = [await given.aGrant(pool, customer, 10), await given.aGrant(pool, customer, 10)];
    await consumeAll(pool, FEED);
    after = (await readBounds(pool, given.LIVE)).newest_sequence;
    await onConnection(pool, async (open) => {
      await open.query('begin');
      await draw(open, late);
      await draw(pool, early);
      await consumeAll(pool, FEED);
      assert.deepEqual(
        (await told()).map(({ object_id }) => object_id),
        [early],
      );
      // It waits for nobody, and changes what another has committed after it began.
      await draw(pool, early);
      await draw(open, early);
      await open.query('commit');
    });
    await consumeAll(pool, FEED);
    const changes = await told();
    assert.deepEqual(
      changes.map(({ object_id }) => object_id),
      [early, early, late, early],
    );
    assert.deepEqual(
      changes.map(({ sequence }) => sequence),
      changes.map((_, place) => after + 1 + place),
    );
  });

  it('keep the order of commits when a batch ends between two transactions', async () => {
    const [one, other] = [await given.aGrant(pool, customer, 10), await given.aGrant(pool, customer, 10)];
    await consumeAll(pool, FEED);
    after = (await readBounds(pool, given.LIVE)).newest_sequence;
    await onConnection(pool, async (open) => {
      await open.query('begin');
      // Its number is the smallest, its last row the last.
      await draw(open, one);
      await draw(pool, other);
      await draw(pool, other);
      await draw(open, other);
      await open.query('commit');
    });
    const small = feedBy(1);
    while ((await consumeNext(pool, small)) !== 'done');
    assert.deepEqual(
      (await told()).map(({ object_id }) => object_id),
      [other, other, one, other],
    );
  });

  it('have no gap and no change twice where writers and publishers run at the same time, and publishers fail', async () => {
    const grants: string[] = [];
    for (let n = 0; n < 5; n++) grants.push(await given.aGrant(pool, customer, 1000));
    await consumeAll(pool, FEED);
    after = (await readBounds(pool, given.LIVE)).newest_sequence;
    let is_over = false;
    let round = 0;
    const failing: Consumer = {
      ...FEED,
      work: async (db) => {
        await FEED.work(db);
        if (++round % 3 === 0) throw new Error('killed');
      },
    };
    const publish = async () => {
      while (!is_over) await consumeNext(pool, failing).catch(() => undefined);
    };
    const write = async (writer: number) => {
      for (let n = 0; n < 20; n++)
        await transaction(pool, async (db) => {
          await draw(db, grants[(writer + n) % grants.length]!);
          if (n % 4 === 0) await draw(db, grants[(writer + n + 1) % grants.length]!);
        });
    };
    const publishers = [publish(), publish()];
    await Promise.all(Array.from({ length: 4 }, (_, writer) => write(writer)));
    is_over = true;
    await Promise.all(publishers);
    await consumeAll(pool, FEED);
    const changes = await told();
    assert.deepEqual(
      changes.map(({ sequence }) => sequence),
      changes.map((_, place) => after + 1 + place),
    );
    // Each of 80 transactions draws from one grant, each fourth of them from another one too.
    assert.equal(changes.length, 100);
    for (const grant of grants) {
      const left = changes
        .filter(({ object_id }) => object_id === grant)
        .map(({ data }) => Number(Object(data).remaining));
      assert.deepEqual(
        left,
        left.toSorted((a, b) => b - a),
      );
    }
  });

  it('go on past an object that cannot be read, whose change has no data', async () => {
    const [broken, sound] = [await given.aCustomer(pool), await given.aCustomer(pool)];
    await consumeAll(pool, FEED);
    after = (await readBounds(pool, given.LIVE)).newest_sequence;
    await transaction(pool, async (db) => {
      // No program writes it, and the balance cannot be shown.
      await db.query(`update customers set balance = 'NaN' where id = $1`, [broken.id]);
      for (const { id } of [broken, sound])
        await db.query(`update customers set name = 'Ann' where id = $1`, [id]);
    });
    await consumeAll(pool, FEED);
    assert.deepEqual(
      (await told()).map(({ object_id, type, data }) => [object_id, type, data === null]),
      [
        [broken.id, 'customer.updated', true],
        [sound.id, 'customer.updated', false],
      ],
    );
  });

  it('are kept by weeks, and leave with them', async () => {
    const partitions = async () =>
      (await pool.query(`select from pg_inherits where inhparent = 'feed'::regclass`)).rows.length;
    await keepFeedPartitions(pool, 7);
    // The common one, which has what was numbered before, and the next two weeks.
    assert.equal(await partitions(), 3);
    await pool.query(`create table feed_20200106 (like feed including defaults including indexes)`);
    await pool.query(
      `alter table feed attach partition feed_20200106 for values from ('2020-01-06 00:00+00') to ('2020-01-13 00:00+00')`,
    );
    await pool.query(`update feed set numbered_at = now() - interval '8 days'`);
    after = 0;
    assert.ok((await told()).length > 0);
    await keepFeedPartitions(pool, 7);
    // Nothing is in the way of the partition of this week any more.
    assert.equal(await partitions(), 4);
    assert.deepEqual(await told(), []);
    const { oldest_sequence, newest_sequence } = await readBounds(pool, given.LIVE);
    assert.equal(oldest_sequence, newest_sequence + 1);
  });
});
