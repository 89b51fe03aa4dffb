import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { addItem, leftItems } from '../model/items.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';
import { fee, lifeWith, lines, ONE } from './period-life.ts';

const T: Pricing = { pricing_model: 'graduated', tiers: TIERS };
const TEN: Pricing = { pricing_model: 'per_unit', unit_amount: '10' };

describe('discounts of an amount in the model of lives', () => {
  it('take off at most what there is, and the rest of the amount from what comes late', () => {
    const life = lifeWith(ONE, { amounts: ['10'] });
    life.go('04-10');
    life.use(7);
    life.go('05-10');
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['usage: 7.00', 'discount: -7.00']);
    life.use(5, '04-12');
    life.go('06-01');
    const may = ['usage: 0.00', 'discount: -3.00', 'late_usage: 5.00'];
    assert.deepEqual(lines(life.invoiceOf('05-01')), may);
  });

  it('are by exact time of a short period', () => {
    const anchored = lifeOn(ONE, { start: at('04-01') });
    anchored.discount({ amount: '10' });
    anchored.go('04-10');
    anchored.change('04-10', aPlan(ONE));
    anchored.use('04-11', 20);
    anchored.go('05-01');
    assert.deepEqual(lines(anchored.invoiceOf('04-10')), ['usage: 20.00', 'discount: -7.00']);
  });

  it('have the full period up to the end that is known, and the quantity 1', () => {
    const life = lifeWith(fee('49'), { amounts: ['10'] });
    life.go('04-02');
    const [, line] = life.openingOf('04-01').lines;
    const { type, period, quantity, charge } = line!;
    assert.deepEqual(period, { start: at('04-01'), end: at('05-01') });
    assert.deepEqual([type, quantity, charge.event_name], ['discount', { n: 1n, d: 1n }, '']);
  });

  it('come off a fee in advance on each invoice', () => {
    const life = lifeWith(fee('49'), { amounts: ['10'] });
    life.go('06-01');
    const invoices = [life.openingOf('04-01'), life.invoiceOf('04-01'), life.invoiceOf('05-01')];
    for (const invoice of invoices) assert.deepEqual(lines(invoice), ['flat: 49.00', 'discount: -10.00']);
  });

  it('are one amount over the parts of a cut period', () => {
    const life = lifeWith(ONE, { amounts: ['25'] });
    life.use(12, '04-01');
    const first = life.closeNow('04-11');
    life.use(12);
    const second = life.closeNow('04-21');
    life.use(30);
    life.go('05-01');
    const all = [first, second, life.invoiceOf('04-21')].map((invoice) => lines(invoice)[1]);
    assert.deepEqual(all, ['discount: -12.00', 'discount: -12.00', 'discount: -1.00']);
  });

  it('come off one after the other, the older one first', () => {
    const life = lifeWith(ONE, { amounts: ['10', '25'] });
    life.go('04-10');
    life.use(20);
    life.go('05-01');
    const april = ['usage: 20.00', 'discount: -10.00', 'discount: -10.00'];
    assert.deepEqual(lines(life.invoiceOf('04-01')), april);
  });

  it('hold on for a full period in which an issued line stands, once they have ended', () => {
    const life = lifeWith(ONE, { amounts: ['10'] });
    life.go('04-10');
    life.use(7);
    life.go('05-10');
    life.endDiscount(life.discounts[0]!, '04-01');
    life.use(5, '04-12');
    life.use(5);
    life.go('06-01');
    const may = ['usage: 5.00', 'discount: -3.00', 'late_usage: 5.00'];
    assert.deepEqual(lines(life.invoiceOf('05-01')), may);
  });

  it('are shown on drafts', () => {
    const life = lifeWith(ONE, {});
    life.go('04-10');
    life.use(20);
    life.go('05-01', true);
    const discount = life.discount({ amount: '10' }, { from: '04-01' });
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['usage: 20.00', 'discount: -10.00']);
    life.endDiscount(discount, '04-01');
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['usage: 20.00']);
  });
});

describe('minimums in the model of lives', () => {
  const WITH_FEE = [fee('50'), TEN];

  /** April with a fee of 50.00 and 3 units at 10.00, billed; usage that comes late of April, and items. */
  function april({ late, item }: { late: number; item?: string }) {
    const life = lifeWith(WITH_FEE, { minimum: '100' });
    life.go('04-10');
    life.use(3);
    life.go('05-10');
    life.use(late, '04-12');
    if (item !== undefined) addItem(life.world, null, { quantity: '1', unit_amount: item });
    // The minimum of May does not matter here: the cut has none.
    const made = life.closeNow('05-11');
    return { life, made };
  }

  it('add what the lines lack, with the fee that was billed in advance', () => {
    const { life } = april({ late: 0 });
    assert.deepEqual(lines(life.openingOf('04-01')), ['flat: 50.00']);
    const closing = ['usage: 30.00', 'flat: 50.00', 'minimum: 20.00'];
    assert.deepEqual(lines(life.invoiceOf('04-01')), closing);
  });

  it('take off again what comes late', () => {
    const { made } = april({ late: 2.5 });
    assert.deepEqual(lines(made), ['usage: 0.00', 'minimum: -20.00', 'late_usage: 25.00']);
  });

  it('leave to an item what they leave', () => {
    const { life, made } = april({ late: 2.5, item: '-25' });
    const expected = ['usage: 0.00', 'minimum: -20.00', 'item: -5.00', 'late_usage: 25.00'];
    assert.deepEqual(lines(made), expected);
    assert.deepEqual(
      leftItems(life.world, life.subscription).map(({ amount }) => usd(amount)),
      ['-20.00'],
    );
  });

  it('add what late usage takes off', () => {
    const { made } = april({ late: -1 });
    assert.deepEqual(lines(made), ['usage: 0.00', 'minimum: 10.00', 'late_usage: -10.00']);
  });

  const SHORT: { what: string; until?: string; change?: boolean; is: string }[] = [
    { what: 'a full period without usage', is: '100.00' },
    { what: 'an end after 11 days', until: '04-12', is: '36.67' },
    { what: 'a change on the 16th', until: '04-16', change: true, is: '50.00' },
  ];
  for (const { what, until, change = false, is } of SHORT)
    it(`are ${is} for ${what}`, () => {
      const life = lifeWith(ONE, { minimum: '100' });
      life.go(until ?? '05-01');
      if (until !== undefined)
        if (change) life.change(until, aPlan(ONE));
        else life.cancel('now');
      assert.deepEqual(lines(life.invoiceOf('04-01')), ['usage: 0.00', `minimum: ${is}`]);
    });

  it('are of the whole period, and not of its parts', () => {
    const life = lifeWith(T, { minimum: '100' });
    life.use(900, '04-01');
    assert.deepEqual(lines(life.closeNow('04-16')), ['usage: 90.00']);
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-16')), ['usage: 0.00', 'minimum: 10.00']);
  });

  it('are of what is left after percents and amounts', () => {
    const billedWith = (off: string | { amount: string }) => {
      const life = lifeWith(ONE, { minimum: '100' });
      life.discount(off);
      life.go('04-10');
      life.use(80);
      life.go('05-01');
      return lines(life.invoiceOf('04-01'));
    };
    assert.deepEqual(billedWith('10'), ['usage: 72.00', 'minimum: 28.00']);
    const expected = ['usage: 80.00', 'discount: -10.00', 'minimum: 30.00'];
    assert.deepEqual(billedWith({ amount: '10' }), expected);
  });

  it('are on no other invoice while the one that closes the period is void', () => {
    const life = lifeWith(ONE, { minimum: '100' });
    life.go('05-10');
    life.void('04-01');
    const [made] = [life.closeNow('05-11')];
    assert.deepEqual(lines(made), ['usage: 0.00', 'minimum: 100.00']);
    assert.equal(made.period.start, at('04-01'));
    life.go('06-01');
    assert.deepEqual(lines(life.invoiceOf('05-11')), ['usage: 0.00', 'minimum: 100.00']);
  });

  it('are on the invoice after a cut at the very end of the period', () => {
    const life = lifeWith(ONE, { minimum: '100' });
    life.use(30, '04-01');
    assert.deepEqual(lines(life.closeNow('04-16')), ['usage: 30.00']);
    life.change('04-16', aPlan(ONE));
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-16')), ['usage: 0.00', 'minimum: 20.00']);
  });
});
