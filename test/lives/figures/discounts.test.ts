import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { issue, regenerateInvoice } from '../model/invoices.ts';
import { storeEvents, subscribe } from '../model/model.ts';
import { payInvoice } from '../model/owed.ts';
import { aPlan, lifeOn } from './model-life.ts';

const T: Pricing = { pricing_model: 'graduated', tiers: TIERS };
const ONE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

function fee(flat_amount: string, billed: 'in_advance' | 'in_arrears' = 'in_advance'): Pricing {
  return { pricing_model: 'flat', flat_amount, billed };
}

function percentage(bounds: { minimum_amount: string | null; maximum_amount: string | null }): Pricing {
  return { pricing_model: 'percentage', rate: '2.5', ...bounds };
}

/** A life from the first of April with a discount of 10 percent that was made before. */
function discounted(pricing: Pricing | readonly Pricing[], percents: readonly string[] = ['10']) {
  const life = lifeOn(pricing, { start: at('04-01') });
  const discounts = percents.map((percent) => life.discount(percent));
  return { life, discount: discounts[0]! };
}

/** A life as above, with usage in April that is billed. */
function billed(pricing: Pricing, u: number, percents: readonly string[] = ['10']) {
  const made = discounted(pricing, percents);
  made.life.go('04-10');
  made.life.use('04-10', u);
  made.life.go('05-02');
  return made;
}

describe('percents in the model of lives', () => {
  const FIGURES: { pricing: Pricing; u: number; percents?: string[]; is: string; usage: string }[] = [
    { usage: '900 on T', pricing: T, u: 900, is: '81.00 (90.00)' },
    {
      usage: '1,001 on T by volume',
      ...{ pricing: { pricing_model: 'volume', tiers: TIERS }, u: 1001, is: '49.55 (55.05)' },
    },
    {
      usage: 'a percentage charge above its maximum',
      ...{ pricing: percentage({ minimum_amount: null, maximum_amount: '90' }), u: 10_000 },
      is: '81.00 (90.00)',
    },
    {
      usage: 'a percentage charge below its minimum',
      ...{ pricing: percentage({ minimum_amount: '10', maximum_amount: null }), u: 100 },
      is: '9.00 (10.00)',
    },
    { usage: '10 and 20 percent', pricing: T, u: 900, percents: ['10', '20'], is: '64.80 (90.00)' },
    { usage: '100 percent', pricing: T, u: 900, percents: ['100'], is: '0.00 (90.00)' },
  ];
  for (const { usage, pricing, u, percents, is } of FIGURES)
    it(`${usage}: ${is}`, () => {
      const { life } = billed(pricing, u, percents);
      assert.deepEqual(life.prices('04-01'), [is]);
    });

  it('credit comes off before', () => {
    const { life } = discounted(T);
    const grant = life.grant('100');
    life.go('04-10');
    life.use('04-10', 900);
    life.go('05-01');
    assert.deepEqual(life.prices('04-01'), ['72.00 (80.00)']);
    assert.deepEqual(life.left(grant), ['0']);
  });

  it('units at 100 percent off draw credit too', () => {
    const { life } = discounted(ONE, ['100']);
    const grant = life.grant('10');
    life.go('04-10');
    life.use('04-10', 7);
    life.go('05-01');
    assert.deepEqual(life.prices('04-01'), ['0.00 (0.00)']);
    assert.deepEqual(life.left(grant), ['3']);
  });

  it('of late usage are the percents of its period, also once the discount has ended', () => {
    const { life, discount } = billed(T, 900);
    life.endDiscount(discount, '04-01');
    life.use('04-20', 300);
    life.go('06-01');
    assert.deepEqual(life.prices('05-01'), ['0.00', '22.50 (25.00)']);
  });

  it('of a second part are the percents of the first one', () => {
    const { life } = discounted(T);
    life.go('04-05');
    life.use('04-05', 900);
    assert.deepEqual(life.prices(life.closeNow('04-12')), ['81.00 (90.00)']);
    life.use('04-12', 300);
    life.go('05-01');
    assert.deepEqual(life.prices('04-12'), ['22.50 (25.00)']);
  });

  it('of a fee in advance are a part of its worth, also after an end', () => {
    const life = lifeOn(fee('199'), { start: at('06-01') });
    life.discount('10');
    life.go('06-02');
    payInvoice(life.world, life.openingOf('06-01'));
    assert.deepEqual(life.prices(life.openingOf('06-01')), ['179.10 (199.00)']);
    life.go('06-16');
    life.cancel('now');
    const note = 'Unused time from 16 to 30 June: 89.55, 89.55 to the balance';
    assert.deepEqual(life.notes(life.openingOf('06-01')), [note]);
  });

  it('of a flat amount in arrears are in each part, of which none is rounded twice', () => {
    const { life } = discounted(fee('10', 'in_arrears'));
    const parts = ['04-11', '04-21'].map(life.closeNow);
    life.go('05-01');
    const prices = [...parts, life.invoiceOf('04-21')].flatMap(life.prices);
    assert.deepEqual(prices, ['3.00 (3.33)', '3.00 (3.34)', '3.00 (3.33)']);
  });

  it('are none where the discount ends before the period, at its start', () => {
    const { life, discount } = discounted(T);
    life.endDiscount(discount, '04-01');
    life.go('04-10');
    life.use('04-10', 900);
    life.go('05-01');
    assert.deepEqual(life.prices('04-01'), ['90.00']);
  });

  for (const { late, is } of [
    { late: 0, is: '90.00' },
    { late: 300, is: '81.00 (90.00)' },
  ])
    it(`of a void invoice count no more, unless ${late} late units stand: ${is}`, () => {
      const { life, discount } = billed(T, 900);
      if (late > 0) life.use('04-20', late);
      life.go('06-01');
      life.void('04-01');
      life.endDiscount(discount, '04-01');
      assert.deepEqual(life.generate().flatMap(life.prices), [is]);
    });
});

describe('full periods of a discount in the model of lives', () => {
  const NOTHING = '10.00';
  const OFF = '9.00 (10.00)';
  const TABLE: { from: string; until?: string; ended?: string; are: string[] }[] = [
    { from: '04-16', are: [NOTHING, OFF, OFF, OFF] },
    { from: '04-16', until: '04-17', are: [NOTHING, OFF, NOTHING, NOTHING] },
    { from: '05-01', until: '06-01', are: [NOTHING, NOTHING, OFF, NOTHING] },
    { from: '04-16', until: '05-16', are: [NOTHING, OFF, OFF, NOTHING] },
    { from: '02-16', ended: '04-20', are: [OFF, OFF, NOTHING, NOTHING] },
    { from: '04-16', ended: '04-16', are: [NOTHING, NOTHING, NOTHING, NOTHING] },
  ];
  for (const { are, ended, ...times } of TABLE)
    it(`${JSON.stringify({ ...times, ended })}: ${are.join(', ')}`, () => {
      const life = lifeOn(fee('10', 'in_arrears'), { start: at('03-01') });
      const discount = life.discount('10', times);
      if (ended !== undefined) life.endDiscount(discount, ended);
      life.go('07-01');
      assert.deepEqual(['03-01', '04-01', '05-01', '06-01'].flatMap(life.prices), are);
    });

  it('end with a change of plan that is known, and the new plan has percents of its own', () => {
    const life = lifeOn([fee('30', 'in_arrears'), fee('60')], { start: at('04-01') });
    life.go('04-10');
    life.discount('10', { from: '04-20' });
    life.change('04-16', aPlan(fee('10', 'in_arrears')));
    life.go('05-01');
    assert.deepEqual(life.prices('04-01'), ['15.00']);
    assert.deepEqual(life.prices('04-16'), ['4.50 (5.00)']);
  });

  it('of a fee in advance begin before the end of the time that it bills', () => {
    const life = lifeOn(fee('60'), { start: at('04-01') });
    life.go('04-10');
    life.discount('10', { from: '05-16' });
    life.change('05-16', aPlan(ONE));
    life.go('05-01');
    assert.deepEqual(life.prices('04-01'), ['29.03']);
  });

  it('are periods of one subscription, and of some event names', () => {
    const life = lifeOn([ONE, fee('10', 'in_arrears')], { start: at('04-01') });
    const dates = { start: at('04-01'), trial_end: null, anchor: null };
    const other = subscribe(life.world, aPlan(fee('10', 'in_arrears')), dates);
    const [, charge] = life.subscription.first_plan.charges;
    Object.assign(charge!, { event_name: 'fee' });
    life.discount('50', { subscription: life.subscription, event_names: ['fee'] });
    life.discount('20', { subscription: other });
    life.go('04-10');
    life.use('04-10', 8);
    life.go('05-01');
    const all = life.world.invoices.map(life.prices);
    assert.deepEqual(all, [['8.00', '5.00 (10.00)'], ['8.00 (10.00)']]);
  });
});

describe('percents of a charge and full period in the model of lives', () => {
  it('are on the next invoice, and not on what was billed', () => {
    const life = lifeOn([ONE, fee('100')], { start: at('04-01') });
    life.go('04-16');
    life.use('04-10', 50);
    life.discount('10');
    life.go('05-01');
    assert.deepEqual(life.prices(life.openingOf('04-01')), ['100.00']);
    assert.deepEqual(life.prices('04-01'), ['45.00 (50.00)', '90.00 (100.00)']);
  });

  it('are none in a second part where the first one has none, but for a charge without a line in it', () => {
    const life = lifeOn([T, ONE], { start: at('04-01') });
    const [, charge] = life.subscription.first_plan.charges;
    const division = { prices: null, group_by: ['region'], parts: [] };
    Object.assign(charge!, { event_name: 'call', division });
    life.go('04-05');
    life.use('04-05', 900);
    assert.deepEqual(life.prices(life.closeNow('04-12')), ['90.00']);
    life.discount('10');
    life.use('04-12', 300);
    const properties = { u: 10, region: 'eu' };
    storeEvents(life.world, [{ event_name: 'call', timestamp: at('04-12'), properties }]);
    life.go('05-01');
    assert.deepEqual(life.prices('04-12'), ['25.00', '9.00 (10.00)']);
  });

  it('of a discount that was forgotten are on the invoice once it is regenerated', () => {
    const life = lifeOn(T, { start: at('04-01') });
    life.go('04-10');
    life.use('04-10', 900);
    life.go('05-10');
    life.discount('10', { from: '04-01', until: '05-01' });
    const made = regenerateInvoice(life.world, life.invoiceOf('04-01'))!;
    assert.deepEqual(life.prices(made), ['81.00 (90.00)']);
    life.go('06-01');
    assert.deepEqual(life.prices('05-01'), ['0.00']);
  });

  it('are shown by a draft, which decides nothing', () => {
    const life = lifeOn(T, { start: at('04-01') });
    life.go('04-10');
    life.use('04-10', 900);
    life.go('05-01', true);
    assert.deepEqual(life.prices('04-01'), ['90.00']);
    const discount = life.discount('10', { from: '04-01' });
    assert.deepEqual(life.prices('04-01'), ['81.00 (90.00)']);
    life.endDiscount(discount, '04-01');
    assert.deepEqual(life.prices('04-01'), ['90.00']);
    issue(life.world, life.invoiceOf('04-01'));
    assert.deepEqual(life.prices('04-01'), ['90.00']);
  });
});

describe('the amount before percents in the model of lives', () => {
  it('of a line with automatic notes is what they leave of it', () => {
    const { life } = billed(ONE, 50);
    payInvoice(life.world, life.invoiceOf('04-01'));
    life.use('04-11', -30);
    assert.deepEqual(life.prices(life.closeNow('05-05')), ['0.00 (0.00)', '0.00 (0.00)']);
    assert.deepEqual(life.notes('04-01'), ['Usage of April corrected: 27.00, 27.00 to the balance']);
    life.use('04-12', 5);
    life.go('06-01');
    assert.deepEqual(life.prices('05-05'), ['0.00 (0.00)', '4.50 (5.00)']);
  });

  it('of a fee is its worth less that of its other lines, also beside a note', () => {
    const life = lifeOn(fee('199'), { start: at('04-01') });
    life.discount('10');
    life.go('04-20');
    life.change('05-16', aPlan(ONE));
    life.go('05-10');
    // 15 of 31 days: 96.29 before percents, 86.66 after them.
    assert.deepEqual(life.prices('04-01'), ['86.66 (96.29)']);
    life.change('05-20', aPlan(ONE));
    life.go('05-20');
    // 19 of 31 days: 121.97 before percents, 109.77 after them.
    assert.deepEqual(life.prices('05-01'), ['23.11 (25.68)']);
  });
});
