import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { aPlan, lifeOn } from './model-life.ts';
import { shownPeriod } from '../model/periods.ts';

const USAGE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };
const FEE: Pricing = { pricing_model: 'flat', flat_amount: '31', billed: 'in_advance' };

function span(start: string, end: string): string {
  return `${at(start)} to ${at(end)}`;
}

describe('a trial in the model of lives', () => {
  it('is extended: billing begins at its new end, which is the anchor', () => {
    const life = lifeOn(USAGE, { trial_end: at('01-08') });
    life.go('01-05');
    assert.equal(life.trial('01-10'), null);
    life.use('01-09', 3);
    life.go('02-10');
    assert.deepEqual(life.billed(), [span('01-10', '02-10')]);
    assert.deepEqual(life.says('01-10'), ['0 units, 0 credits: 0.00']);
  });

  it('ends now: the first period is open at once, and its fees are billed', () => {
    const life = lifeOn(FEE, { trial_end: at('01-08') });
    life.go('01-05');
    assert.equal(life.trial('now'), null);
    assert.deepEqual(life.current(), { start: at('01-05'), end: at('02-05') });
    assert.deepEqual(life.says(life.openingOf('01-05')), ['1 units, 0 credits: 31.00']);
    assert.equal(life.trial('01-20'), 'invalid_state');
  });

  it('has some time: at the very start it does not end now', () => {
    const life = lifeOn(USAGE, { trial_end: at('01-08') });
    assert.equal(life.trial('now'), 'out_of_order');
  });

  it('is added before the start, and `now` is refused there', () => {
    const life = lifeOn(USAGE, { start: at('01-10') });
    life.go('01-05');
    assert.equal(life.trial('now'), 'invalid_state');
    assert.equal(life.trial('01-10'), 'out_of_order');
    assert.equal(life.trial('01-12'), null);
    life.go('01-11');
    assert.equal(life.trial('01-10T12:00'), 'out_of_range');
    assert.deepEqual(life.current(), { start: at('01-10'), end: at('01-12') });
  });

  it('is shown up to an end that comes before, and whole before a change of plan', () => {
    const life = lifeOn(USAGE, { start: at('01-05'), trial_end: at('01-08') });
    life.change('01-06', aPlan(USAGE, { interval: 'week' }));
    const shown = () => shownPeriod(life.subscription, life.world.now);
    assert.deepEqual(shown(), { start: at('01-05'), end: at('01-08') });
    life.cancel('01-07');
    assert.deepEqual(shown(), { start: at('01-05'), end: at('01-07') });
  });

  it('that ends before a scheduled end bills up to it, and one that ends after it bills nothing', () => {
    const life = lifeOn(USAGE, { trial_end: at('01-08') });
    life.cancel('01-07');
    life.trial('01-05');
    life.go('01-06');
    assert.deepEqual(life.current(), { start: at('01-05'), end: at('02-05') });
    life.go('01-07');
    assert.deepEqual(life.billed(), [span('01-05', '01-07')]);
    const other = lifeOn(USAGE, { trial_end: at('01-08') });
    other.cancel('01-10');
    other.trial('01-12');
    other.go('03-01');
    assert.deepEqual(other.billed(), []);
  });

  it('that ends before a scheduled change makes it an end of a period, else an exchange', () => {
    const life = lifeOn(USAGE, { trial_end: at('01-08') });
    const week = aPlan(USAGE, { interval: 'week' });
    life.change('01-07', week);
    life.trial('01-05');
    life.go('01-14');
    assert.deepEqual(life.billed(), [span('01-05', '01-07'), span('01-07', '01-14')]);
    const other = lifeOn(USAGE, { trial_end: at('01-08') });
    other.change('01-10', week);
    other.trial('01-12');
    other.go('01-19');
    assert.deepEqual(other.billed(), [span('01-12', '01-19')]);
  });
});
