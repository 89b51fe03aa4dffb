import assert from 'node:assert/strict';
import { at } from '../../support/ledger/test-customer.ts';
import { charge, confirm, finish, settle } from '../model/attempts.ts';
import { creditInvoice } from '../model/credit-notes.ts';
import { inquire, loseDispute, newDispute, openDispute, winDispute } from '../model/disputes.ts';
import { adjustBalance, dueOf, payInvoice, reversePayment } from '../model/owed.ts';
import { isPaused, pauseOf } from '../model/pauses.ts';
import {
  canRefundNote,
  canTake,
  failRefund,
  leftToRefund,
  refund,
  refundAtProvider,
  refundNote,
  refundRefusalsOf,
} from '../model/refunds.ts';
import type { Payment } from '../model/world.ts';
import { chargeLife } from './charge-life.ts';
import { usd } from './model-life.ts';

type Life = ReturnType<typeof chargeLife>;

/** A life with an invoice of 100.00 that a charge has paid. */
function paidLife() {
  const life = chargeLife();
  life.charge();
  const taken = life.world.collection.charges[0]!;
  return { ...life, taken, payment: taken.payments[0]! };
}

function stateOf({ world, invoice }: Life) {
  const standing = (payments: readonly Payment[]) =>
    payments.filter(({ is_reversed }) => !is_reversed).map(({ amount }) => usd(amount));
  return {
    payments: [...standing(invoice.payments), ...standing(world.deposits)],
    due: usd(dueOf(invoice)),
    balance: usd(world.balance),
    paused: pauseOf(world, invoice)?.reason ?? null,
    cash: usd(world.collection.cash),
  };
}

/** billing.md 23. */
describe('refunds in the model of lives', () => {
  it('of a part reverse the payment as a whole, and the rest is a payment', () => {
    const life = paidLife();
    refund(life.world, life.payment, 3000n);
    const after = { payments: ['70.00'], due: '30.00', balance: '0.00', paused: 'other', cash: '70.00' };
    assert.deepEqual(stateOf(life), after);
    refund(life.world, life.invoice.payments.at(-1)!, 7000n);
    assert.deepEqual(stateOf(life), { ...after, payments: [], due: '100.00', cash: '0.00' });
    assert.deepEqual(refundRefusalsOf(life.world, life.payment, 1n), ['not_refundable']);
  });

  it('take the excess first', () => {
    const life = chargeLife();
    const attempt = life.prepare();
    confirm(life.world, attempt);
    assert.ok(life.pay(3000n));
    settle(life.world, attempt);
    refund(life.world, attempt.payment!, 3000n);
    assert.deepEqual(stateOf(life), {
      ...{ payments: ['30.00', '70.00'], due: '0.00', balance: '0.00', paused: null, cash: '70.00' },
    });
  });

  it('of a void invoice leave a payment in advance', () => {
    const life = chargeLife();
    const attempt = life.prepare();
    confirm(life.world, attempt);
    assert.ok(life.voidIt());
    settle(life.world, attempt);
    refund(life.world, attempt.payment!, 4000n);
    assert.deepEqual(stateOf(life), {
      ...{ payments: ['60.00'], due: '0.00', balance: '60.00', paused: null, cash: '60.00' },
    });
  });

  it('are refused where the excess was paid out', () => {
    const life = chargeLife('processing');
    const attempt = life.charge();
    assert.ok(life.pay(3000n));
    finish(life.world, attempt, null);
    assert.ok(adjustBalance(life.world, -3000n));
    assert.deepEqual(refundRefusalsOf(life.world, attempt.payment!, 3000n), ['paid_out']);
    assert.equal(canTake(life.world, life.world.collection.charges[0]!, 3000n), false);
  });

  for (const { until, reason } of [
    { until: at('02-10').slice(0, 10), reason: 'other' },
    { until: null, reason: 'promised' },
  ])
    it(`make of a pause up to ${until ?? 'a resume'} one for ${reason}`, () => {
      const life = paidLife();
      life.world.collection.pauses.set(life.invoice, { reason: 'promised', until, is_automatic: false });
      refund(life.world, life.payment, 3000n);
      assert.deepEqual(stateOf(life).paused, reason);
    });

  it('have left what credit notes do not refund', () => {
    const life = paidLife();
    const made = creditInvoice(life.world, life.invoice, {
      ...{ lines: [{ place: 0, amount: 3000n }], to_balance: false },
    })!;
    refundNote(life.world, life.invoice, made.outside);
    assert.deepEqual(refundRefusalsOf(life.world, life.payment, 7000n), []);
    assert.deepEqual(refundRefusalsOf(life.world, life.payment, 7001n), ['out_of_range']);
    assert.deepEqual(stateOf(life), {
      ...{ payments: ['100.00'], due: '0.00', balance: '0.00', paused: null, cash: '70.00' },
    });
  });

  it('of a note take the newest payment first', () => {
    const life = chargeLife();
    assert.ok(life.pay(4000n));
    life.charge();
    assert.ok(reversePayment(life.world, life.invoice, 0));
    charge(life.world, life.invoice, { method: life.method, by: 'person' });
    assert.ok(canRefundNote(life.world, life.invoice, 10_000n));
    assert.ok(!canRefundNote(life.world, life.invoice, 10_001n));
    const refunds = refundNote(life.world, life.invoice, 5000n);
    assert.deepEqual(
      refunds.map(({ amount, of_note }) => [usd(amount), usd(of_note!.amount)]),
      [
        ['40.00', '40.00'],
        ['10.00', '60.00'],
      ],
    );
  });

  it('at the provider take the newest payment, and nothing above', () => {
    const life = paidLife();
    refund(life.world, life.payment, 3000n);
    const made = refundAtProvider(life.world, life.taken, 10_000n);
    assert.equal(usd(made.taken), '70.00');
    assert.deepEqual(stateOf(life).payments, []);
  });

  it('at the provider pause nothing where they take nothing', () => {
    const life = paidLife();
    assert.ok(reversePayment(life.world, life.invoice, 0));
    refundAtProvider(life.world, life.taken, 10_000n);
    assert.deepEqual([stateOf(life).due, stateOf(life).paused, stateOf(life).cash], ['100.00', null, '0.00']);
  });

  it('that fail are a payment again, and end the pause', () => {
    const life = paidLife();
    failRefund(life.world, refund(life.world, life.payment, 3000n));
    assert.deepEqual(stateOf(life), {
      ...{ payments: ['70.00', '30.00'], due: '0.00', balance: '0.00', paused: null, cash: '100.00' },
    });
  });

  it('are of payments of the provider alone', () => {
    const life = chargeLife();
    assert.ok(payInvoice(life.world, life.invoice));
    assert.deepEqual(refundRefusalsOf(life.world, life.invoice.payments[0]!, 1n), ['not_refundable']);
  });
});

/** billing.md 24. */
describe('disputes in the model of lives', () => {
  it('take the money, and give it back when they are won', () => {
    const life = paidLife();
    const dispute = inquire(life.world, life.taken, 10_000n);
    assert.ok(!isPaused(life.world, life.invoice), 'a paid invoice is not paused');
    assert.deepEqual(refundRefusalsOf(life.world, life.payment, 1n), ['not_refundable']);
    openDispute(life.world, dispute);
    assert.deepEqual(stateOf(life), {
      ...{ payments: [], due: '100.00', balance: '0.00', paused: 'disputed', cash: '0.00' },
    });
    winDispute(life.world, dispute);
    assert.deepEqual(stateOf(life), {
      ...{ payments: ['100.00'], due: '0.00', balance: '0.00', paused: null, cash: '100.00' },
    });
  });

  it('after a refund take what stands, and leave the pause of the refund', () => {
    const life = paidLife();
    refund(life.world, life.payment, 3000n);
    const dispute = inquire(life.world, life.taken, 10_000n);
    openDispute(life.world, dispute);
    assert.deepEqual([stateOf(life).payments, stateOf(life).due], [[], '100.00']);
    winDispute(life.world, dispute);
    assert.deepEqual(stateOf(life), {
      ...{ payments: ['70.00'], due: '30.00', balance: '0.00', paused: 'other', cash: '70.00' },
    });
  });

  it('that are inquiries pause what is due until they are closed', () => {
    const life = chargeLife();
    assert.ok(life.pay(6000n));
    life.charge();
    const taken = life.world.collection.charges[0]!;
    assert.ok(reversePayment(life.world, life.invoice, 1));
    const dispute = inquire(life.world, taken, 4000n);
    assert.deepEqual([stateOf(life).due, stateOf(life).paused], ['40.00', 'disputed']);
    winDispute(life.world, dispute);
    assert.equal(stateOf(life).paused, null);
  });

  it('pause nothing where they take nothing', () => {
    const life = paidLife();
    assert.ok(reversePayment(life.world, life.invoice, 0));
    openDispute(life.world, newDispute(life.taken, 10_000n));
    assert.deepEqual([stateOf(life).due, stateOf(life).paused], ['100.00', null]);
  });

  it('that are won leave refunded what credit notes have refunded', () => {
    const life = paidLife();
    refundNote(life.world, life.invoice, 4000n);
    const dispute = newDispute(life.taken, 10_000n);
    openDispute(life.world, dispute);
    winDispute(life.world, dispute);
    assert.equal(usd(leftToRefund(life.world, life.invoice.payments.at(-1)!)), '60.00');
  });

  it('that are lost stay booked', () => {
    const life = paidLife();
    const dispute = inquire(life.world, life.taken, 4000n);
    openDispute(life.world, dispute);
    loseDispute(life.world, dispute);
    assert.deepEqual(stateOf(life), {
      ...{ payments: ['60.00'], due: '40.00', balance: '0.00', paused: 'disputed', cash: '60.00' },
    });
  });
});
