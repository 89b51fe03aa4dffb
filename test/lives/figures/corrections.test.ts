import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { creditInvoice } from '../model/credit-notes.ts';
import { voidNote } from '../model/fee-notes.ts';
import { issue, regenerateInvoice } from '../model/invoices.ts';
import { lifeOn, usd } from './model-life.ts';
import { storeEvents } from '../model/model.ts';
import { adjustBalance, dueOf, payInvoice } from '../model/owed.ts';
import { monthOf, spanText } from '../model/words.ts';

const ONE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

/** Volume pricing: up to 10 units at 1, above at `beyond`. */
function volume(beyond: string): Pricing {
  const tier = (up_to: string | null, unit_amount: string) => ({ up_to, unit_amount, flat_amount: null });
  return { pricing_model: 'volume', tiers: [tier('10', '1'), tier(null, beyond)] };
}

/** A life on ONE with a second charge of the same price. */
function lifeOnTwo() {
  const life = lifeOn(ONE);
  const [charge] = life.subscription.first_plan.charges;
  const charges = [charge!, { ...charge!, event_name: 'other' }];
  life.subscription.first_plan.charges = charges;
  life.subscription.full_periods[0]!.plan.charges = charges;
  const useOther = (date: string, u: number) =>
    storeEvents(life.world, [{ event_name: 'other', timestamp: at(date), properties: { u } }]);
  return { ...life, useOther };
}

/** 50 units in January, paid, 30 of them taken off, and 20 in February. */
function corrected(is_paid = true) {
  const life = lifeOn(ONE);
  life.use('01-10', 50);
  life.go('02-05');
  if (is_paid) payInvoice(life.world, life.invoiceOf('01-01'));
  life.use('01-11', -30);
  life.use('02-10', 20);
  life.go('03-01');
  return life;
}

const due = (life: ReturnType<typeof lifeOn>, date: string) => usd(dueOf(life.invoiceOf(date)));

describe('usage that was billed too high, in the model of lives', () => {
  it('comes off the invoice that billed it, and the balance covers the next one', () => {
    const life = corrected();
    assert.deepEqual(life.says('02-01'), ['20 units, 0 credits: 20.00', '-30 units, 0 credits: 0.00']);
    const note = 'Usage of January corrected: 30.00, 30.00 to the balance';
    assert.deepEqual(life.notes('01-01'), [note]);
    assert.deepEqual([due(life, '02-01'), usd(life.world.balance)], ['0.00', '10.00']);
    assert.equal(life.invoiceOf('02-01').at_issue, 2000n);
  });

  it('volume: 10 units for 10.00, 2 late, and 12 cost 6.00', () => {
    const life = lifeOn(volume('0.5'));
    life.use('01-10', 10);
    life.go('02-05');
    life.use('01-10', 2);
    life.go('03-01');
    assert.deepEqual(life.says('02-01'), ['0 units, 0 credits: 0.00', '2 units, 0 credits: 0.00']);
    assert.deepEqual(life.notes('01-01'), ['Usage of January corrected: 4.00, 4.00 due less']);
  });

  it('after a cancellation is a last invoice of 0.00, and the note', () => {
    const life = lifeOn(ONE);
    life.use('01-10', 50);
    life.go('01-20');
    life.cancel('now');
    life.use('01-11', -30);
    life.go('02-25');
    assert.deepEqual(life.says('01-20'), ['-30 units, 0 credits: 0.00']);
    const note = 'Usage from 1 to 19 January corrected: 30.00, 30.00 due less';
    assert.deepEqual(life.notes('01-01'), [note]);
  });

  it('is decided at the issue of a held draft, also after the old invoice was made again', () => {
    const life = lifeOn(volume('0.1'), { start: at('02-01') });
    life.use('02-10', 10);
    life.go('04-02');
    life.use('02-20', 1);
    life.use('04-10', 10);
    life.go('05-01', true);
    const shown = ['10 units, 0 credits: 10.00', '1 units, 0 credits: -8.90'];
    assert.deepEqual(life.says('04-01'), shown);
    life.use('04-10', 1);
    assert.ok(regenerateInvoice(life.world, life.invoiceOf('02-01')));
    issue(life.world, life.invoiceOf('04-01'));
    assert.deepEqual(life.says('04-01'), ['11 units, 0 credits: 1.10', '1 units, 0 credits: 0.00']);
    assert.deepEqual(life.notes('02-01'), ['Usage of February corrected: 8.90, 8.90 due less']);
  });

  it('stays owed where a note by hand leaves too little, and is found once that is void', () => {
    const life = lifeOn(ONE);
    life.use('01-10', 50);
    life.go('02-05');
    const lines = [{ place: 0, amount: 4000n }];
    creditInvoice(life.world, life.invoiceOf('01-01'), { lines, to_balance: true });
    life.use('01-11', -30);
    life.go('03-01');
    assert.deepEqual(life.says('02-01'), ['0 units, 0 credits: 0.00', '-30 units, 0 credits: 0.00']);
    assert.equal(life.notes('01-01')[1], 'Usage of January corrected: 10.00, 10.00 due less');
    life.go('04-01');
    // 20.00 are owed, and there is nothing to credit: the line waits.
    assert.deepEqual(life.says('03-01'), ['0 units, 0 credits: 0.00']);
    voidNote(life.world, life.invoiceOf('01-01'), 0);
    life.use('04-10', 5);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['5 units, 0 credits: 5.00', '0 units, 0 credits: 0.00']);
    assert.equal(life.notes('01-01')[2], 'Usage of January corrected: 20.00, 20.00 due less');
  });

  it('fits on the next invoice where something is left', () => {
    const life = lifeOn(ONE);
    life.use('01-10', 50);
    life.go('02-05');
    creditInvoice(life.world, life.invoiceOf('01-01'), { lines: 'all', to_balance: true });
    life.use('01-11', -30);
    life.go('03-01');
    life.use('03-10', 40);
    life.go('04-01');
    assert.deepEqual(life.says('03-01'), ['40 units, 0 credits: 40.00', '0 units, 0 credits: -30.00']);
  });

  it('is credited whole beside a late line above 0', () => {
    const life = lifeOnTwo();
    life.use('01-10', 20);
    life.useOther('01-10', 1);
    life.go('02-05');
    life.use('01-10', -10);
    life.useOther('01-10', 5);
    life.go('03-01');
    assert.deepEqual(life.says('02-01').slice(2), ['-10 units, 0 credits: 0.00', '5 units, 0 credits: 5.00']);
    assert.deepEqual(life.notes('01-01'), ['Usage of January corrected: 10.00, 10.00 due less']);
  });

  it('comes off the invoice that was issued last first', () => {
    const life = lifeOn(ONE);
    life.use('01-10', 10);
    life.go('02-05');
    life.use('01-10', 5);
    life.go('03-01');
    life.use('01-10', -12);
    life.go('04-01');
    assert.deepEqual(life.notes('02-01'), ['Usage of January corrected: 5.00, 5.00 due less']);
    assert.deepEqual(life.notes('01-01'), ['Usage of January corrected: 7.00, 7.00 due less']);
    const numbers = ['02-01', '01-01'].map((date) => life.invoiceOf(date).notes[0]!.number);
    assert.deepEqual(numbers, [1, 2]);
  });
});

describe('an automatic note in the model of lives', () => {
  it('is void with the invoice of the late line, and what was used of it is due again', () => {
    const life = corrected();
    assert.equal(voidNote(life.world, life.invoiceOf('01-01'), 0), false);
    life.use('03-10', 7);
    life.go('04-01');
    assert.equal(usd(life.world.balance), '3.00');
    assert.ok(life.void('02-01'));
    assert.match(life.notes('01-01')[0]!, /void$/);
    // February gives 20.00 back, 3.00 are there, and March is due again with 7.00.
    assert.deepEqual([due(life, '03-01'), usd(life.world.balance)], ['7.00', '0.00']);
    assert.deepEqual(life.generate().map(life.says), [
      ['20 units, 0 credits: 20.00', '-30 units, 0 credits: 0.00'],
    ]);
    assert.deepEqual(
      life.invoiceOf('01-01').notes.map(({ is_void }) => is_void),
      [true, false],
    );
  });

  it('is void with the invoice that it credits', () => {
    const life = corrected(false);
    assert.equal(due(life, '01-01'), '20.00');
    const made = regenerateInvoice(life.world, life.invoiceOf('01-01'))!;
    assert.deepEqual(life.says(made), ['50 units, 0 credits: 20.00']);
    assert.equal(made.notes.length, 0);
  });

  it('whose money was paid out forbids the void', () => {
    const life = corrected();
    // 20.00 of the note come back with February's invoice, 10.00 do not.
    adjustBalance(life.world, -500n);
    assert.equal(life.void('02-01'), false);
    assert.equal(life.invoiceOf('02-01').status, 'paid');
    adjustBalance(life.world, 500n);
    assert.equal(life.void('02-01'), true);
    assert.equal(usd(life.world.balance), '0.00');
  });

  it('says its period in the words of its time zone', () => {
    const span = { start: '2026-01-31T23:00:00.000Z', end: '2026-02-28T23:00:00.000Z' };
    assert.equal(monthOf(span, 'Europe/Berlin'), 'February 2026');
    assert.equal(monthOf(span, 'UTC'), null);
    const other = { start: '2026-01-05T00:00:00.000Z', end: '2026-02-05T00:00:00.000Z' };
    assert.equal(spanText(other, 'UTC'), '5 January to 4 February 2026');
  });
});
