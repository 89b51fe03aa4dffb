import assert from 'node:assert/strict';
import { collectNext } from '../../src/collection/collect.ts';
import { collectionsConsumer } from '../../src/collection/consumer.ts';
import { consumeAll } from '../../src/db/changes/consume.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { useCharges } from '../support/ledger/charges.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';

const POINTS_MAX = 100;

class Killed extends Error {}

describe('a process that is killed while it plans a charge, or begins it', () => {
  const charges = useCharges();
  let woken: string[];
  beforeEach(async () => {
    woken = [];
    await charges
      .pool()
      .query(`update environments set charge_mode = 'automatic', email_hours = '{"from": 0, "until": 24}'`);
  });

  const consumer = collectionsConsumer((invoices) => {
    woken.push(...invoices.map(({ invoice_id }) => invoice_id));
    return Promise.resolve(invoices.length);
  });
  /** Plans what is issued, and reads the log of the plans. */
  const plan = async (pool: Pool) => {
    await consumeAll(pool, consumer);
    await consumeAll(pool, consumer);
  };
  const planOf = async (invoice_id: string) =>
    (
      await charges
        .pool()
        .query<{ status: string; attempts: number; is_timed: boolean }>(
          `select status, attempts, next_attempt_at is not null as is_timed from collections where invoice_id = $1`,
          [invoice_id],
        )
    ).rows[0];

  /** A pool whose process stops for ever before the statement of that number. */
  const dying = (last: number): Pool => {
    let points = 0;
    return watchedPool(charges.pool(), async () => {
      if ((points += 1) >= last) throw new Killed(`killed at statement ${points}`);
    });
  };
  /** Does work until it is killed at a statement; false if it comes to its end before. */
  const isKilled = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );

  it('before any statement of the planning, leaves one plan', async () => {
    let point = 1;
    for (let is_killed = true; is_killed; point++) {
      assert.ok(point < POINTS_MAX);
      const { invoice } = await charges.aChargedInvoice();
      is_killed = await isKilled(plan(dying(point)));
      await plan(charges.pool());
      assert.deepEqual(await planOf(invoice.id), { status: 'scheduled', attempts: 0, is_timed: true });
      assert.ok(woken.includes(invoice.id), `point ${point}`);
    }
    assert.ok(point > 5, `${point} points`);
  });

  it('before any statement of its beginning and its end, leaves one attempt, charged and paid once', async () => {
    let point = 1;
    for (let is_killed = true; is_killed; point++) {
      assert.ok(point < POINTS_MAX);
      const { invoice } = await charges.aChargedInvoice();
      await plan(charges.pool());
      const key = { environment_id: given.LIVE, invoice_id: invoice.id };
      is_killed = await isKilled(collectNext({ ...charges.charger(), pool: dying(point) }, key));
      await Promise.all([charges.collect(invoice), charges.collect(invoice)]);
      const attempts = (await charges.attempts()).filter(({ invoice_id }) => invoice_id === invoice.id);
      assert.deepEqual(
        attempts.map(({ status }) => status),
        ['succeeded'],
        `point ${point}`,
      );
      assert.equal(charges.stripe().chargesOf(invoice.id).length, 1, `point ${point}`);
      assert.deepEqual(await planOf(invoice.id), { status: 'none', attempts: 1, is_timed: false });
    }
    assert.ok(point > 20, `${point} points`);
  });

  it('before any statement of a decline, leaves the next charge planned once', async () => {
    let point = 1;
    for (let is_killed = true; is_killed; point++) {
      assert.ok(point < POINTS_MAX);
      const { invoice } = await charges.aChargedInvoice({ declined: 'insufficient_funds' });
      await plan(charges.pool());
      const key = { environment_id: given.LIVE, invoice_id: invoice.id };
      is_killed = await isKilled(collectNext({ ...charges.charger(), pool: dying(point) }, key));
      await Promise.all([charges.collect(invoice), charges.collect(invoice)]);
      assert.deepEqual(
        await planOf(invoice.id),
        { status: 'scheduled', attempts: 1, is_timed: true },
        `point ${point}`,
      );
    }
    assert.ok(point > 20, `${point} points`);
  });
});
