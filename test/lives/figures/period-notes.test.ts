import assert from 'node:assert/strict';
import { creditInvoice } from '../model/credit-notes.ts';
import { addItem } from '../model/items.ts';
import { payInvoice } from '../model/owed.ts';
import type { CreditNote } from '../model/world.ts';
import { usd } from './model-life.ts';
import { fee, lifeWith, lines, ONE } from './period-life.ts';
import { seat, seatsOn } from './seats-life.ts';

/** The amounts of the lines of a note. */
function amountsOf({ lines: credited }: CreditNote): string[] {
  return credited.map(({ amount }) => usd(amount));
}

describe('automatic notes beside period lines in the model of lives', () => {
  for (const { amount, is } of [
    { amount: '49', is: '19.50' },
    { amount: '10', is: '0.00' },
  ])
    it(`take a discount along: a fee of ${amount}, canceled on the 16th: ${is}`, () => {
      const life = lifeWith(fee(amount), { amounts: ['10'] });
      life.go('04-16');
      payInvoice(life.world, life.openingOf('04-01'));
      life.cancel('now');
      const [made] = life.openingOf('04-01').notes;
      assert.deepEqual([usd(made!.total), usd(made!.lines[1]!.amount)], [is, '-5.00']);
    });

  it('of usage take a discount along', () => {
    const life = lifeWith(ONE, { amounts: ['10'] });
    life.go('04-10');
    life.use(50);
    life.go('05-10');
    payInvoice(life.world, life.invoiceOf('04-01'));
    life.use(-50, '04-12');
    assert.deepEqual(lines(life.closeNow('05-11')), ['usage: 0.00', 'late_usage: 0.00']);
    const note = 'Usage of April corrected: 40.00, 40.00 to the balance';
    assert.deepEqual(life.notes('04-01'), [note]);
  });

  it('are not made where a late line fits with what it changes of a discount', () => {
    const life = lifeWith(ONE, { amounts: ['10'] });
    life.go('04-10');
    life.use(50);
    life.go('05-10');
    life.endDiscount(life.discounts[0]!, '05-01');
    life.use(45);
    life.use(-50, '04-12');
    const expected = ['usage: 45.00', 'discount: 10.00', 'late_usage: -50.00'];
    assert.deepEqual(lines(life.closeNow('05-11')), expected);
  });

  it('credit the minimum of a period that an end shortens, and of one that it leaves out', () => {
    const life = lifeWith(ONE, { minimum: '100' });
    life.go('06-10');
    life.cancel('04-16');
    assert.deepEqual(life.notes('04-01'), ['Minimum of April corrected: 50.00, 50.00 due less']);
    assert.deepEqual(life.notes('05-01'), ['Minimum of May corrected: 100.00, 100.00 due less']);
  });

  it('of an issue count for its minimum', () => {
    const life = lifeWith(ONE, { minimum: '80' });
    life.go('04-10');
    life.use(100);
    life.go('05-10');
    life.use(-50, '04-12');
    const correcting = life.closeNow('05-11');
    assert.deepEqual(life.notes('04-01'), ['Usage of April corrected: 50.00, 50.00 due less']);
    assert.deepEqual(lines(correcting), ['usage: 0.00', 'minimum: 30.00', 'late_usage: 0.00']);
  });

  it('at a cut and an end of one instant: the last invoice has the minimum', () => {
    const life = lifeWith(ONE, { minimum: '80' });
    life.use(20, '04-01');
    assert.deepEqual(lines(life.closeNow('04-16')), ['usage: 20.00']);
    life.cancel('now');
    life.go('05-30');
    assert.deepEqual(life.world.invoices.slice(1).flatMap(lines), ['minimum: 20.00']);
  });

  it('take at most what an invoice has left once a discount is off it', () => {
    const life = lifeWith([fee('49'), fee('10')], { amounts: ['20'] });
    life.go('04-16');
    creditInvoice(life.world, life.openingOf('04-01'), {
      lines: [{ place: 0, amount: 1500n }],
      to_balance: true,
    });
    life.cancel('now');
    // 59.00 - 20.00 - 15.00 are left: 29.50 less 10.00 of the discount fit into 24.00.
    const [, made] = life.openingOf('04-01').notes;
    assert.deepEqual(amountsOf(made!), ['24.50', '5.00', '-10.00']);
  });
});

describe('notes of which an invoice has less left, in the model of lives', () => {
  it('take more of a discount along, which the next invoice gives again', () => {
    const life = seatsOn([seat('1'), ONE]);
    life.discount({ amount: '20' });
    life.go('04-05');
    life.use('04-05', 12);
    assert.deepEqual(lines(life.openingOf('04-01')), ['flat: 10.00', 'discount: -10.00']);
    assert.deepEqual(lines(life.closeNow('04-11')), ['usage: 12.00', 'discount: -10.00']);
    life.go('04-16');
    life.set('04-16', '4');
    const [made] = life.openingOf('04-01').notes;
    assert.deepEqual([usd(made!.net), ...amountsOf(made!)], ['0.00', '3.00', '-3.00']);
    life.use('04-20', 5);
    life.go('05-01');
    const closing = life.invoiceOf('04-11');
    const of_april = lines({ ...closing, lines: closing.lines.filter(({ type }) => type !== 'flat') });
    assert.deepEqual(of_april.slice(0, 2), ['usage: 5.00', 'discount: -3.00']);
  });

  it('take the oldest discount along first', () => {
    const life = lifeWith(fee('49'), { amounts: ['6', '4'] });
    life.go('04-16');
    const lines_of_person = [{ place: 0, amount: 2250n }];
    creditInvoice(life.world, life.openingOf('04-01'), { lines: lines_of_person, to_balance: true });
    life.cancel('now');
    // 39.00 - 22.50 are left: 24.50 - 5.00 for the shorter period, and 3.00 more of the older one, which has 3.00 left.
    const [, made] = life.openingOf('04-01').notes;
    assert.deepEqual([usd(made!.net), ...amountsOf(made!)], ['16.50', '24.50', '-6.00', '-2.00']);
  });

  it('take less without enough of a discount', () => {
    const life = lifeWith(fee('49'), { amounts: ['10'], start: '04-01' });
    addItem(life.world, null, { quantity: '1', unit_amount: '-30' });
    life.go('04-16');
    life.cancel('now');
    // 49.00 - 10.00 - 30.00 = 9.00 are left, and the discount has 10.00.
    const [made] = life.openingOf('04-01').notes;
    assert.deepEqual([usd(made!.net), ...amountsOf(made!)], ['9.00', '19.00', '-10.00']);
  });

  it('of all fees of a period are one note', () => {
    const life = lifeWith([fee('49'), fee('10')], { amounts: ['20'] });
    life.go('04-16');
    const lines_of_person = [{ place: 0, amount: 2400n }];
    creditInvoice(life.world, life.openingOf('04-01'), { lines: lines_of_person, to_balance: true });
    life.cancel('now');
    // 59.00 - 20.00 - 24.00 = 15.00 are left: of 29.50 and 10.00 of the discount 4.50 more.
    const [, made] = life.openingOf('04-01').notes;
    assert.deepEqual([usd(made!.net), ...amountsOf(made!)], ['15.00', '24.50', '5.00', '-14.50']);
  });

  it('of usage take more of a discount along', () => {
    const life = lifeWith(ONE, { amounts: ['10'] });
    life.go('04-10');
    life.use(50);
    life.go('05-10');
    const lines_of_person = [{ place: 0, amount: 2500n }];
    creditInvoice(life.world, life.invoiceOf('04-01'), { lines: lines_of_person, to_balance: true });
    life.use(-20, '04-12');
    const next = life.closeNow('05-11');
    // 50.00 - 10.00 - 25.00 = 15.00 are left, and nothing of the discount is too much: 5.00 more than the rule.
    const [, made] = life.invoiceOf('04-01').notes;
    assert.deepEqual([usd(made!.net), ...amountsOf(made!)], ['15.00', '20.00', '-5.00']);
    assert.deepEqual(lines(next), ['usage: 0.00', 'late_usage: 0.00']);
  });
});
