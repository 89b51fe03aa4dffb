import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { takeBack } from '../model/changes.ts';
import { carryOverUntil, expiryOf } from '../model/expiries.ts';
import { regenerateInvoice } from '../model/invoices.ts';
import { aPlan, lifeOn } from './model-life.ts';
import { newWorld, subscribe } from '../model/model.ts';
import type { Passing, PlanGrant } from '../model/world.ts';

const ONES: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };
const THOUSAND: Partial<PlanGrant> = { amount: '1000', prorate: true };
const TAKEN: Partial<Passing> = { take_back_grants: true };

type Life = ReturnType<typeof lifeOn>;

/** The amounts of all grants, by age. */
function amounts({ world }: Pick<Life, 'world'>): number[] {
  return world.grants.map(({ amount: { n, d } }) => Number(n) / Number(d));
}

/** The expiry of a grant, and the end of what is carried over of it. */
function ends(life: Life, place = 0): (string | undefined)[] {
  const grant = life.world.grants[place]!;
  return [expiryOf(grant), carryOverUntil(grant)].map((instant) => instant?.slice(5, 10));
}

/** 1,000 a month from April on, 500 carried over. */
function carrying(grant: Partial<PlanGrant> = {}): Life {
  return lifeOn(ONES, { start: at('04-01'), grants: [{ amount: '1000', carry_over_max: '500', ...grant }] });
}

describe('the share of a grant for a short period, in the model of lives', () => {
  it('is by exact time after a change: 1,000 for the last 15 of 30 days are 500', () => {
    const life = lifeOn(ONES, { start: at('04-01') });
    life.go('04-16');
    life.change('04-16', aPlan(ONES, { grants: [THOUSAND, { amount: '1000' }] }));
    life.go('05-01');
    assert.deepEqual(amounts(life), [500, 1000, 1000, 1000]);
  });

  it('is by exact time with an anchor, rounded down to whole units, and none of 0', () => {
    const world = newWorld({ currency: 'USD', digits: 2, tax_rate: '0', timezone: 'UTC' }, at('01-01'));
    const grants = [THOUSAND, { amount: '12', prorate: true }, { amount: '2.5', prorate: true }];
    const dates = { start: at('01-01'), trial_end: null, anchor: at('01-08') };
    subscribe(world, aPlan(ONES, { grants }), dates);
    // 7 of 31 days: 225.8, 2.7 and 0.56.
    assert.deepEqual(amounts({ world }), [225, 2]);
  });

  it('is the most that is carried over', () => {
    const life = lifeOn(ONES, { start: at('04-01') });
    life.go('04-16');
    const grants = [
      { ...THOUSAND, carry_over_max: '600' },
      { amount: '1000', carry_over_max: '600' },
    ];
    life.change('04-16', aPlan(ONES, { grants }));
    life.go('05-01');
    const most = life.world.grants.map(({ carry_over_max }) => Number(carry_over_max!.n));
    assert.deepEqual(most, [500, 600, 600, 600]);
  });

  it('is the whole after a restart, and of a period that is to end early', () => {
    const life = lifeOn(ONES, { start: at('04-01') });
    life.go('04-16');
    life.cancel('05-01');
    life.change('04-16', aPlan(ONES, { grants: [THOUSAND] }), 'balance', { cycle: 'restart' });
    assert.deepEqual(amounts(life), [1000]);
    const other = lifeOn(ONES, { start: at('04-01'), grants: [THOUSAND] });
    other.go('04-16');
    other.change('04-21', aPlan(ONES));
    other.go('05-01');
    assert.deepEqual(amounts(other), [1000]);
  });
});

describe('grants that a change takes back, in the model of lives', () => {
  it('cover nothing from the change on by carry-over, and usage until then, late too', () => {
    const life = carrying();
    life.go('04-16');
    life.use('04-10', 100);
    life.change('04-16', aPlan(ONES), 'balance', TAKEN);
    life.use('04-20', 7);
    life.use('04-11', 5);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['100 units, 100 credits: 0.00']);
    assert.deepEqual(life.says('04-16'), ['7 units, 0 credits: 7.00', '5 units, 5 credits: 0.00']);
    assert.deepEqual(ends(life), ['04-16', '04-16']);
    const made = regenerateInvoice(life.world, life.invoiceOf('04-16'))!;
    assert.deepEqual(life.says(made), life.says('04-16'));
  });

  it('cover nothing from the change on by days', () => {
    const life = carrying({ carry_over_max: null, expires: { days: 40 } });
    life.go('04-10');
    assert.deepEqual(ends(life), ['05-11', undefined]);
    life.change('04-16', aPlan(ONES), 'balance', TAKEN);
    assert.deepEqual(ends(life), ['04-16', undefined]);
    life.go('04-20');
    life.use('04-17', 7);
    life.go('05-01');
    assert.deepEqual(life.says('04-16'), ['7 units, 0 credits: 7.00']);
  });

  it('stay where they are without it', () => {
    const life = carrying();
    life.go('04-16');
    life.change('04-16', aPlan(ONES));
    life.use('04-20', 7);
    life.go('05-01');
    assert.deepEqual(life.says('04-16'), ['7 units, 7 credits: 0.00']);
  });

  it('are taken back at the boundary too, and not by a change that is moved or taken back', () => {
    const life = carrying();
    life.go('04-10');
    life.change('05-01', aPlan(ONES), 'balance', TAKEN);
    assert.deepEqual(ends(life), ['05-01', '05-01']);
    life.change('04-21', aPlan(ONES), 'balance', TAKEN);
    assert.deepEqual(ends(life), ['04-21', '04-21']);
    takeBack(life.world, life.subscription);
    assert.deepEqual(ends(life), ['05-01', undefined]);
    life.change('05-01', aPlan(ONES), 'balance', TAKEN);
    life.go('05-05');
    life.use('05-02', 3);
    life.go('06-01');
    assert.deepEqual(life.says('05-01'), ['3 units, 0 credits: 3.00']);
  });

  it('are not given again by another plan at the instant of a change that has come', () => {
    const life = carrying();
    life.go('04-16');
    life.change('04-16', aPlan(ONES), 'balance', TAKEN);
    life.change('04-16', aPlan(ONES));
    assert.deepEqual(ends(life), ['04-16', '04-16']);
    life.use('04-20', 7);
    life.go('05-01');
    assert.deepEqual(life.says('04-16'), ['7 units, 0 credits: 7.00']);
    const other = carrying();
    other.go('04-10');
    other.change('04-16', aPlan(ONES), 'balance', TAKEN);
    other.change('04-16', aPlan(ONES));
    assert.deepEqual(ends(other), ['04-16', undefined]);
  });

  it('are 700 of 1,000, and 200 for some days, by the figures of the rules', () => {
    const cents: Pricing = { pricing_model: 'per_unit', unit_amount: '0.01' };
    const grants = [{ carry_over_max: '500' }, { amount: '200', expires: { days: 45 } }];
    const life = lifeOn(cents, { start: at('04-01'), grants });
    life.use('04-10', 300);
    life.go('04-16');
    life.change('04-16', aPlan(cents), 'balance', TAKEN);
    life.use('04-20', 700);
    life.use('04-12', 950);
    life.go('05-01');
    const both = ['700 units, 0 credits: 7.00', '950 units, 900 credits: 0.50'];
    assert.deepEqual(life.says('04-16'), both);
  });

  it('are those of the period that ends with the change alone', () => {
    const life = carrying({ carry_over_max: null, expires: { days: 60 } });
    life.go('05-10');
    life.change('05-16', aPlan(ONES), 'balance', TAKEN);
    assert.deepEqual([ends(life, 0)[0], ends(life, 1)[0]], ['05-31', '05-16']);
  });
});
