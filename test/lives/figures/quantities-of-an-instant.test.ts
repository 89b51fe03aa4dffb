import assert from 'node:assert/strict';
import { at } from '../../support/ledger/test-customer.ts';
import { takeBack } from '../model/changes.ts';
import { changePlan } from '../model/model.ts';
import { NO_PASSING } from '../model/passing.ts';
import { quantityAt } from '../model/quantities.ts';
import { refusalsOfQuantities, setQuantities } from '../model/quantity-requests.ts';
import { recurringMonths } from '../model/recurring.ts';
import type { Plan } from '../model/world.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';
import { ADVANCE, amounts, seat, seatsOn } from './seats-life.ts';

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
