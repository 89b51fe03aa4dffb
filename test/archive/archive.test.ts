import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveEvents, countArchivable } from '../../src/archive/archive.ts';
import { restoreMonth } from '../../src/archive/restore.ts';
import { previewRegeneration } from '../../src/billing/previews/regeneration-preview.ts';
import { serveRegeneration } from '../../src/billing/owed/regenerate.ts';
import { subscribe } from '../../src/billing/terms/subscribe.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { rolledUpTo } from '../../src/db/archive/leaving-events.ts';
import { refuseArchivedLine } from '../../src/db/archive/refusals.ts';
import { uuidOfKey } from '../../src/db/events/event-id.ts';
import { compareBatch, storeBatch } from '../../src/db/events/events.ts';
import { dryRun, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';
import { aNewEvent, byHash } from '../support/ledger/events.ts';
import { aFolder } from '../support/servers/folder.ts';
import {
  aBilledCustomer,
  assertSound,
  BEFORE,
  ENVIRONMENTS,
  eventDays,
  rowsOf,
  settle,
  type Billed,
} from './archive-ledger.ts';

const isArchived = (error: unknown) =>
  error instanceof BillingError && error.details[0]?.reason === 'archived';

describe('the archive', () => {
  let pool: Pool;
  let folder: string;
  let plan: string;
  /** A customer billed from January to April. */
  let settled: Billed;
  /** February has no invoice. */
  let behind: Billed;
  let unsubscribed: given.TestCustomer;
  let events: unknown[];
  let days: unknown[];
  const say = () => undefined;
  const run = (into = folder) =>
    archiveEvents(pool, { before: BEFORE, environments: ENVIRONMENTS, folder: into, say });

  before(async () => {
    pool = await given.aLedger();
    plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    settled = await aBilledCustomer(pool, plan, 4);
    behind = await aBilledCustomer(pool, plan, 1);
    unsubscribed = await given.aCustomer(pool);
    await given.post(pool, unsubscribed, given.january(3));
    await settle(pool);
    events = await rowsOf(pool);
    days = await eventDays(pool);
    folder = await aFolder();
  });
  after(async () => {
    await pool.end();
  });

  it('says in a dry run what would leave, and changes nothing', async () => {
    assert.deepEqual(await countArchivable(pool, BEFORE), [
      { environment_id: given.LIVE, month: '2026-01', events: 17 },
      { environment_id: given.LIVE, month: '2026-02', events: 7 },
    ]);
    assert.deepEqual(await rowsOf(pool), events);
    assert.equal((await pool.query('select from customers where archived_to is not null')).rows.length, 0);
  });

  it('takes what is billed for good, of each customer as far as it is', async () => {
    assert.deepEqual(await run(), { files: 2, events: 24 });
    assert.deepEqual(readdirSync(folder).sort(), [
      'live-2026-01-001.csv.gz',
      'live-2026-02-001.csv.gz',
      'manifest-2026-01.json',
      'manifest-2026-02.json',
    ]);
    const { rows } = await pool.query(
      'select key, archived_to from customers where archived_to is not null order by key',
    );
    assert.deepEqual(rows, [
      { key: settled.customer.key, archived_to: BEFORE },
      { key: behind.customer.key, archived_to: '2026-02-01T00:00:00.000Z' },
      { key: unsubscribed.key, archived_to: BEFORE },
    ]);
    assert.equal((await rowsOf(pool)).length, events.length - 24);
    assert.equal((await pool.query('select from event_keys')).rows.length, events.length);
    await assertSound(pool);
  });

  it('finds nothing more to take in a second run', async () => {
    assert.deepEqual(await run(), { files: 0, events: 0 });
  });

  it('leaves a resend of an event that has left a duplicate, and another with its key a conflict', async () => {
    const [january] = given.january(1);
    const { rows } = await pool.query(
      'select k.key_hash, k.timestamp from event_keys k where not exists (select from events e where e.key_hash = k.key_hash)',
    );
    assert.equal(rows.length, 24);
    const customer = await given.aCustomer(pool);
    const old = { timestamp: january!.timestamp, properties: '{"a": 1}' };
    await storeBatch(pool, [aNewEvent(customer, 'old', 0, old)]);
    await settle(pool);
    assert.equal((await run()).events, 1);
    const sent = [aNewEvent(customer, 'old', 0, old), aNewEvent(customer, 'fresh', 1, old)].sort(byHash);
    const expected = sent.map(({ idempotency_key }) => (idempotency_key === 'old' ? 'duplicate' : 'absent'));
    assert.deepEqual(await compareBatch(pool, sent), expected);
    const changed = aNewEvent(customer, 'old', 0, { ...old, properties: '{"a": 2}' });
    assert.deepEqual(await compareBatch(pool, [changed]), ['conflict']);
    assert.ok(
      (await pool.query('select from event_keys where key_hash = $1', [uuidOfKey(given.LIVE, 'old')])).rows
        .length,
    );
  });

  it('refuses to void or to bill again what begins before, and a subscription that does', async () => {
    const { subscription, invoices } = settled;
    const [january, , march] = invoices;
    await assert.rejects(
      transaction(pool, (db) => voidInvoice(db, given.LIVE, january!, null)),
      isArchived,
    );
    await assert.rejects(
      dryRun(pool, (db) => previewRegeneration(db, given.LIVE, january!, given.NO_GRACE)),
      isArchived,
    );
    const id = 'rg_archived';
    await pool.query(
      `insert into regenerations (environment_id, id, subscription_id, invoice_id, status, requested_at) values ($1, $2, $3, $4, 'pending', now())`,
      [given.LIVE, id, subscription, january],
    );
    const key = { environment_id: given.LIVE, subscription_id: subscription, id };
    await assert.rejects(
      transaction(pool, (db) => serveRegeneration(db, key, given.NO_GRACE)),
      isArchived,
    );
    await pool.query('delete from regenerations where id = $1', [id]);
    const request = { customer_id: unsubscribed.id, plan_id: plan, start_date: '2026-02-28T23:59:59.999Z' };
    await assert.rejects(
      transaction(pool, (db) => subscribe(db, given.LIVE, request)),
      isArchived,
    );
    await dryRun(pool, (db) => voidInvoice(db, given.LIVE, march!, null));
    await dryRun(pool, (db) => subscribe(db, given.LIVE, { ...request, start_date: BEFORE }));
  });

  it('says of a line where its events are', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from line_items where invoice_id = $1 and type = 'usage'`,
      [settled.invoices[0]],
    );
    await assert.rejects(
      refuseArchivedLine(pool, given.LIVE, rows[0]!.id),
      /7 in all, are in the archive of 2026-01: restore/,
    );
  });

  it('brings months back from the latest to the earliest, and refuses a file that is missing, cut or changed', async () => {
    const restore = (month: string) => restoreMonth(pool, { month, folder, say });
    await assert.rejects(restore('2026-01'), /2026-02 is archived too/);
    await assert.rejects(restore('2026-03'), /no events of 2026-03 are archived/);
    const path = join(folder, 'live-2026-02-001.csv.gz');
    const bytes = readFileSync(path);
    const changed = Buffer.from(bytes);
    changed[bytes.length - 12]! ^= 1;
    for (const broken of [bytes.subarray(0, -20), changed, Buffer.from('')]) {
      writeFileSync(path, broken);
      await assert.rejects(restore('2026-02'), new RegExp(`^Error: ${path} `));
    }
    writeFileSync(path, bytes);
    assert.deepEqual(await restore('2026-02'), { files: 1, events: 7, differing_lines: [] });
    await assertSound(pool);
    assert.deepEqual(await restore('2026-01'), { files: 2, events: 18, differing_lines: [] });
    const { rows } = await pool.query(
      `select (select count(*)::integer from customers where archived_to is not null) as customers,
         (select count(*)::integer from archived_lines) as lines`,
    );
    assert.deepEqual(rows, [{ customers: 0, lines: 0 }]);
    await pool.query(`delete from event_keys where key_hash = $1`, [uuidOfKey(given.LIVE, 'old')]);
    await pool.query(`delete from events where idempotency_key = 'old'`);
    await pool.query(`update event_days set events = events - 1 where day = '2026-01-02'`);
    await pool.query(
      `delete from usage_days d where not exists (select from events e where e.customer_key = d.customer_key)`,
    );
    await pool.query(
      `delete from billing_days d where not exists (select from events e where e.customer_key = d.customer_key)`,
    );
    await pool.query(`update report_days set events = events - 1 where day = '2026-01-02'`);
    assert.deepEqual(await rowsOf(pool), events);
    assert.deepEqual(await eventDays(pool), days);
    await dryRun(pool, (db) => voidInvoice(db, given.LIVE, settled.invoices[0]!, null));
  });
});

describe('the position up to which events may leave', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('is that of the newest epoch, once all events of earlier ones are rolled up', async () => {
    const customer = await given.aCustomer(pool);
    await given.post(pool, customer, given.january(1));
    await pool.query(
      `insert into epochs (epoch, system_identifier, rolled_up_to)
       select max(epoch) + 1, 'restored', '7' from epochs`,
    );
    assert.equal(await rolledUpTo(pool), null);
    await pool.query(
      `update epochs set rolled_up_to = (select max(created_xid)::text::bigint + 1 from events)::text::xid8
       where system_identifier <> 'restored'`,
    );
    const { rows } = await pool.query<{ epoch: number }>('select max(epoch) as epoch from epochs');
    assert.deepEqual(await rolledUpTo(pool), { epoch: rows[0]!.epoch, up_to_xid: '7' });
  });
});

describe('the archive of partitions', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('drops a partition of which all events leave, and removes those of others', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const { customer } = await aBilledCustomer(pool, plan, 4);
    await pool.query('create table events_202601 partition of events for values in (202601)');
    await pool.query('create table events_202602 partition of events for values in (202602)');
    await pool.query(
      `update events set bucket = to_char(created_at at time zone 'UTC', 'YYYYMM')::integer where customer_key = $1 and timestamp < $2`,
      [customer.key, BEFORE],
    );
    // An event of a customer whose first period is not billed: it stays, and so does its partition.
    const behind = await aBilledCustomer(pool, plan, 0);
    await pool.query(
      `update events set bucket = 202602 where id = (
         select id from events where customer_key = $1 and timestamp >= '2026-02-01' order by timestamp limit 1)`,
      [behind.customer.key],
    );
    await settle(pool);
    const [events, days] = [await rowsOf(pool), await eventDays(pool)];
    const [folder, said] = [await aFolder(), [] as string[]];
    const archiving = {
      before: BEFORE,
      environments: ENVIRONMENTS,
      folder,
      say: (text: string) => void said.push(text),
    };
    assert.deepEqual(await archiveEvents(pool, archiving), { files: 2, events: 14 });
    assert.deepEqual(
      said.filter((text) => text.includes('partition')),
      ['the partition of 202601 has left the database as a whole'],
    );
    const { rows } = await pool.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
    );
    assert.deepEqual(rows, [{ name: 'events_202602' }, { name: 'events_kept' }]);
    assert.equal((await rowsOf(pool)).length, events.length - 14);
    await assertSound(pool);
    for (const month of ['2026-02', '2026-01'])
      await restoreMonth(pool, { month, folder, say: () => undefined });
    assert.deepEqual([await rowsOf(pool), await eventDays(pool)], [events, days]);
  });
});
