import assert from 'node:assert/strict';
import { readDue } from '../../src/collection/read-due.ts';
import { useRefunds, type Paid } from '../support/ledger/refunds.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';

const POINTS_MAX = 100;

class Killed extends Error {}

describe('a process that is killed while it refunds', () => {
  const refunds = useRefunds();
  const stripe = () => refunds.stripe();

  /** A collector that ends at the statement of that number, and never before it. */
  const dyingAt = (last: number) => {
    let points = 0;
    return refunds.collector(
      watchedPool(refunds.pool(), async () => {
        if ((points += 1) >= last) throw new Killed(`killed at ${points}`);
      }),
    );
  };

  /** Does a part of the work until it is killed; false if it comes to its end before. */
  async function isKilled(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return false;
    } catch (error) {
      if (error instanceof Killed) return true;
      throw error;
    }
  }

  const booked = async ({ invoice, charge }: Paid, point: number) => {
    const { standing, amount_due, paused } = await refunds.stateOf(invoice);
    const made = stripe().refundsOf(charge).length;
    const expected = made === 1 ? [['70.00'], '30.00', 'other'] : [['100.00'], '0.00', null];
    assert.ok(made <= 1, `point ${point}: ${made} refunds`);
    assert.deepEqual([standing, amount_due, paused], expected, `point ${point}`);
    return made;
  };

  it('by hand, at any statement: at most one refund, and what was refunded is booked', async () => {
    let made = 0;
    let point = 1;
    for (let is_killed = true; is_killed; point++) {
      assert.ok(point < POINTS_MAX);
      const paid = await refunds.aPaidInvoice();
      is_killed = await isKilled(refunds.refund(paid.payment, '30', { of: dyingAt(point) }));
      await refunds.readAll();
      made += await booked(paid, point);
    }
    assert.ok(point > 20 && made > 10, `${point} points, ${made} refunds`);
  });

  it('at any statement of the worker: what was refunded there is booked once', async () => {
    let point = 1;
    const { signal } = new AbortController();
    for (let was_killed = true; was_killed; point++) {
      assert.ok(point < POINTS_MAX);
      const paid = await refunds.aPaidInvoice();
      await refunds.post('refund', stripe().refund(paid.charge, '30'));
      was_killed = false;
      const report = (error: unknown) => void (was_killed ||= error instanceof Killed);
      was_killed ||= await isKilled(readDue(dyingAt(point), { signal, report }));
      await refunds.readAll();
      await booked(paid, point);
    }
    assert.ok(point > 20, `${point} points`);
  });
});
