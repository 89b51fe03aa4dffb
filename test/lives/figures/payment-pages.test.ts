import assert from 'node:assert/strict';
import { charge, refusalsOf } from '../model/attempts.ts';
import { closeStale, openPageOf, pageOf, pageRefusalsOf, payPage } from '../model/payment-pages.ts';
import { dueOf } from '../model/owed.ts';
import { pauseCollection } from '../model/pauses.ts';
import { chargeLife } from './charge-life.ts';
import { usd } from './model-life.ts';

type Life = ReturnType<typeof pageLife>;

function pageLife() {
  const life = chargeLife();
  life.world.collection.has_provider = true;
  return { ...life, page: pageOf(life.world, life.invoice, false) };
}

/** billing.md 22. */
describe('payment pages in the model of lives', () => {
  it('are the same until another amount is due', () => {
    const { world, invoice, page, pay } = pageLife();
    assert.equal(pageOf(world, invoice, false), page);
    assert.ok(pay(3000n));
    const next = pageOf(world, invoice, false);
    assert.deepEqual([page.status, usd(next.amount)], ['expired', '70.00']);
  });

  it('that save a method are closed where none is to be saved', () => {
    const { world, invoice, page } = pageLife();
    page.saves = true;
    assert.notEqual(pageOf(world, invoice, false), page);
    assert.equal(page.status, 'expired');
  });

  it('can be paid while collection is paused', () => {
    const { world, invoice } = pageLife();
    assert.ok(pauseCollection(world, invoice, { reason: 'other', until: null }));
    assert.deepEqual(pageRefusalsOf(world, invoice), []);
  });

  it('are closed by a charge, and refused during one', () => {
    const { world, invoice, page, method } = pageLife();
    method.card = 'processing';
    charge(world, invoice, { method, by: 'person' });
    assert.equal(page.status, 'expired');
    assert.deepEqual(pageRefusalsOf(world, invoice), ['charge_in_progress']);
  });

  it('that are paid leave nothing to charge', () => {
    const { world, invoice, page } = pageLife();
    payPage(world, page, 'Visa 1111');
    assert.deepEqual(refusalsOf(world, invoice), ['invalid_state']);
    assert.equal(usd(world.collection.cash), '100.00');
    assert.equal(world.collection.methods.length, 1);
  });

  it('that a debit of days has paid keep charges and pages away', () => {
    const { world, invoice, page } = pageLife();
    page.is_debited = true;
    assert.deepEqual(refusalsOf(world, invoice), ['charge_in_progress']);
    assert.deepEqual(pageRefusalsOf(world, invoice), ['charge_in_progress']);
  });

  it('are closed as what is due changes', () => {
    const { world, invoice, pay } = pageLife();
    assert.ok(pay(3000n));
    closeStale(world);
    assert.equal(openPageOf(world, invoice), undefined);
  });

  it('save the card that pays if they are to', () => {
    const { world, page } = pageLife();
    page.saves = true;
    payPage(world, page, 'Visa 1111');
    assert.deepEqual(
      world.collection.methods.map(({ label }) => label),
      ['Visa 4242', 'Visa 1111'],
    );
  });

  const LATE: [name: string, act: (life: Life) => boolean | 'duplicate_payment', balance: string][] = [
    ['30.00 are paid', (life) => life.pay(3000n), '30.00'],
    ['30.00 are credited', (life) => life.credit(3000n), '30.00'],
    ['all is paid by bank', (life) => life.pay(10_000n), '100.00'],
    ['the invoice is void', (life) => life.voidIt(), '100.00'],
  ];
  for (const [name, act, balance] of LATE)
    it(`of 100.00 that are paid too late, once ${name}, give ${balance} to the balance`, () => {
      const life = pageLife();
      assert.equal(act(life), true);
      payPage(life.world, life.page, 'Visa 1111');
      assert.deepEqual([usd(life.world.balance), usd(dueOf(life.invoice))], [balance, '0.00']);
      assert.equal(life.world.deposits.length, life.invoice.status === 'void' ? 1 : 0);
    });
});
