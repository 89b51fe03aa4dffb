import assert from 'node:assert/strict';
import type { BillingError } from '../../../src/domain/money/errors.ts';
import { trialEndOf } from '../../../src/domain/subscription/trial.ts';
import { midnight } from '../../support/ledger/schedules.ts';

const IN_BERLIN = {
  id: 'sub_1',
  start_date: midnight('2026-03-01'),
  trial_end_date: midnight('2026-03-15'),
  billing_anchor: null,
  anchor_is_day: false,
  timezone: 'Europe/Berlin',
  cancel_at: null,
  phases: [],
};

/** contract.md 3: the end of a trial that is changed. */
describe('the end of a trial', () => {
  const during = { ...IN_BERLIN, now: midnight('2026-03-10') };
  const before = { ...IN_BERLIN, now: midnight('2026-02-10') };
  const assertFault = (subscription: Parameters<typeof trialEndOf>[0], ends_at: string, reason: string) =>
    assert.throws(
      () => trialEndOf(subscription, ends_at),
      ({ details }: BillingError) => details[0]!.param === 'ends_at' && details[0]!.reason === reason,
    );

  it('is now, an instant, or the beginning of a day in the zone of the subscription', () => {
    assert.deepEqual(trialEndOf(during, 'now'), { trial_end_date: during.now, is_day: false });
    assert.deepEqual(trialEndOf(during, '2026-03-29T10:00:00.000Z'), {
      trial_end_date: '2026-03-29T10:00:00.000Z',
      is_day: false,
    });
    assert.deepEqual(trialEndOf(before, '2026-03-30'), {
      trial_end_date: '2026-03-29T22:00:00.000Z',
      is_day: true,
    });
  });

  it('is refused for what is billed or has ended, out of order and out of range', () => {
    assertFault({ ...during, now: during.trial_end_date }, '2026-05-01', 'invalid_state');
    assertFault({ ...during, cancel_at: during.now }, '2026-05-01', 'invalid_state');
    assertFault(before, 'now', 'invalid_state');
    assertFault(during, during.start_date, 'out_of_order');
    assertFault(during, midnight('2026-03-09'), 'out_of_range');
    assertFault(during, midnight('2126-03-02'), 'out_of_range');
    for (const ends_at of [midnight('2126-03-01'), during.now])
      assert.equal(trialEndOf(during, ends_at).trial_end_date, ends_at);
  });
});
