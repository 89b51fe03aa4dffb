import assert from 'node:assert/strict';
import { at } from '../../support/ledger/test-customer.ts';
import { atProvider } from '../model/chargeable.ts';
import { confirm, finish, FOR_GOOD, refusalsOf, settle } from '../model/attempts.ts';
import { attemptsOf } from '../model/under-way.ts';
import { makeDefault, removeMethod, saveMethod } from '../model/methods.ts';
import { dueOf } from '../model/owed.ts';
import { endOfDay, isPaused, pauseCollection, resumeCollection } from '../model/pauses.ts';
import { advance } from '../model/model.ts';
import { later } from '../model/world.ts';
import { usd } from './model-life.ts';
import { chargeLife } from './charge-life.ts';

/** billing.md 18. */
describe('pauses in the model of lives', () => {
  it('last to the end of their last day in the zone of the customer', () => {
    const { world, invoice } = chargeLife('succeeds', { timezone: 'America/New_York' });
    assert.ok(pauseCollection(world, invoice, { reason: 'promised', until: at('03-20').slice(0, 10) }));
    const end = endOfDay(world, at('03-20').slice(0, 10));
    assert.equal(end, at('03-21T04:00'));
    advance(world, later(end, -1), false);
    assert.ok(isPaused(world, invoice));
    advance(world, end, false);
    assert.ok(!isPaused(world, invoice));
    assert.ok(!resumeCollection(world, invoice));
  });

  it('of an invoice and of its customer do not end each other', () => {
    const { world, invoice } = chargeLife();
    assert.ok(pauseCollection(world, invoice, { reason: 'other', until: null }));
    assert.ok(pauseCollection(world, null, { reason: 'other', until: null }));
    assert.ok(!pauseCollection(world, null, { reason: 'other', until: null }));
    assert.ok(resumeCollection(world, null));
    assert.ok(isPaused(world, invoice));
  });

  it('of an invoice go on once it is paid', () => {
    const { world, invoice, pay } = chargeLife();
    assert.ok(pauseCollection(world, invoice, { reason: 'other', until: null }));
    assert.ok(pay(10_000n));
    assert.ok(isPaused(world, invoice));
  });
});

/** billing.md 19. */
describe('payment methods in the model of lives', () => {
  it('are the default where there is none', () => {
    const { world, method } = chargeLife();
    const second = saveMethod(world, { label: 'Mastercard 4444', card: 'succeeds' });
    assert.deepEqual([method.is_default, second.is_default], [true, false]);
    assert.ok(removeMethod(method));
    assert.equal(second.is_default, false);
    const third = saveMethod(world, { label: 'Visa 1111', card: 'succeeds' });
    assert.equal(third.is_default, true);
    assert.ok(makeDefault(world, second));
    assert.deepEqual([second.is_default, third.is_default], [true, false]);
    assert.ok(!makeDefault(world, method), 'a removed method never comes back');
    assert.ok(!removeMethod(method));
  });

  const AMOUNTS: [currency: string, minor: bigint, smallest: bigint | null][] = [
    ['EUR', 1200n, 1200n],
    ['JPY', 1200n, 1200n],
    ['ISK', 5n, 500n],
    ['UGX', 5n, 500n],
    ['MGA', 1200n, 12n],
    ['MGA', 1230n, null],
    ['KWD', 1230n, 1230n],
    ['KWD', 1234n, null],
    ['GBP', 30n, 30n],
    ['GBP', 20n, null],
  ];
  for (const [currency, minor, smallest] of AMOUNTS)
    it(`${minor} minor units of ${currency}: ${smallest ?? 'not chargeable'}`, () =>
      assert.equal(atProvider(currency, minor), smallest));
});

/** billing.md 20. */
describe('charges in the model of lives', () => {
  it('pay what is due', () => {
    const life = chargeLife();
    const attempt = life.charge();
    assert.deepEqual(life.money(attempt), { charged: '100.00', due: '0.00', balance: '0.00' });
    assert.deepEqual([attempt.status, life.invoice.status], ['succeeded', 'paid']);
    assert.equal(usd(life.world.collection.cash), '100.00');
    assert.deepEqual(refusalsOf(life.world, life.invoice), ['invalid_state']);
  });

  type Life = ReturnType<typeof chargeLife>;
  const PARTS: [name: string, act: (life: Life) => boolean | 'duplicate_payment'][] = [
    ['paid', (life) => life.pay(3000n)],
    ['credited', (life) => life.credit(3000n)],
  ];
  for (const [name, act] of PARTS) {
    it(`of 100.00 follow 30.00 that are ${name} before`, () => {
      const life = chargeLife();
      const attempt = life.prepare();
      assert.equal(act(life), true);
      confirm(life.world, attempt);
      settle(life.world, attempt);
      assert.deepEqual(life.money(attempt), { charged: '70.00', due: '0.00', balance: '0.00' });
    });

    it(`of 100.00 give 30.00 that are ${name} after to the balance`, () => {
      const life = chargeLife();
      const attempt = life.prepare();
      confirm(life.world, attempt);
      assert.equal(act(life), true);
      settle(life.world, attempt);
      settle(life.world, attempt);
      assert.deepEqual(life.money(attempt), { charged: '100.00', due: '0.00', balance: '30.00' });
      assert.equal(usd(attempt.payment!.to_balance), '30.00');
    });
  }

  const ENDS: [name: string, act: (life: Life) => boolean | 'duplicate_payment'][] = [
    ['paid', (life) => life.pay(10_000n)],
    ['void', (life) => life.voidIt()],
    ['paused', ({ world, invoice }) => pauseCollection(world, invoice, { reason: 'other', until: null })],
    ['left without their method', ({ method }) => removeMethod(method)],
  ];
  for (const [name, act] of ENDS)
    it(`that are ${name} before are canceled`, () => {
      const life = chargeLife();
      const attempt = life.prepare();
      assert.equal(act(life), true);
      confirm(life.world, attempt);
      settle(life.world, attempt);
      assert.deepEqual([attempt.status, life.world.collection.cash], ['canceled', 0n]);
    });

  it('of an invoice that is void after are a payment in advance', () => {
    const life = chargeLife();
    const attempt = life.prepare();
    confirm(life.world, attempt);
    assert.ok(life.voidIt());
    settle(life.world, attempt);
    assert.deepEqual(life.money(attempt), { charged: '100.00', due: '0.00', balance: '100.00' });
    assert.deepEqual(life.world.deposits, [attempt.payment]);
  });

  it('are one at a time', () => {
    const life = chargeLife('processing');
    const attempt = life.charge();
    assert.equal(attempt.status, 'processing');
    assert.deepEqual(refusalsOf(life.world, life.invoice), ['charge_in_progress']);
    finish(life.world, attempt, null);
    assert.deepEqual(life.money(attempt), { charged: '100.00', due: '0.00', balance: '0.00' });
  });

  it('that are declined leave the invoice due, and may be tried again', () => {
    const life = chargeLife({ declined: 'insufficient_funds', times: 1 });
    assert.equal(life.charge().status, 'declined');
    assert.equal(usd(dueOf(life.invoice)), '100.00');
    assert.equal(life.charge().status, 'succeeded');
    assert.deepEqual(
      attemptsOf(life.world, life.invoice).map(({ number }) => number),
      [1, 2],
    );
  });

  it('that are declined for good make the method fail', () => {
    const life = chargeLife({ declined: FOR_GOOD, times: null });
    life.charge();
    assert.equal(life.method.status, 'failing');
    assert.deepEqual(refusalsOf(life.world, life.invoice), ['no_payment_method']);
  });

  it('that wait for their payer take nothing', () => {
    const life = chargeLife('authentication_required');
    const attempt = life.charge();
    assert.deepEqual([attempt.status, life.world.collection.cash], ['action_required', 0n]);
    assert.deepEqual(refusalsOf(life.world, life.invoice), []);
  });

  it('are refused while collection is paused', () => {
    const life = chargeLife();
    assert.ok(pauseCollection(life.world, null, { reason: 'other', until: null }));
    assert.deepEqual(refusalsOf(life.world, life.invoice), ['paused']);
  });
});
