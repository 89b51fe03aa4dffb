import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { subscribe } from '../model/model.ts';
import { recurringMonths } from '../model/recurring.ts';
import type { Plan, World } from '../model/world.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';

const FEE: Pricing = { pricing_model: 'flat', flat_amount: '49' };
const MORE: Pricing = { pricing_model: 'flat', flat_amount: '199' };
const USAGE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

/** The recurring revenue of each month of a life, without the year and the month to come. */
function recurring(world: World): string[] {
  const months = recurringMonths(world).slice(0, -1);
  return months.map(({ month, before, after, type }) => {
    const moved = type === null ? '' : `, ${type} ${usd(after - before)}`;
    return `${month.slice(5)}: ${usd(after)}${moved}`;
  });
}

/** contract.md 4. */
describe('recurring revenue in the model of lives', () => {
  it('expands by 150.00 where a fee of 49.00 becomes 199.00 on 16 April, once that has come', () => {
    const life = lifeOn([FEE, USAGE], { start: at('03-01') });
    life.go('04-10');
    life.change('04-16', aPlan(MORE));
    assert.deepEqual(recurring(life.world), ['03: 49.00, new 49.00', '04: 49.00']);
    life.go('05-02');
    const months = ['03: 49.00, new 49.00', '04: 199.00, expansion 150.00', '05: 199.00'];
    assert.deepEqual(recurring(life.world), months);
    life.change('05-02', aPlan(FEE));
    assert.equal(recurring(life.world)[2], '05: 49.00, contraction -150.00');
  });

  it('is a twelfth of a year, a part of months, and of weeks and days that of a year of 365 days', () => {
    const CASES: [amount: string, periods: Partial<Plan>, a_month: string][] = [
      ['1200', { interval: 'year' }, '100.00'],
      ['10', { interval: 'week' }, '43.45'],
      ['100', { interval_count: 3 }, '33.33'],
      ['1', { interval: 'day' }, '30.42'],
      ['0.004', { interval: 'day' }, '0.00'],
    ];
    for (const [flat_amount, periods, a_month] of CASES) {
      const life = lifeOn(USAGE);
      const start = at('01-01');
      const plan = aPlan({ pricing_model: 'flat', flat_amount }, periods);
      subscribe(life.world, plan, { start, trial_end: null, anchor: null });
      assert.equal(recurring(life.world)[0]!.slice(4).split(',')[0], a_month);
    }
  });

  it('begins after the trial, and no usage counts', () => {
    const life = lifeOn([FEE, USAGE], { trial_end: at('02-10') });
    life.go('02-09');
    assert.deepEqual(recurring(life.world), ['02: 0.00']);
    life.go('03-01');
    assert.deepEqual(recurring(life.world), ['02: 49.00, new 49.00', '03: 49.00']);
  });

  it('churns with a plan without a fee, and is back with one', () => {
    const life = lifeOn(FEE, { start: at('04-01') });
    life.go('05-10');
    life.change('05-10', aPlan(USAGE));
    life.go('07-10');
    life.change('07-10', aPlan(FEE));
    const back = ['05: 0.00, churn -49.00', '06: 0.00', '07: 49.00, reactivation 49.00'];
    assert.deepEqual(recurring(life.world), ['04: 49.00, new 49.00', ...back]);
  });

  it('does not move by an end and a new beginning within a month, but by an end in the past', () => {
    const life = lifeOn(FEE, { start: at('02-01') });
    life.go('03-20');
    life.cancel('03-05');
    const start = at('03-18');
    const ended = ['02: 49.00, new 49.00', '03: 0.00, churn -49.00'];
    assert.deepEqual(recurring(life.world), ended);
    subscribe(life.world, aPlan(FEE), { start, trial_end: null, anchor: null });
    assert.deepEqual(recurring(life.world), ['02: 49.00, new 49.00', '03: 49.00']);
  });

  it('is that of the last instant of a month', () => {
    const life = lifeOn(FEE, { start: at('02-01') });
    life.cancel('04-01');
    life.go('04-02');
    const ended = ['02: 49.00, new 49.00', '03: 49.00', '04: 0.00, churn -49.00'];
    assert.deepEqual(recurring(life.world), ended);
  });
});
