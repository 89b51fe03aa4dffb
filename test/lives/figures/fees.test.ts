import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { takeBack } from '../model/changes.ts';
import { issue, regenerateInvoice, voidInvoice } from '../model/invoices.ts';
import { addItem } from '../model/items.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';
import { dueOf, payInvoice } from '../model/owed.ts';
import type { Invoice } from '../model/world.ts';

const USAGE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

function fee(flat_amount: string): Pricing {
  return { pricing_model: 'flat', flat_amount, billed: 'in_advance' };
}

type Life = ReturnType<typeof lifeOn>;

/** The lines of an invoice: the days of a fee, else the type, with the amount. */
function lines(invoice: Invoice): string[] {
  return invoice.lines.map(({ type, period: { start, end }, amount }) => {
    const days = `${start.slice(5, 10)} to ${end.slice(5, 10)}`;
    return `${type === 'flat' ? days : type}: ${usd(amount)}`;
  });
}

function money(life: Life, invoice: Invoice): string {
  return `${usd(dueOf(invoice))} due, balance ${usd(life.world.balance)}`;
}

describe('fees in advance in the model of lives', () => {
  it('are on an opening at the start, then on the invoice that closes the period before', () => {
    const life = lifeOn([USAGE, fee('199'), fee('49')], { start: at('04-01') });
    life.go('03-31');
    assert.equal(life.world.invoices.length, 0);
    life.go('04-01', true);
    const opening = life.openingOf('04-01');
    assert.deepEqual(lines(opening), ['04-01 to 05-01: 199.00', '04-01 to 05-01: 49.00']);
    assert.equal(opening.status, 'open');
    life.use('04-10', 3);
    life.go('05-01');
    const home = ['usage: 3.00', '05-01 to 06-01: 199.00', '05-01 to 06-01: 49.00'];
    assert.deepEqual(lines(life.invoiceOf('04-01')), home);
    assert.equal(life.openingOf('05-01'), undefined);
  });

  it('are on an opening at the end of a trial, with the items that are pending', () => {
    const life = lifeOn(fee('49'), { trial_end: at('01-08') });
    addItem(life.world, null, { quantity: '1', unit_amount: '10' });
    life.go('01-09');
    assert.deepEqual(lines(life.openingOf('01-08')), ['01-08 to 02-08: 49.00', 'item: 10.00']);
    life.go('02-08');
    assert.deepEqual(lines(life.invoiceOf('01-08')), ['02-08 to 03-08: 49.00']);
  });

  it('are worth the time up to the end that is known; what is short is on the closing invoice', () => {
    const life = lifeOn(fee('199'), { start: at('04-01') });
    life.go('04-20');
    life.change('05-16', aPlan(USAGE));
    life.go('05-10');
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['05-01 to 05-16: 96.29']);
    takeBack(life.world, life.subscription);
    life.go('06-01');
    const closing = ['06-01 to 07-01: 199.00', '05-01 to 06-01: 102.71'];
    assert.deepEqual(lines(life.invoiceOf('05-01')), closing);
  });

  for (const is_paid of [false, true])
    it(`are credited for unused time, ${is_paid ? 'paid' : 'due'}`, () => {
      const life = lifeOn(fee('199'), { tax_rate: '20', start: at('06-01') });
      life.go('06-02');
      const opening = life.openingOf('06-01');
      if (is_paid) payInvoice(life.world, opening);
      life.go('06-16');
      life.cancel('now');
      const went = is_paid ? '119.40 to the balance' : '119.40 due less';
      assert.deepEqual(life.notes(opening), [`Unused time from 16 to 30 June: 119.40, ${went}`]);
      assert.equal(money(life, opening), is_paid ? '0.00 due, balance 119.40' : '119.40 due, balance 0.00');
      assert.deepEqual(lines(life.invoiceOf('06-01')), []);
    });

  it('go on by the plan of a change: its note covers the closing invoice', () => {
    const life = lifeOn([fee('199'), USAGE], { start: at('06-01') });
    life.go('06-02');
    payInvoice(life.world, life.openingOf('06-01'));
    life.use('06-10', 200);
    life.go('06-16');
    life.change('06-16', aPlan(fee('49')));
    const closing = life.invoiceOf('06-01');
    assert.deepEqual(lines(closing), ['usage: 200.00', '06-16 to 07-01: 24.50']);
    assert.equal(closing.at_issue, 9950n);
    assert.equal(money(life, closing), '125.00 due, balance 0.00');
  });

  it('of 199.99, half of it used: 99.99 is credited', () => {
    const life = lifeOn(fee('199.99'), { start: at('06-01') });
    life.go('06-16');
    life.cancel('now');
    const [note] = life.notes(life.openingOf('06-01'));
    assert.equal(note, 'Unused time from 16 to 30 June: 99.99, 99.99 due less');
  });

  it('are exchanged with the plan: a note, and an opening that the balance covers', () => {
    const life = lifeOn(fee('199'), { start: at('04-01') });
    life.go('05-01');
    payInvoice(life.world, life.invoiceOf('04-01'));
    life.change('05-01', aPlan(fee('49')));
    const note = 'Unused time from 1 to 31 May: 199.00, 199.00 to the balance';
    assert.deepEqual(life.notes('04-01'), [note]);
    const opening = life.openingOf('05-01');
    assert.deepEqual(lines(opening), ['05-01 to 06-01: 49.00']);
    assert.equal(money(life, opening), '0.00 due, balance 150.00');
    life.go('06-01');
    assert.deepEqual(lines(life.invoiceOf('05-01')), ['06-01 to 07-01: 49.00']);
  });

  it('are on the closing invoice where the plan is exchanged while an opening stands', () => {
    const life = lifeOn(fee('199'), { start: at('04-01') });
    life.go('04-01');
    life.change('04-01', aPlan(fee('49')));
    assert.equal(life.notes(life.openingOf('04-01')).length, 1);
    life.go('05-01');
    const closing = ['05-01 to 06-01: 49.00', '04-01 to 05-01: 49.00'];
    assert.deepEqual(lines(life.invoiceOf('04-01')), closing);
    // The opening, made again, would be of 0.00 beside the closing invoice.
    assert.ok(voidInvoice(life.world, life.openingOf('04-01')));
    assert.deepEqual(life.generate(), []);
  });

  it('are on their home where it is a draft while the plan is exchanged', () => {
    const life = lifeOn(fee('199'), { start: at('04-01') });
    life.go('05-01', true);
    life.change('05-01', aPlan(fee('49')));
    assert.equal(life.openingOf('05-01'), undefined);
    issue(life.world, life.invoiceOf('04-01'));
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['05-01 to 06-01: 49.00']);
    assert.deepEqual(life.notes('04-01'), []);
  });

  it('of a plan that is exchanged and exchanged back are billed again', () => {
    const life = lifeOn(fee('199'), { start: at('04-01') });
    life.go('05-01');
    life.change('05-01', aPlan(fee('49')));
    life.change('05-01', life.subscription.first_plan);
    assert.equal(life.notes('04-01').length + life.notes(life.openingOf('05-01')).length, 2);
    life.go('06-01');
    const closing = ['06-01 to 07-01: 199.00', '05-01 to 06-01: 199.00'];
    assert.deepEqual(lines(life.invoiceOf('05-01')), closing);
  });

  it('of a plan that is exchanged in and out at one instant are credited, also for a plan without fees', () => {
    const life = lifeOn(USAGE, { start: at('04-01') });
    life.go('04-01');
    life.change('04-01', aPlan(fee('49')));
    life.change('04-01', aPlan(USAGE));
    const note = 'Unused time from 1 to 30 April: 49.00, 49.00 due less';
    assert.deepEqual(life.notes(life.openingOf('04-01')), [note]);
  });

  it('a cut changes nothing', () => {
    const life = lifeOn([fee('30'), USAGE], { start: at('04-01') });
    life.use('04-01', 1);
    assert.deepEqual(lines(life.closeNow('04-16')), ['usage: 1.00']);
    life.use('04-16', 2);
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-16')), ['usage: 2.00', '05-01 to 06-01: 30.00']);
  });
});

describe('invoices of fees in advance that are void, in the model of lives', () => {
  it('an opening is made again by generate alone, and nothing is short meanwhile', () => {
    const life = lifeOn(fee('49'), { start: at('04-01') });
    life.go('04-10');
    assert.ok(voidInvoice(life.world, life.openingOf('04-01')));
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['05-01 to 06-01: 49.00']);
    assert.deepEqual(life.generate().map(lines), [['04-01 to 05-01: 49.00']]);
  });

  it('fees wait for a void home, and are up to the end that is known then', () => {
    const life = lifeOn(fee('60'), { start: at('04-01') });
    life.go('05-01');
    life.void('04-01');
    life.change('06-16', aPlan(USAGE));
    life.go('06-16');
    assert.deepEqual(lines(life.invoiceOf('05-01')), ['06-01 to 06-16: 30.00']);
    assert.deepEqual(life.generate().map(lines), [['05-01 to 06-01: 60.00']]);
  });

  it('a home that is made again takes its note along', () => {
    const life = lifeOn(fee('199'), { start: at('05-01') });
    life.go('06-16');
    life.cancel('now');
    const home = life.invoiceOf('05-01');
    assert.equal(life.notes(home)[0], 'Unused time from 16 to 30 June: 99.50, 99.50 due less');
    const made = regenerateInvoice(life.world, home)!;
    assert.deepEqual(lines(made), ['06-01 to 06-16: 99.50']);
    assert.match(life.notes(home)[0]!, /void$/);
    assert.equal(made.notes.length, 0);
  });
});

describe('unused time of fees in the model of lives', () => {
  it('is paid back outside', () => {
    const life = lifeOn(fee('199'), { start: at('06-01') });
    life.go('06-16');
    payInvoice(life.world, life.openingOf('06-01'));
    life.cancel('now', 'outside');
    const note = 'Unused time from 16 to 30 June: 99.50, 99.50 outside';
    assert.deepEqual(life.notes(life.openingOf('06-01')), [note]);
  });

  it('is kept, also on a home that is made again', () => {
    const life = lifeOn(fee('199'), { start: at('05-01') });
    life.go('06-16');
    life.change('06-16', aPlan(fee('49')), 'none');
    const home = life.invoiceOf('05-01');
    assert.equal(home.notes.length, 0);
    assert.deepEqual(lines(life.invoiceOf('06-01')), ['06-16 to 07-01: 24.50']);
    assert.deepEqual(lines(regenerateInvoice(life.world, home)!), ['06-01 to 06-16: 199.00']);
  });

  for (const [at_change, at_end, is] of [
    ['none', 'balance', []],
    ['outside', 'balance', ['Unused time from 16 to 30 June: 99.50, 99.50 outside']],
    ['none', 'outside', []],
  ] as const)
    it(`keeps ${at_change} once its end has come, beside an end at this instant with ${at_end}`, () => {
      const life = lifeOn(fee('199'), { start: at('06-01') });
      life.go('06-16');
      payInvoice(life.world, life.openingOf('06-01'));
      life.change('06-16', aPlan(fee('49')), at_change);
      const closing = life.invoiceOf('06-01');
      assert.deepEqual(lines(closing), ['06-16 to 07-01: 24.50']);
      payInvoice(life.world, closing);
      life.cancel('now', at_end);
      assert.deepEqual(life.notes(life.openingOf('06-01')), is);
      const to = at_end === 'balance' ? 'to the balance' : 'outside';
      assert.deepEqual(life.notes(closing), [`Unused time from 16 to 30 June: 24.50, 24.50 ${to}`]);
    });

  it('keeps none of a change beside an end that leaves out the plan that followed', () => {
    const life = lifeOn(fee('199'), { start: at('06-01') });
    life.go('06-16');
    life.change('06-16', aPlan(fee('49')), 'none');
    life.go('07-10');
    life.cancel('06-16', 'balance');
    assert.deepEqual(life.notes(life.openingOf('06-01')), []);
    assert.deepEqual(life.notes('06-01'), ['Unused time from 16 to 30 June: 24.50, 24.50 due less']);
    assert.deepEqual(life.notes('06-16'), ['Unused time from 1 to 31 July: 49.00, 49.00 due less']);
  });

  it('is credited when the end has come, also while the closing invoice is held', () => {
    const life = lifeOn(fee('199'), { start: at('06-01') });
    life.go('06-10');
    life.change('06-16', aPlan(USAGE));
    assert.equal(life.openingOf('06-01').notes.length, 0);
    life.go('06-16', true);
    assert.equal(life.invoiceOf('06-01').status, 'draft');
    assert.equal(life.openingOf('06-01').notes.length, 1);
  });
});
