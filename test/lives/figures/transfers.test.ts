import assert from 'node:assert/strict';
import { dueOf, reverseDeposit, reversePayment } from '../model/owed.ts';
import { recordTransfer, reverseTransfer } from '../model/transfers.ts';
import type { Invoice, World } from '../model/world.ts';
import { lifeOn, usd } from './model-life.ts';

const HUNDRED = { pricing_model: 'flat', flat_amount: '100' } as const;
const NO_REFERENCE = { reference: null, paid_at: '2026-01-01T00:00:00.000Z', is_allowed: false };

type Life = { world: World; invoices: [Invoice, Invoice] };

/** Two open invoices of 100.00. */
function aLife(): Life {
  const life = lifeOn(HUNDRED);
  life.go('03-01');
  const [first, second] = life.world.invoices;
  return { world: life.world, invoices: [first!, second!] };
}

const dues = ({ invoices }: Life) => invoices.map((invoice) => usd(dueOf(invoice)));
const pay = ({ world, invoices }: Life, amount: bigint, second: bigint | null = null, more: object = {}) =>
  recordTransfer(
    world,
    [
      { invoice: invoices[0], part: null },
      { invoice: invoices[1], part: second },
    ],
    {
      amount,
      particulars: { ...NO_REFERENCE, ...more },
    },
  );

/** billing.md 7. */
describe('a transfer in the model of lives', () => {
  it('of 210.00 pays 100.00 and 100.00, and 10.00 go to the balance', () => {
    const life = aLife();
    assert.equal(pay(life, 21_000n), true);
    assert.deepEqual([...dues(life), usd(life.world.balance)], ['0.00', '0.00', '10.00']);
    assert.equal(pay(life, 21_000n), false, 'nothing is open');
  });

  it('pays a part, and is reversed with what stands of it', () => {
    const life = aLife();
    assert.equal(pay(life, 12_000n, 2000n), true);
    assert.deepEqual([...dues(life), usd(life.world.balance)], ['0.00', '80.00', '0.00']);
    assert.equal(pay(aLife(), 20_001n, 10_001n), false, 'more than is due');
    assert.ok(reversePayment(life.world, life.invoices[0], 0));
    const [transfer] = life.world.transfers;
    assert.ok(reverseTransfer(life.world, transfer!));
    assert.deepEqual(dues(life), ['100.00', '100.00']);
    assert.equal(reverseTransfer(life.world, transfer!), false);
  });

  it('is reversed as a whole or not at all, where its rest was paid out', () => {
    const life = aLife();
    assert.equal(pay(life, 21_000n), true);
    life.world.balance = 0n;
    const [transfer] = life.world.transfers;
    assert.equal(reverseTransfer(life.world, transfer!), false);
    assert.deepEqual(dues(life), ['0.00', '0.00']);
    assert.equal(reverseDeposit(life.world, 0), false);
  });

  it('is a duplicate by reference, amount and day while a payment of it stands', () => {
    const life = aLife();
    const reference = { reference: 'a' };
    assert.equal(pay(life, 15_000n, 5000n, reference), true);
    assert.equal(pay(life, 15_000n, 5000n, reference), 'duplicate_payment');
    assert.ok(reverseTransfer(life.world, life.world.transfers[0]!));
    assert.equal(pay(life, 15_000n, 5000n, reference), true);
  });
});
