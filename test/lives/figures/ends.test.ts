import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { cancel } from '../model/ends.ts';
import { addItem } from '../model/items.ts';
import { aPlan, lifeOn } from './model-life.ts';
import { advance } from '../model/model.ts';

const USAGE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };
const TO_APRIL = { start: at('04-01') };

function fee(flat_amount: string): Pricing {
  return { pricing_model: 'flat', flat_amount, billed: 'in_advance' };
}

function span(start: string, end: string): string {
  return `${at(start)} to ${at(end)}`;
}

describe('an end in the model of lives', () => {
  it('inside the period shortens it, and its return gives the boundary back', () => {
    const life = lifeOn(USAGE, TO_APRIL);
    life.go('04-10');
    life.cancel('04-16');
    life.cancel('04-21');
    assert.ok(life.takeBackEnd());
    assert.ok(!life.takeBackEnd());
    life.go('05-01');
    assert.deepEqual(life.billed(), [span('04-01', '05-01')]);
  });

  it('replaces an earlier one, also by the end of the period', () => {
    const life = lifeOn(USAGE, TO_APRIL);
    life.use('04-20', 7);
    life.go('04-10');
    life.cancel('04-16');
    life.cancel('period_end');
    life.go('05-02');
    assert.deepEqual(life.billed(), [span('04-01', '05-01')]);
    assert.deepEqual(life.says('04-01'), ['7 units, 0 credits: 7.00']);
    assert.equal(life.cancel('05-10'), 'invalid_state');
    assert.ok(!life.takeBackEnd());
  });

  it('in a later period ends that one', () => {
    const life = lifeOn(USAGE, TO_APRIL);
    life.go('04-10');
    life.cancel('05-16');
    life.go('06-25');
    assert.deepEqual(life.billed(), [span('04-01', '05-01'), span('05-01', '05-16')]);
  });

  it('in the past corrects the open period: usage after it is unrated, and the last invoice counts from there', () => {
    const life = lifeOn([USAGE, fee('30')], TO_APRIL);
    life.go('04-20');
    life.use('04-05', 2);
    life.use('04-12', 5);
    assert.equal(life.cancel('03-31'), 'invalid_state');
    assert.equal(life.cancel('04-11'), null);
    assert.deepEqual(life.says('04-01'), ['2 units, 0 credits: 2.00']);
    const [note] = life.notes(life.openingOf('04-01'));
    assert.equal(note, 'Unused time from 11 to 30 April: 20.00, 20.00 due less');
    life.use('04-06', 1);
    life.go('05-16');
    assert.deepEqual(life.billed().at(-1), span('04-11', '05-16'));
    assert.deepEqual(life.says('04-11'), ['1 units, 0 credits: 1.00']);
  });

  it('at the very start of a period leaves it out', () => {
    const life = lifeOn(fee('30'), TO_APRIL);
    life.go('05-10');
    life.cancel('05-01');
    assert.deepEqual(life.billed(), [span('04-01', '05-01'), span('04-01', '05-01')]);
    const [note] = life.notes('04-01');
    assert.equal(note, 'Unused time from 1 to 31 May: 30.00, 30.00 due less');
  });

  it('is what fees are worth as far as it is known, and what it moves later is short', () => {
    const life = lifeOn(fee('30'), TO_APRIL);
    life.go('04-10');
    life.cancel('05-11');
    life.go('05-05');
    assert.deepEqual(life.says('04-01'), ['1 units, 0 credits: 9.68']);
    life.cancel('06-11');
    life.go('06-01');
    const closing = ['1 units, 0 credits: 10.00', '1 units, 0 credits: 20.32'];
    assert.deepEqual(life.says('05-01'), closing);
  });

  it('drops changes at or after it for good, and leaves earlier ones', () => {
    const life = lifeOn(USAGE, TO_APRIL);
    life.go('04-10');
    life.change('04-16', aPlan(fee('10')));
    life.cancel('04-20');
    assert.equal(life.subscription.changes.length, 1);
    life.cancel('04-16');
    life.takeBackEnd();
    assert.deepEqual(life.subscription.changes, []);
  });

  it('is out of range more than a year ahead or 366 days back', () => {
    const life = lifeOn(USAGE, { start: at('01-01') });
    life.change('01-01', aPlan(USAGE, { interval: 'year', interval_count: 2 }));
    life.go('03-10', true);
    const far = { at: at('03-11', 1), settle: 'balance' } as const;
    assert.equal(cancel(life.world, life.subscription, far), 'out_of_range');
    advance(life.world, at('03-10', 1), true);
    assert.equal(life.cancel('03-08'), 'out_of_range');
    assert.equal(life.cancel('03-09'), null);
  });

  it('in the past of a trial opens the late window from there, if items are pending', () => {
    const life = lifeOn(USAGE, { trial_end: at('01-20') });
    addItem(life.world, null, { quantity: '1', unit_amount: '99' });
    life.go('01-10');
    life.cancel('01-05');
    life.go('02-10');
    assert.deepEqual(life.billed(), [span('01-05', '02-09')]);
  });
});
