import assert from 'node:assert/strict';
import { expiryOf, type BoundedSchedule } from '../../../src/domain/credit/expiry.ts';
import type { Schedule } from '../../../src/domain/time/period.ts';
import { aSchedule as withoutEnd, midnight, withOnePlan } from '../../support/ledger/schedules.ts';

const aSchedule = ({
  id = 'sub_1',
  cancel_at = null,
  ...parts
}: Partial<Schedule & Pick<BoundedSchedule, 'id' | 'cancel_at'>>): BoundedSchedule => ({
  ...withOnePlan(withoutEnd(parts)),
  id,
  cancel_at,
});

const UNBOUND = { expires_in_days: null, rollover: false, subscription_id: null };

describe('the expiry of a grant', () => {
  const monthly = aSchedule({ start_date: midnight('2026-01-01') });
  const yearly = aSchedule({ start_date: midnight('2026-01-01'), interval: 'year' });
  const coming = aSchedule({ start_date: midnight('2026-08-10') });
  const comingYearly = { ...yearly, start_date: midnight('2026-08-10') };
  const trial = aSchedule({ start_date: midnight('2026-05-01'), trial_end_date: midnight('2026-05-20') });
  type Case = [
    what: string,
    days: number | null,
    rollover: boolean,
    schedules: BoundedSchedule[],
    expires: string | null,
    bound: string | null,
  ];
  const rows: Case[] = [
    ['rollover, for ever', null, true, [monthly], null, null],
    ['rollover, 90 days', 90, true, [monthly], '2026-08-08', null],
    ['the end of the period', null, false, [monthly], '2026-06-01', '2026-06-01'],
    ['days that end earlier', 10, false, [monthly], '2026-05-20', '2026-06-01'],
    ['days that end later', 90, false, [monthly], '2026-06-01', '2026-06-01'],
    [
      'the latest of the periods that run',
      null,
      false,
      [monthly, yearly, coming],
      '2027-01-01',
      '2027-01-01',
    ],
    [
      'a trial is no billing period: the first one after it',
      null,
      false,
      [trial],
      '2026-06-20',
      '2026-06-20',
    ],
    ['a trial beside a period that runs', null, false, [trial, monthly], '2026-06-01', '2026-06-01'],
    ['none runs: the first to start', null, false, [coming, trial], '2026-06-20', '2026-06-20'],
    [
      'none runs, two start at once: the latest end',
      null,
      false,
      [coming, comingYearly],
      '2027-08-10',
      '2027-08-10',
    ],
    [
      'none runs, and the one to start ends before it does',
      null,
      false,
      [{ ...coming, cancel_at: coming.start_date }],
      null,
      null,
    ],
    ['no subscription yet', null, false, [], null, null],
    ['no subscription yet, 10 days', 10, false, [], '2026-05-20', null],
  ];
  for (const [what, expires_in_days, rollover, schedules, expires, bound] of rows) {
    it(`made on 10 May, ${what}: ${expires ?? 'not known'}`, () => {
      const grant = { created_at: midnight('2026-05-10'), expires_in_days, rollover, subscription_id: null };
      assert.deepEqual(expiryOf(grant, schedules), {
        expires_at: expires && midnight(expires),
        period_bound: bound && midnight(bound),
      });
    });
  }

  it('made exactly at a boundary belongs to the period that starts there', () => {
    const grant = { ...UNBOUND, created_at: midnight('2026-06-01') };
    assert.equal(expiryOf(grant, [monthly]).expires_at, midnight('2026-07-01'));
  });

  it('bound to a subscription, ends with a period of that one alone', () => {
    const other = { ...yearly, id: 'sub_2' };
    const grant = { ...UNBOUND, created_at: midnight('2026-05-10') };
    const expiries = [null, 'sub_1', 'sub_2', 'sub_3'].map(
      (subscription_id) => expiryOf({ ...grant, subscription_id }, [monthly, other]).expires_at,
    );
    const [may, december] = [midnight('2026-06-01'), midnight('2027-01-01')];
    assert.deepEqual(expiries, [december, may, december, null]);
  });
});
