import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { takeBack } from '../model/changes.ts';
import { regenerateInvoice, voidInvoice } from '../model/invoices.ts';
import { generate } from '../model/generation.ts';
import { changePlan } from '../model/model.ts';
import { NO_PASSING } from '../model/passing.ts';
import { quantityAt } from '../model/quantities.ts';
import { refusalsOfQuantities, setQuantities, takeBackQuantities } from '../model/quantity-requests.ts';
import { recurringMonths } from '../model/recurring.ts';
import type { Invoice, Plan, Settle } from '../model/world.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';

function seat(flat_amount: string, billed: 'in_advance' | 'in_arrears' = 'in_advance'): Pricing {
  return { pricing_model: 'flat', flat_amount, billed };
}
const ARREARS = seat('8', 'in_arrears');
const ADVANCE = seat('8');

type Terms = { settle?: Settle; bill?: 'with_next' | 'now' };

/** A life from the first of April with a number of seats. */
function seatsOn(pricing: Pricing, seats = '10') {
  const life = lifeOn(pricing, { start: at('04-01'), seats });
  const { world, subscription } = life;
  const set = (date: string, seat: string, { settle = 'balance', bill = 'with_next' }: Terms = {}) => {
    const request = { quantities: { seat }, at: at(date), settle, bill };
    const refusals = refusalsOfQuantities(world, subscription, request);
    if (refusals.length === 0) setQuantities(world, subscription, request);
    return refusals;
  };
  const numbered = (number: number): Invoice[] =>
    world.invoices.filter(({ period }) => period.kind === 'opening' && period.number === number);
  return { ...life, set, numbered };
}

/** The amounts of the lines of an invoice. */
function amounts(invoice: Invoice | undefined): string[] | undefined {
  return invoice?.lines.map(({ amount }) => usd(amount));
}

/** Days, quantity and amount of each stretch of the lines, and what was billed before. */
function stretches({ lines }: Invoice): string[] {
  return lines.map(({ stretches: all, billed_before }) => {
    const each = all!.map(
      ({ start, quantity, amount }) => `${quantity} from ${start.slice(5, 10)}: ${usd(amount)}`,
    );
    return `${each.join(', ')}; before ${usd(billed_before!)}`;
  });
}

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

describe('quantities of an instant in the model of lives', () => {
  it('are refused where nothing differs, before the open period, after the end, and of another name', () => {
    const life = seatsOn(ADVANCE);
    life.go('05-10');
    assert.deepEqual(life.set('05-16', '10.0'), ['invalid_state']);
    assert.deepEqual(life.set('04-20', '5'), ['invalid_state']);
    life.cancel('05-20');
    assert.deepEqual(life.set('05-20', '5'), ['invalid_state']);
    const other = { quantities: { site: '2' }, at: at('05-12'), settle: 'balance', bill: 'now' } as const;
    assert.deepEqual(refusalsOfQuantities(life.world, life.subscription, other), ['not_allowed']);
  });

  it('before billing begins are those of the beginning', () => {
    const life = lifeOn(ADVANCE, { start: at('04-01'), seats: '10', trial_end: at('04-11') });
    life.go('04-05');
    const request = {
      quantities: { seat: '3' },
      at: at('04-08'),
      settle: 'balance',
      bill: 'with_next',
    } as const;
    setQuantities(life.world, life.subscription, request);
    assert.equal(quantityAt(life.subscription, 'seat', life.world.now), '3');
    life.go('04-11');
    assert.deepEqual(amounts(life.openingOf('04-11')), ['24.00']);
  });

  it('are dropped by an end, and sent and taken back with a change of plan', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('04-20', '12');
    life.cancel('04-20');
    life.takeBackEnd();
    assert.equal(quantityAt(life.subscription, 'seat', at('04-25')), '10');
    const plan: Plan = aPlan(seat('9'), { seats: true });
    const change = {
      ...NO_PASSING,
      at: at('04-25'),
      plan,
      settle: 'balance',
      quantities: { seat: '20' },
    } as const;
    changePlan(life.world, life.subscription, change);
    assert.equal(quantityAt(life.subscription, 'seat', at('04-25')), '20');
    takeBack(life.world, life.subscription);
    assert.equal(quantityAt(life.subscription, 'seat', at('04-25')), '10');
  });

  it('recur with the plan', () => {
    const life = seatsOn(ADVANCE);
    life.go('04-10');
    life.set('05-01', '5');
    life.go('05-10');
    const all = recurringMonths(life.world).map(({ month, after }) => `${month.slice(5)}: ${usd(after)}`);
    assert.deepEqual(all.slice(0, 2), ['04: 80.00', '05: 40.00']);
  });
});
