import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { creditInvoice } from '../model/credit-notes.ts';
import { voidNote } from '../model/fee-notes.ts';
import { regenerateInvoice, voidInvoice } from '../model/invoices.ts';
import { addItem } from '../model/items.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';
import { adjustBalance, payInvoice } from '../model/owed.ts';
import type { Invoice, Settle } from '../model/world.ts';

const USAGE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

function fee(flat_amount: string): Pricing {
  return { pricing_model: 'flat', flat_amount, billed: 'in_advance' };
}

type Life = ReturnType<typeof lifeOn>;

/** A note of a person, of all of an invoice or of a part of its first line; returns its place. */
function credit(life: Life, invoice: Invoice, amount: bigint | 'all', to_balance = true): number {
  const lines = amount === 'all' ? amount : [{ place: 0, amount }];
  assert.ok(creditInvoice(life.world, invoice, { lines, to_balance }));
  return invoice.notes.length - 1;
}

/** All that stands net on all invoices, less what notes credit. */
function net({ world }: Life): string {
  const standing = world.invoices.filter(({ status }) => status !== 'void');
  const billed = standing.flatMap(({ lines }) => lines).reduce((sum, { amount }) => sum + amount, 0n);
  const notes = standing.flatMap((invoice) => invoice.notes).filter(({ is_void }) => !is_void);
  return usd(notes.reduce((left, note) => left - note.net, billed));
}

describe('unused time that a note of a person leaves owed, in the model of lives', () => {
  it('of a year is credited once that note is void', () => {
    const life = lifeOn(USAGE);
    life.change('01-01', aPlan(fee('1200'), { interval: 'year' }));
    const opening = life.openingOf('01-01');
    payInvoice(life.world, opening);
    const place = credit(life, opening, 'all', false);
    life.go('02-01');
    life.cancel('now');
    assert.equal(opening.notes.length, 1);
    assert.ok(voidNote(life.world, opening, place));
    const note = 'Unused time from 1 February to 31 December: 1098.08, 1098.08 to the balance';
    assert.equal(life.notes(opening)[1], note);
    assert.equal(net(life), '101.92');
    // Once: nothing is owed any more.
    assert.equal(voidNote(life.world, opening, place), false);
    assert.equal(opening.notes.length, 2);
  });

  for (const settle of ['balance', 'outside', 'none'] as Settle[])
    it(`of a month is credited for the rest, by the settle of the end, ${settle}`, () => {
      const life = lifeOn(fee('30'), { start: at('04-01') });
      life.go('04-10');
      const opening = life.openingOf('04-01');
      payInvoice(life.world, opening);
      const place = credit(life, opening, 2000n);
      life.go('04-16');
      life.cancel('now', settle);
      assert.ok(voidNote(life.world, opening, place));
      const went = settle === 'balance' ? 'to the balance' : 'outside';
      const notes = ['10.00', '5.00'].map((sum) => `Unused time from 16 to 30 April: ${sum}, ${sum} ${went}`);
      assert.deepEqual(life.notes(opening).slice(1), settle === 'none' ? [] : notes);
      assert.equal(net(life), settle === 'none' ? '30.00' : '15.00');
    });

  it('is credited at any later time, and the plan that follows is as it was', () => {
    const life = lifeOn(fee('30'), { start: at('04-01') });
    life.go('04-10');
    const opening = life.openingOf('04-01');
    const place = credit(life, opening, 'all');
    life.go('04-16');
    life.change('04-16', aPlan(fee('60')));
    life.go('05-20');
    assert.equal(net(life), '90.00');
    assert.ok(voidNote(life.world, opening, place));
    assert.equal(life.notes(opening)[1], 'Unused time from 16 to 30 April: 15.00, 15.00 due less');
    assert.equal(net(life), '105.00');
  });

  it('is credited on an opening and a home, for a plan that was exchanged', () => {
    const life = lifeOn(fee('30'), { start: at('04-01') });
    life.go('05-01');
    const home = life.invoiceOf('04-01');
    const place = credit(life, home, 'all');
    life.change('05-01', aPlan(fee('40')));
    assert.equal(home.notes.length, 1);
    assert.ok(voidNote(life.world, home, place));
    assert.equal(life.notes(home)[1], 'Unused time from 1 to 31 May: 30.00, 30.00 due less');
  });

  it('is not credited before the end has come', () => {
    const life = lifeOn(fee('30'), { start: at('04-01') });
    life.go('04-10');
    const opening = life.openingOf('04-01');
    life.cancel('04-16');
    const place = credit(life, opening, 'all');
    assert.ok(voidNote(life.world, opening, place));
    assert.equal(opening.notes.length, 1);
    life.go('04-16');
    assert.equal(opening.notes.length, 2);
  });

  it('leaves the void refused whose money was paid out', () => {
    const life = lifeOn(fee('30'), { start: at('04-01') });
    life.go('04-10');
    const opening = life.openingOf('04-01');
    payInvoice(life.world, opening);
    const place = credit(life, opening, 'all');
    life.go('04-16');
    life.cancel('now');
    adjustBalance(life.world, -2000n);
    assert.equal(voidNote(life.world, opening, place), false);
    adjustBalance(life.world, 2000n);
    assert.equal(voidNote(life.world, opening, place), true);
    assert.equal(usd(life.world.balance), '15.00');
  });

  it('is credited once an automatic note is void with the invoice that made it', () => {
    const life = lifeOn([USAGE, fee('30')], { start: at('04-01') });
    life.go('04-02');
    life.use('04-10', 30);
    addItem(life.world, null, { quantity: '1', unit_amount: '-50' });
    life.go('05-10');
    const home = life.invoiceOf('04-01');
    assert.deepEqual(
      home.lines.map(({ amount }) => usd(amount)),
      ['30.00', '30.00', '-50.00'],
    );
    // A late correction takes the 10.00 that the invoice has left, and the end finds nothing.
    life.use('04-11', -30);
    life.closeNow('05-11');
    life.go('05-16');
    life.cancel('now');
    assert.deepEqual(life.notes(home), ['Usage of April corrected: 10.00, 10.00 due less']);
    assert.ok(life.void('05-01'));
    assert.equal(life.notes(home)[1], 'Unused time from 16 to 31 May: 10.00, 10.00 due less');
  });

  it('of an invoice that is made again is credited before it is billed again', () => {
    const life = lifeOn(fee('30'), { start: at('05-01') });
    life.go('06-16');
    life.cancel('now');
    const home = life.invoiceOf('05-01');
    assert.ok(regenerateInvoice(life.world, home));
    assert.equal(net(life), '45.00');
    assert.ok(voidInvoice(life.world, life.openingOf('05-01')));
    assert.equal(net(life), '15.00');
  });
});
