import assert from 'node:assert/strict';
import { BillingError } from '../../../src/domain/money/errors.ts';
import {
  amountLess,
  changeToCome,
  reasonToSkip,
  wholeSubtotal,
} from '../../../src/domain/subscription/plan-migration.ts';
import { firstPhase } from '../../../src/domain/subscription/plan-phase.ts';
import { aPeriod } from '../../support/ledger/schedules.ts';

const NOW = '2026-04-10T00:00:00.000Z';
const END = '2026-05-01T00:00:00.000Z';
const MONTHLY = { interval: 'month', interval_count: 1, opens: false, minimum_amount: null } as const;

/** A subscription to the plan `old` since the first of April. */
function subscription({
  cancel_at = null,
  change = null,
}: {
  cancel_at?: string | null;
  change?: string | null;
}) {
  const first = firstPhase({ id: 'old', ...MONTHLY });
  const next = { ...firstPhase({ id: 'other', ...MONTHLY }), from: change };
  return {
    now: NOW,
    start_date: '2026-04-01T00:00:00.000Z',
    trial_end_date: null,
    billing_anchor: null,
    anchor_is_day: false,
    timezone: 'UTC',
    phases: change === null ? [first] : [first, next],
    cancel_at,
  };
}

describe('a plan migration', () => {
  const PLANS = { from_plan_ids: ['old'], to_plan_id: 'new', based_on: null, custom: false };
  const skip = (parts: Parameters<typeof subscription>[0], at: string, plans: Partial<typeof PLANS> = {}) =>
    reasonToSkip(subscription(parts), { at, ...PLANS, ...plans });

  for (const [what, parts, at, reason] of [
    ['has its plan', {}, 'period_end', null],
    ['ends after the change', { cancel_at: '2026-05-01T00:00:00.001Z' }, 'period_end', null],
    ['ends at the change', { cancel_at: END }, 'period_end', `the subscription ends at ${END}`],
    ['ends before the change', { cancel_at: END }, '2026-05-02', `the subscription ends at ${END}`],
    ['ends later, and changes now', { cancel_at: END }, 'now', null],
    ['has ended', { cancel_at: NOW }, 'now', `the subscription ended at ${NOW}`],
    ['has a change to come', { change: END }, 'now', `a change to other is scheduled at ${END} already`],
    ['has changed', { change: NOW }, 'now', 'the subscription has the plan other by now'],
  ] as const) {
    it(`${reason === null ? 'moves' : 'skips'} a subscription that ${what}`, () => {
      assert.equal(skip(parts, at), reason);
    });
  }

  it('moves a subscription that has changed to another plan of the list', () => {
    assert.equal(skip({ change: NOW }, 'now', { from_plan_ids: ['old', 'other'] }), null);
  });

  it('refuses an instant that is too far', () => {
    assert.throws(() => skip({}, '2027-04-11'), BillingError);
  });

  it('knows the change that is to come, at its instant no more', () => {
    assert.deepEqual(changeToCome(subscription({ change: END })), { plan_id: 'other', at: END });
    assert.equal(changeToCome(subscription({ change: NOW })), null);
  });

  it('compares usage and whole fees: 1.50 of usage, and 49.00 and 0.995 a period', () => {
    const charge = (flat_amount: string) => ({
      ...{ id: 'chg', event_name: 'fee', name: null, unit_name: null, filters: null, group_by: null },
      aggregation: { type: 'count' } as const,
      pricing: { pricing_model: 'flat', flat_amount, billed: 'in_advance' } as const,
    });
    const lines = [
      { type: 'usage', amount: '1.50' },
      { type: 'flat', amount: '24.50' },
      { type: 'late_usage', amount: '7.00' },
      { type: 'item', amount: '5.00' },
    ];
    const charges = [charge('49'), charge('0.995')];
    const period = aPeriod('2026-04-01', '2026-05-01');
    const none = { period, discounts: [], currency: 'USD' };
    assert.equal(wholeSubtotal(lines, charges, none), '51.50');
    const discount = {
      discount_id: 'dis_1',
      name: 'Loyalty',
      percent: '10',
      amount: null,
      event_names: ['fee'],
    };
    const from = '2026-04-16T00:00:00.000Z';
    const discounted = { ...none, discounts: [{ ...discount, from, until: null }] };
    assert.equal(wholeSubtotal(lines, charges, discounted), '46.50');
    assert.equal(wholeSubtotal(lines, charges, { ...discounted, period: null }), '51.50');
    assert.equal(amountLess('49.00', '51.50', 'USD'), '-2.50');
  });
});
