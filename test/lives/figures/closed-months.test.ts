import assert from 'node:assert/strict';
import { at } from '../../support/ledger/test-customer.ts';
import { closeMonth, isInvoiceKept, isNoteKept, monthOf } from '../model/closed-months.ts';
import { creditInvoice } from '../model/credit-notes.ts';
import { lifeOn } from './model-life.ts';

const month = (day: string) => monthOf(at(day));

/** billing.md 7. */
describe('closed months in the model of lives', () => {
  it('keep what was issued in them, and notes of their own month', () => {
    const life = lifeOn({ pricing_model: 'flat', flat_amount: '49' });
    life.go('03-05');
    const { world } = life;
    const [january, february] = world.invoices; // issued on 1 February and on 1 March
    const note = creditInvoice(world, january!, { lines: 'all', to_balance: true })!;
    assert.equal(closeMonth(world, month('02-01')), true);
    assert.equal(closeMonth(world, month('02-01')), false, 'it is closed');
    assert.deepEqual(
      [january!, february!].map((invoice) => isInvoiceKept(world, invoice)),
      [true, false],
    );
    assert.equal(isNoteKept(world, note), false);
    assert.equal(closeMonth(world, month('03-01')), true);
    assert.equal(isNoteKept(world, note), true);
    assert.deepEqual(
      [...world.closed.values()].map(({ was_over }) => was_over),
      [true, false],
    );
  });

  it('keep an invoice whose automatic note was issued in them', () => {
    const life = lifeOn({ pricing_model: 'flat', flat_amount: '49' });
    life.go('04-05');
    const { world } = life;
    const [january] = world.invoices;
    const origin = { automatic: true, cause: null, reason: 'Usage of January corrected' };
    creditInvoice(world, january!, { lines: 'all', to_balance: true, origin });
    closeMonth(world, month('04-01'));
    assert.equal(isInvoiceKept(world, january!), true);
    assert.equal(isInvoiceKept(world, world.invoices[1]!), false);
  });
});
