import assert from 'node:assert/strict';
import { drawCredit, withReturns, type GrantBalance } from '../../../src/domain/credit/credit.ts';
import type { Period } from '../../../src/domain/time/period.ts';
import { aGrantBalance } from '../../support/ledger/grant-balances.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';

const MAY = aPeriod('2026-05-01', '2026-06-01');

/** The draws of the only line of a charge for calls. */
function draw(grants: readonly GrantBalance[], creditable: string, period: Period = MAY) {
  const alone = { others_creditable: '0', previous_draws: [], provisional: '0' };
  const demand = { event_name: 'call', period, creditable, creditable_before: new Map(), ...alone };
  return drawCredit(demand, grants);
}

describe('a grant for some events', () => {
  it('covers no other charge, and leaves the credit to the next line', () => {
    const grants = [aGrantBalance({ id: 'other', event_names: ['mail'] }), aGrantBalance({ id: 'all' })];
    const { draws, grants: left } = draw(grants, '10');
    assert.deepEqual(draws, [{ grant_id: 'all', amount: '10' }]);
    assert.equal(left.find(({ id }) => id === 'other')!.remaining, '1000');
  });
});

describe('a grant that carries over', () => {
  const april = aGrantBalance({
    ...{ id: 'april', remaining: '900', created_at: midnight('2026-04-01'), expires_at: MAY.period_start },
    ...{ carry_over_until: MAY.period_end, carry_over_left: '500' },
  });
  const may = aGrantBalance({ id: 'may', created_at: MAY.period_start, expires_at: MAY.period_end });
  const APRIL = aPeriod('2026-04-01', '2026-05-01');
  const JUNE = aPeriod('2026-06-01', '2026-07-01');
  const amounts = (grants: readonly GrantBalance[], period: Period, creditable: string) =>
    draw(grants, creditable, period).draws.map(({ grant_id, amount }) => `${grant_id} ${amount}`);

  it('covers the next period up to the limit, before the credit of that one', () => {
    assert.deepEqual(amounts([may, april], MAY, '1600'), ['april 500', 'may 1000']);
    assert.deepEqual(amounts([may, { ...april, remaining: '300' }], MAY, '1600'), ['april 300', 'may 1000']);
  });

  it('covers its own period without that limit, and none after the next', () => {
    assert.deepEqual(amounts([april], APRIL, '1600'), ['april 900']);
    assert.deepEqual(amounts([april], JUNE, '1600'), []);
  });

  it('leaves the rest of the limit to the next line, and gets back what a line of that period returns', () => {
    const { grants } = draw([april], '200');
    assert.deepEqual(amounts(grants, MAY, '1000'), ['april 300']);
    const back = { grant_id: 'april', amount: '100' };
    const returned = withReturns(grants, [{ ...back, full_period_start: MAY.period_start }]);
    assert.deepEqual(amounts(returned, MAY, '1000'), ['april 400']);
    const of_april = withReturns(grants, [{ ...back, full_period_start: APRIL.period_start }]);
    assert.deepEqual(amounts(of_april, MAY, '1000'), ['april 300']);
  });
});

describe('credit that was drawn before an end moved back to the start of its grant', () => {
  it('stays on the line, and nothing more is drawn', () => {
    const grant = aGrantBalance({ id: 'late', created_at: MAY.period_end });
    const demand = {
      ...{ event_name: 'call', period: MAY, creditable: '12', creditable_before: new Map() },
      ...{ others_creditable: '10', previous_draws: [{ grant, amount: '10' }], provisional: '0' },
    };
    const { returns, draws, applied } = drawCredit(demand, [grant]);
    assert.deepEqual([returns, draws, applied], [[], [], '0']);
  });
});
