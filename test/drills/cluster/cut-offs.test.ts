import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createPool,
  onConnection,
  transaction,
  type Db,
  type Pool,
} from '../../../src/db/connection/pool.ts';
import { isUnavailable } from '../../../src/db/connection/unavailable.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { storeOnNodes } from '../../../src/db/events/group-on-nodes.ts';
import { storeNewBatch } from '../../../src/db/events/new-batch.ts';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import { takeCutOffs } from '../../../src/db/usage/usage.ts';
import type { CutOff } from '../../../src/domain/time/span.ts';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { startKillableCluster, type KillableCluster } from '../../support/citus/killable-cluster.ts';
import { useCitus } from '../../support/citus/use-citus.ts';
import * as given from '../../support/ledger/billing.ts';
import { aNewEvent, byHash } from '../../support/ledger/events.ts';
import { assertSound } from '../../support/ledger/sound.ts';

/** Numbers of cut-offs and of kills, of which the first is the coordinator's; `CUT_OFFS=10000 KILLS=20` for a long run. */
const { CUT_OFFS = '300', KILLS = '3' } = inheritedEnvironment();
const NODES = 3;
const BATCH = 100;
const WRITERS = 6;
const TIMEOUT_MS = 180_000 + 1000 * Number(CUT_OFFS);

/** A cut-off and the number of its events, from a transaction on, as it was taken. */
type Taken = { cut_off: CutOff; from_xid: string; count: number };

/** A snapshot of the coordinator includes events that a node does not show yet: `settle` waits for them (decision 59). */
describe('cut-offs on a cluster', () => {
  const programs = useCitus();
  let cluster: KillableCluster;
  let pool: Pool;
  let subscription_id: string;
  let customer: given.TestCustomer;

  before(async () => {
    cluster = await startKillableCluster(programs(), NODES);
    await seedAccount(cluster.url, null);
    pool = createPool(cluster.url, WRITERS + 4);
    customer = await given.aCustomer(pool);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    subscription_id = await given.aSubscription(pool, customer, plan, new Date().toISOString());
  });
  after(() => pool?.end());

  const countIn = async (db: Db, { cut_off: { epoch, snapshot }, from_xid }: Omit<Taken, 'count'>) => {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::integer as count from events e where e.epoch = $1 and e.created_xid >= $2::xid8
         and event_in_cut_off(e.epoch, e.created_xid, $1, $3::pg_snapshot)`,
      [epoch, from_xid, snapshot],
    );
    return rows[0]!.count;
  };

  /** Reads the events of each transaction once, and returns a function that counts those of a cut-off. */
  const readCounts = async () => {
    const { rows } = await pool.query<{ xid: number; count: number }>(
      `select created_xid::text::integer as xid, count(*)::integer as count from events group by 1 order by 1`,
    );
    const counts = new Map(rows.map(({ xid, count }) => [xid, count]));
    const stored_before = [0];
    for (let xid = 0; xid <= (rows.at(-1)?.xid ?? 0); xid++)
      stored_before.push(stored_before[xid]! + (counts.get(xid) ?? 0));
    const storedBefore = (xid: number) => stored_before[xid] ?? stored_before.at(-1)!;
    return ({ cut_off: { snapshot }, from_xid }: Omit<Taken, 'count'>) => {
      const [, end, active] = snapshot.split(':');
      const from = Number(from_xid);
      const were_active = active!.split(',').map(Number);
      const unseen = were_active.filter((xid) => xid >= from).map((xid) => counts.get(xid) ?? 0);
      return unseen.reduce((sum, count) => sum - count, storedBefore(Number(end)) - storedBefore(from));
    };
  };

  const take = (from_xid: string) =>
    transaction(pool, async (db): Promise<Taken> => {
      const cut_off = (await takeCutOffs(db, given.LIVE, [subscription_id])).get(subscription_id)!;
      return { cut_off, from_xid, count: await countIn(db, { cut_off, from_xid }) };
    });

  it('hold each event once, also where nodes and the coordinator are killed, and batches are whole', async function () {
    this.timeout(TIMEOUT_MS);
    const wanted = Number(CUT_OFFS);
    const taken: Taken[] = [];
    const acknowledged = new Set<string>();
    let refused = 0;
    let is_over = false;
    const unlessUnavailable = async (work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        refused++;
        await pause(20);
      }
    };
    const write = async (writer: number) => {
      for (let n = 0; !is_over; n++) {
        const name = `batch ${writer} ${n} `;
        const events = Array.from({ length: n % 2 === 0 ? BATCH : 10 }, (_, place) =>
          aNewEvent(customer, `${name}${place}`, place),
        ).sort(byHash);
        await unlessUnavailable(async () => {
          if (n % 2 === 0) await onConnection(pool, (db) => storeNewBatch(db, events));
          else await storeOnNodes(pool, events);
          acknowledged.add(name);
        });
      }
    };
    const rollUpAll = async () => {
      while (!is_over) {
        await unlessUnavailable(async () => void (await rollUp(pool, 5000)));
        await pause(100);
      }
    };
    const kill = async () => {
      const kills = Number(KILLS);
      for (let n = 0; n < kills && !is_over; n++) {
        while (taken.length < ((n + 1) * wanted) / (kills + 1) && !is_over) await pause(50);
        const server = n === 0 ? cluster.coordinator : cluster.nodes[n % NODES]!;
        await server.kill();
        await pause(500);
        await server.start();
      }
    };
    const takeAll = async () => {
      let from_xid = '0';
      while (taken.length < wanted && !is_over)
        await unlessUnavailable(async () => {
          taken.push(await take(from_xid));
          // What had ended before the last snapshot is in every later one, and was counted.
          from_xid = taken.at(-1)!.cut_off.snapshot.split(':')[0]!;
        });
      is_over = true;
    };
    const work = [takeAll(), kill(), rollUpAll(), ...Array.from({ length: WRITERS }, (_, n) => write(n))];
    await Promise.all(work).finally(() => (is_over = true));
    await transaction(pool, async (db) => void (await takeCutOffs(db, given.LIVE, [subscription_id])));

    const countOf = await readCounts();
    const holes = taken.flatMap(({ count, ...place }) => {
      const now = countOf(place);
      return now === count ? [] : [{ ...place, count, now }];
    });
    assert.deepEqual(holes, []);
    const { rows } = await pool.query<{ name: string; events: number; keys: number }>(
      `select name, count(*)::integer as events, count(k.key_hash)::integer as keys from (
         select key_hash, regexp_replace(idempotency_key, '[0-9]+$', '') as name from events) as e
       left join event_keys k on k.key_hash = e.key_hash group by name`,
    );
    const partial = rows.filter(({ events, keys }) => ![10, BATCH].includes(events) || keys !== events);
    assert.deepEqual(partial, []);
    const stored = new Set(rows.map(({ name }) => name));
    assert.deepEqual(
      [...acknowledged].filter((name) => !stored.has(name)),
      [],
    );
    console.log(`${taken.length} cut-offs, ${acknowledged.size} batches, ${refused} refused`);
  });

  it('are followed by totals that equal the events', async function () {
    this.timeout(TIMEOUT_MS);
    while ((await rollUp(pool, 5000)) !== null);
    await assertSound(pool);
  });
});
