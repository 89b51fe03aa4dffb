import assert from 'node:assert/strict';
import { drawOrder, type GrantBalance } from '../../../src/domain/credit/credit.ts';
import { aGrantBalance } from '../../support/ledger/grant-balances.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';

const MAY = aPeriod('2026-05-01', '2026-06-01');

describe('the order of grants', () => {
  const soon = aGrantBalance({ id: 'soon', expires_at: midnight('2026-06-01') });
  const later = aGrantBalance({
    id: 'later',
    expires_at: midnight('2026-07-01'),
    created_at: midnight('2026-01-01'),
  });
  const never = aGrantBalance({ id: 'never', created_at: midnight('2025-01-01') });
  const rollover = { ...soon, id: 'rollover', rollover: true, created_at: midnight('2025-01-01') };
  const of_one = { ...soon, id: 'of_one', subscription_id: 'sub_1', created_at: midnight('2026-04-30') };
  const named = { ...soon, id: 'named', event_names: ['call'], created_at: midnight('2026-04-30') };
  const sooner = { ...soon, id: 'sooner', expires_at: midnight('2026-05-31') };
  const carried = {
    ...{ ...soon, id: 'carried', created_at: midnight('2025-12-01') },
    ...{ expires_at: MAY.period_start, carry_over_until: soon.expires_at, carry_over_left: '1' },
  };
  const young = { ...soon, id: 'a_young', created_at: midnight('2026-04-30') };
  const twin = { ...soon, id: 'twin' };
  const rows: [grants: GrantBalance[], expected: string[], why: string][] = [
    [[later, soon], ['soon', 'later'], 'the earliest expiry, though younger'],
    [[never, later], ['later', 'never'], 'no expiry is last, though older'],
    [[soon, of_one], ['of_one', 'soon'], 'a subscription first'],
    [[of_one, named], ['named', 'of_one'], 'names first'],
    [[named, sooner], ['sooner', 'named'], 'the earliest expiry, though for everything'],
    [[soon, carried], ['carried', 'soon'], 'one that is carried over is older'],
    [[rollover, soon], ['soon', 'rollover'], 'without rollover first, though younger'],
    [[young, soon], ['soon', 'a_young'], 'the oldest'],
    [[twin, soon], ['soon', 'twin'], 'the id, so that a rerun draws alike'],
    [[], [], 'nothing'],
  ];
  for (const [grants, expected, why] of rows) {
    it(`${expected.join(', ') || 'none'}: ${why}`, () => {
      assert.deepEqual(
        drawOrder(grants, MAY).map(({ id }) => id),
        expected,
      );
    });
  }

  it('does not change its argument', () => {
    const grants = [later, soon];
    drawOrder(grants, MAY);
    assert.deepEqual(grants, [later, soon]);
  });
});
