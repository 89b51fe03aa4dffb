import assert from 'node:assert/strict';
import { at } from '../../support/ledger/test-customer.ts';
import { regenerateInvoice, voidInvoice } from '../model/invoices.ts';
import { generate } from '../model/generation.ts';
import { takeBackQuantities } from '../model/quantity-requests.ts';
import { aPlan } from './model-life.ts';
import { ADVANCE, amounts, ARREARS, seat, seatsOn, stretches } from './seats-life.ts';

describe('quantities of flat amounts in arrears in the model of lives', () => {
  it('are by exact time', () => {
    const life = seatsOn(ARREARS);
    life.go('04-10');
    life.set('04-16', '15');
    life.go('05-01');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['100.00']);
    const both = '10 from 04-01: 40.00, 15 from 04-16: 60.00; before 0.00';
    assert.deepEqual(stretches(life.invoiceOf('04-01')), [both]);
  });

  it('are in each part', () => {
    const life = seatsOn(ARREARS);
    life.set('04-16', '15');
    const first = life.closeNow('04-21');
    life.go('05-01');
    assert.deepEqual([first, life.invoiceOf('04-21')].flatMap(amounts), ['60.00', '40.00']);
    const both = '10 from 04-01: 40.00, 15 from 04-16: 60.00; before 60.00';
    assert.deepEqual(stretches(life.invoiceOf('04-21')), [both]);
  });

  it('go over to the next plan', () => {
    const life = seatsOn(ARREARS);
    life.go('04-16');
    life.change('04-16', aPlan(seat('12', 'in_arrears'), { seats: true }));
    life.go('05-01');
    assert.deepEqual(['04-01', '04-16'].map(life.invoiceOf).flatMap(amounts), ['40.00', '60.00']);
  });

  it('have percents', () => {
    const life = seatsOn(ARREARS);
    life.discount('10');
    life.set('04-16', '15');
    life.go('05-01');
    assert.deepEqual(life.prices('04-01'), ['90.00 (100.00)']);
    const both = '10 from 04-01: 36.00, 15 from 04-16: 54.00; before 0.00';
    assert.deepEqual(stretches(life.invoiceOf('04-01')), [both]);
  });

  it('are rounded once', () => {
    const life = seatsOn(seat('10', 'in_arrears'), '1');
    life.set('04-11', '2');
    life.set('04-21', '1');
    life.go('05-01');
    const all = '1 from 04-01: 3.33, 2 from 04-11: 6.67, 1 from 04-21: 3.33; before 0.00';
    assert.deepEqual(stretches(life.invoiceOf('04-01')), [all]);
  });
});

describe('more of a fee in advance in the model of lives', () => {
  it('is on the invoice that closes the period', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    assert.deepEqual(amounts(life.openingOf('04-01')), ['80.00']);
    life.set('04-16', '15');
    life.go('05-01');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['120.00', '20.00']);
    const both = '10 from 04-01: 40.00, 15 from 04-16: 60.00; before 80.00';
    assert.equal(stretches(life.invoiceOf('04-01'))[1], both);
  });

  it('is on a further opening as the instant comes', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('04-16', '15', { bill: 'now' });
    life.go('04-16');
    assert.deepEqual(life.numbered(2).map(amounts), [['20.00']]);
    assert.deepEqual(life.numbered(2)[0]!.says, { start: at('04-01'), end: at('05-01') });
    life.go('05-01');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['120.00']);
  });

  it('is on a further opening that is made again, or on the closing invoice', () => {
    const voided = () => {
      const life = seatsOn(ADVANCE);
      life.go('04-20');
      life.set('04-16', '15', { bill: 'now' });
      assert.ok(voidInvoice(life.world, life.numbered(2)[0]!));
      return life;
    };
    const again = voided();
    assert.deepEqual(again.generate().map(amounts), [['20.00']]);
    assert.equal(again.numbered(2).length, 2);
    const later = voided();
    later.go('05-01');
    assert.deepEqual(amounts(later.invoiceOf('04-01')), ['120.00', '20.00']);
    assert.deepEqual(generate(later.world, later.subscription, false), []);
  });

  it('makes a further opening again, but not once nothing is lacking', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-20');
    life.set('04-16', '15', { bill: 'now' });
    const made = regenerateInvoice(life.world, life.numbered(2)[0]!);
    assert.deepEqual(amounts(made!), ['20.00']);
    life.set('04-16', '10');
    assert.equal(regenerateInvoice(life.world, made!), null);
  });

  it('is on the home while that is a draft', () => {
    const life = seatsOn(ADVANCE);
    life.go('05-01', true);
    life.set('05-01', '15', { bill: 'now' });
    assert.equal(life.numbered(2).length, 0);
    life.go('05-02');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['120.00']);
  });

  it('that is scheduled is on the home', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('05-16', '5');
    life.go('05-01');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['59.35']);
  });
});

describe('less of a fee in advance in the model of lives', () => {
  const noteOf = (life: ReturnType<typeof seatsOn>, invoice = life.openingOf('04-01')) => life.notes(invoice);

  it('is a note as the instant comes', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('04-16', '5');
    life.go('05-01');
    const note = 'Lower quantity from 16 to 30 April: 20.00, 20.00 due less';
    assert.deepEqual(noteOf(life), [note]);
    assert.equal(life.openingOf('04-01').notes[0]!.issued_at, at('04-16'));
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['40.00']);
  });

  it('stays paid with settle none, beside a later higher quantity too', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-16');
    life.set('04-16', '5', { settle: 'none' });
    assert.deepEqual(noteOf(life), []);
    life.go('04-21');
    const more = seatsOn(ADVANCE);
    more.go('04-21');
    more.set('04-16', '5', { settle: 'none' });
    more.set('04-21', '12');
    for (const one of [life, more]) one.go('05-01');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['40.00']);
    assert.deepEqual(amounts(more.invoiceOf('04-01')), ['96.00', '5.33']);
  });

  it('is credited at an end by what was worth', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('04-16', '15');
    life.go('04-21');
    life.cancel('now');
    assert.deepEqual(noteOf(life), ['Unused time from 21 to 30 April: 20.00, 20.00 due less']);
  });

  it('is credited instant by instant', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('04-16', '5');
    life.set('04-21', '3');
    life.go('04-20');
    const first = 'Lower quantity from 16 to 30 April: 20.00, 20.00 due less';
    assert.deepEqual(noteOf(life), [first]);
    life.go('04-21');
    assert.deepEqual(noteOf(life), [first, 'Lower quantity from 21 to 30 April: 5.33, 5.33 due less']);
  });

  it('is credited on the invoice that was issued last', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-16');
    life.set('04-16', '15', { bill: 'now' });
    life.go('04-21');
    life.set('04-21', '10');
    const note = 'Lower quantity from 21 to 30 April: 13.33, 13.33 due less';
    assert.deepEqual(noteOf(life, life.numbered(2)[0]!), [note]);
  });

  it('with settle none credits a higher one that it replaces', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-16');
    life.set('04-16', '15', { bill: 'now' });
    life.set('04-16', '5', { settle: 'none' });
    const note = 'Quantity of April corrected: 20.00, 20.00 due less';
    assert.deepEqual(noteOf(life, life.numbered(2)[0]!), [note]);
    life.go('05-01');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['40.00']);
  });

  it('is credited at the start of a period, whatever its settle', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-01');
    life.set('04-01', '5', { settle: 'none' });
    assert.deepEqual(noteOf(life), ['Lower quantity from 1 to 30 April: 40.00, 40.00 due less']);
  });

  it('that is known before is not billed and credited again', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('04-16', '15', { bill: 'now' });
    life.set('04-21', '10');
    life.go('05-01');
    assert.deepEqual(life.numbered(2).map(amounts), [['6.67']]);
    assert.deepEqual([...noteOf(life), ...life.numbered(2).flatMap(life.notes)], []);
  });

  it('of a higher one that was billed ahead and is taken back is credited at once', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('05-16', '15');
    life.go('05-05');
    assert.deepEqual(amounts(life.invoiceOf('04-01')), ['100.65']);
    assert.ok(takeBackQuantities(life.world, life.subscription, at('05-16')));
    const note = 'Quantity of May corrected: 20.65, 20.65 due less';
    assert.deepEqual(life.notes('04-01'), [note]);
    assert.ok(!takeBackQuantities(life.world, life.subscription, at('05-16')));
  });
});
