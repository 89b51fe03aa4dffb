import assert from 'node:assert/strict';
import { checkWhatIsNew, queueWhatChanged } from '../../src/checks/what-is-new.ts';
import { KINDS } from '../../src/db/invariants/all.ts';
import { listBreaches } from '../../src/db/invariants/breaches.ts';
import { lastCheck } from '../../src/db/invariants/checks.ts';
import { sweepOn } from '../../src/db/invariants/slices.ts';
import type { Sizes } from '../../src/db/invariants/sizes.ts';
import { dueKinds, sweepStates, SWEPT_KINDS } from '../../src/db/invariants/sweep.ts';
import type { Kind } from '../../src/db/invariants/unit.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { createPool, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { copyDatabase, createDatabase } from '../support/servers/cluster.ts';
import * as given from '../support/ledger/billing.ts';
import { eventually } from '../support/servers/eventually.ts';
import { PLANTS } from '../support/plants/all.ts';
import { isCheckedInFull, kindsOf, type Plant } from '../support/plants/plant.ts';
import { aSoundLedger, type SoundLedger } from '../support/ledger/sound-ledger.ts';

/** Needs what no worker has, a list of workflows, a setting of one session, or two sessions. */
const NOT_HERE = ['I1', 'I23', 'I30', 'I31'];

/** Breaches that are accepted, as in test/support/ledger/sound.ts. */
const NOT_DURABLE = ['setting fsync', 'setting full_page_writes'];

const ONE_AT_A_TIME: Sizes = { of: () => 1, learn: () => undefined };

async function openBreaches(pool: Pool) {
  const open = await listBreaches(pool, 100);
  return open.filter(({ row, exception }) => !NOT_DURABLE.includes(row) && exception === null);
}

/** Most of what a slice of few units takes is the planning of its statements. */
const ALL_AT_ONCE: Sizes = { of: () => 1000, learn: () => undefined };

const checkNew = (pool: Pool) =>
  checkWhatIsNew(pool, { sizes: ALL_AT_ONCE, report: () => undefined, rest_factor: 0 });

/** Goes through everything once, or through the units of some kinds. */
async function sweepAll(
  pool: Pool,
  { sizes = ALL_AT_ONCE, of = SWEPT_KINDS }: { sizes?: Sizes; of?: readonly Kind[] } = {},
): Promise<void> {
  const due = async () => (await dueKinds(pool)).filter((kind) => of.includes(kind));
  for (let kinds = await due(); kinds.length > 0; kinds = await due())
    for (const kind of kinds) await sweepOn(pool, kind, sizes);
}

const isSwept = (kind: Kind) => SWEPT_KINDS.some((swept) => swept === kind);

/** Other invariants that may be wrong then: an event that names a customer of another environment is in no count by cause. */
const ALSO: Readonly<Record<string, readonly string[]>> = { I22: ['I43'] };

describe('the check of what changed, and the sweep', function () {
  this.timeout(180_000);
  let ledger: SoundLedger;
  let url: string;
  before(async () => {
    url = await createDatabase();
    ledger = await aSoundLedger(url);
    await checkNew(ledger.pool);
    assert.deepEqual(await openBreaches(ledger.pool), []);
    // The database is copied, which nobody may be connected to.
    await ledger.pool.end();
  });

  let pool: Pool;
  const copied = async () => (pool = createPool(await copyDatabase(url), 4));
  afterEach(() => pool.end());

  /** Plants a breach beside something new: totals are compared when events of their day come in. */
  async function plantIn({ plant, invariant }: Plant): Promise<string> {
    if (['I33', 'I43', 'I44'].includes(invariant)) await given.post(pool, ledger.customer, given.january(1));
    while (await rollUp(pool));
    const row = await transaction(pool, (db) => plant(db, { ...ledger, pool }));
    while (await rollUp(pool));
    return row;
  }

  async function assertFound({ invariant }: Plant, row: string): Promise<void> {
    const open = await openBreaches(pool);
    const also = ALSO[invariant] ?? [];
    const found = [...new Set(open.map((breach) => breach.invariant))].filter(
      (number) => !also.includes(number),
    );
    assert.deepEqual(found, [invariant], JSON.stringify(open));
    assert.ok(
      open.some((breach) => breach.row.includes(row)),
      `${row} in ${JSON.stringify(open)}`,
    );
  }

  const plants = PLANTS.filter(({ invariant }) => !NOT_HERE.includes(invariant));
  for (const [place, planted] of plants.entries()) {
    const of = isCheckedInFull(place) ? KINDS : kindsOf(planted.invariant);
    it(`${planted.invariant}: ${planted.what} is found as a change, and by the sweep if it is old`, async () => {
      await copied();
      const row = await plantIn(planted);
      await checkNew(pool);
      await assertFound(planted, row);

      await pool.query('delete from breaches');
      await sweepAll(pool, { of });
      // What is checked as a whole each time is no part of the sweep.
      if (of.some((kind) => !isSwept(kind))) await checkNew(pool);
      await assertFound(planted, row);
    });
  }

  it('the sweep alone finds an old breach, and a check of later changes leaves it open', async () => {
    await copied();
    await pool.query('update invoices set total = total + 0.01 where id = $1', [ledger.issued.id]);
    await pool.query('delete from row_changes');
    await checkNew(pool);
    assert.deepEqual(await openBreaches(pool), []);
    await sweepAll(pool);
    const found = await openBreaches(pool);
    assert.deepEqual(
      found.map(({ invariant, unit }) => [invariant, unit]),
      [
        ['I8', ledger.issued.id],
        ['I14', ledger.issued.id],
      ],
    );
    await pool.query(`update invoices set hold_until = hold_until + interval '1 second' where id <> $1`, [
      ledger.issued.id,
    ]);
    await checkNew(pool);
    const later = await openBreaches(pool);
    assert.deepEqual(
      later.map(({ invariant, first_seen_at }) => [invariant, first_seen_at]),
      found.map(({ invariant, first_seen_at }) => [invariant, first_seen_at]),
    );
  });

  it('a breach is open until its row was checked again and was sound', async () => {
    await copied();
    const add = (amount: string) =>
      pool.query('update credit_grants set remaining = remaining + $2 where id = $1', [ledger.grant, amount]);
    await add('1');
    await checkNew(pool);
    assert.deepEqual(
      (await openBreaches(pool)).map(({ unit }) => unit),
      [ledger.grant],
    );
    await add('-1');
    // Corrected, but not seen again: still open.
    assert.equal((await openBreaches(pool)).length, 1);
    // Even if nothing says that the grant changed.
    await pool.query('delete from row_changes');
    await checkNew(pool);
    assert.deepEqual(await openBreaches(pool), []);
    assert.equal((await lastCheck(pool))!.counts.I16, 0);
  });

  it('a slice whose session is ended has not happened, and the sweep goes on where it was', async () => {
    await copied();
    const place = async () =>
      (
        await pool.query<{ unit: string | null; checked: string }>(
          `select unit, checked from check_sweeps where kind = 'invoice'`,
        )
      ).rows[0];
    await sweepOn(pool, 'invoice', ONE_AT_A_TIME);
    const before = await place();
    const blocker = await pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table breaches in exclusive mode');
    const slice = sweepOn(pool, 'invoice', ONE_AT_A_TIME).then(
      () => 'done',
      () => 'ended',
    );
    const blocked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const { rows } = await eventually(
      () => pool.query<{ pid: number }>(blocked),
      (found) => found.rows.length === 1,
    );
    await blocker.query('select pg_terminate_backend($1::integer)', [rows[0]!.pid]);
    assert.equal(await slice, 'ended');
    await blocker.query('rollback');
    blocker.release();
    assert.deepEqual(await place(), before);
    await sweepAll(pool, { sizes: ONE_AT_A_TIME });
    const { rows: count } = await pool.query<{ count: string }>('select count(*) from invoices');
    assert.equal((await place())!.checked, count[0]!.count);
  });

  it('a check that ends in the middle leaves the rest in the queue', async () => {
    await copied();
    await pool.query('update credit_grants set remaining = remaining + 1 where id = $1', [ledger.grant]);
    await queueWhatChanged(pool);
    // The process dies here. What it had queued is checked by the next one, although nothing changes again.
    await pool.query('delete from row_changes');
    await checkNew(pool);
    assert.deepEqual(
      (await openBreaches(pool)).map(({ invariant }) => invariant),
      ['I16'],
    );
  });

  it('a round of the sweep ends, and says since when everything was seen', async () => {
    await copied();
    await sweepAll(pool);
    const states = await sweepStates(pool);
    assert.deepEqual(states.map(({ kind }) => kind).sort(), [...SWEPT_KINDS].sort());
    for (const { kind, seen_since, finished_at, checked, total } of states) {
      assert.ok(seen_since !== null && finished_at !== null && seen_since <= finished_at, kind);
      assert.equal(checked, total, kind);
    }
    assert.deepEqual(await dueKinds(pool, '1 hour'), []);
    assert.deepEqual(await dueKinds(pool, '0 seconds'), SWEPT_KINDS);
  });

  it('what nobody changed is not checked again', async () => {
    await copied();
    await given.post(pool, ledger.customer, given.january(1));
    while (await rollUp(pool));
    await queueWhatChanged(pool);
    const { rows } = await pool.query<{ kind: string }>(
      'select distinct kind from check_queue order by kind',
    );
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['database', 'idempotency_hour', 'numbers'],
    );
  });
});
