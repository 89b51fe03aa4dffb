import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  beginsAt,
  firstChargeAt,
  scheduleOf,
  type AnsweredCharge,
  type ScheduleFacts,
} from '../../../src/domain/collection/schedule.ts';
import { dayOf, localOf } from '../../../src/domain/time/local-time.ts';

const at = (day: number, time = '10:00') => `2026-03-${String(day).padStart(2, '0')}T${time}:00.000Z`;
const HOURS = { timezone: 'UTC', hours: { from: 8, until: 18 } };

/** Issued on Monday, 2 March 2026, at 10 o'clock, with a method of long ago. */
const FACTS: ScheduleFacts = {
  ...HOURS,
  charge_retry_days: [3, 7, 14],
  first_at: at(2),
  is_overdue: false,
  method: { id: 'pmd_old', since: '2026-01-01T00:00:00.000Z' },
  charges: [],
  answered_at: null,
};
const since = (instant: string) => ({ id: 'pmd_new', since: instant });
const answered = (again: AnsweredCharge['again'], instant: string, method_id = 'pmd_old') => ({
  at: instant,
  method_id,
  again,
});
const declined = (...days: number[]) => days.map((day) => answered('by_schedule', at(day)));

const CASES: [what: string, facts: Partial<ScheduleFacts>, expected: string][] = [
  ['at the instant of its plan', {}, at(2)],
  ['on Thursday, after a decline on Monday', { charges: declined(2) }, at(5)],
  ['on the next Monday, after two', { charges: declined(2, 5) }, at(9)],
  ['on the Monday after that, after three', { charges: declined(2, 5, 9) }, at(16)],
  [
    'at once, once the days are over as a debit is answered',
    { charges: declined(2), answered_at: at(12, '11:00') },
    at(12, '11:00'),
  ],
  [
    'within the hours, once the days are over as a debit is answered at night',
    { charges: declined(2), answered_at: at(12, '22:00') },
    at(13, '08:00'),
  ],
  ['on its day, if a debit is answered before it', { charges: declined(2), answered_at: at(4) }, at(5)],
  ['no more after four', { charges: declined(2, 5, 9, 16) }, 'exhausted'],
  ['the next day, where the bank says later', { charges: [answered('later', at(2))] }, at(3)],
  [
    'on the day of the schedule, after later and a decline',
    { charges: [answered('later', at(2)), answered('by_schedule', at(3))] },
    at(5),
  ],
  [
    'on the day of the schedule, where that is earlier than the next day',
    { charge_retry_days: [1], charges: [answered('later', at(2, '18:00'))] },
    at(4, '08:00'),
  ],
  [
    'no more, where the last day of the schedule says later',
    { charges: [...declined(2, 5, 9), answered('later', at(16))] },
    'exhausted',
  ],
  ['by nobody, where the customer has no method', { method: null }, 'none'],
  [
    'no more, once its only method never works again',
    { method: null, charges: [answered('never', at(2))] },
    'exhausted',
  ],
  [
    'by its payer alone, who has to confirm it',
    { charges: [answered('action_required', at(2))] },
    'action_required',
  ],
  [
    'with a new method at once, where its payer had to confirm it',
    { method: since(at(3, '22:00')), charges: [answered('action_required', at(2))] },
    at(3, '22:00'),
  ],
  [
    'with a new method at once, once it was exhausted',
    { method: since(at(20, '03:00')), charges: declined(2, 5, 9, 16) },
    at(20, '03:00'),
  ],
  [
    'with a new method at the very instant of the last charge, once it was exhausted',
    { method: since(at(16)), charges: declined(2, 5, 9, 16) },
    at(16),
  ],
  [
    'with a new method at once, if it is overdue and was never charged',
    { method: since(at(20, '03:00')), is_overdue: true },
    at(20, '03:00'),
  ],
  [
    'with a new method on the day of the schedule, if that is still to come',
    { method: since(at(4)), charges: declined(2) },
    at(5),
  ],
  [
    'with a new method within the hours, if it is neither overdue nor was charged',
    { method: since(at(4, '22:00')) },
    at(5, '08:00'),
  ],
  [
    'three days after the first charge of a new method',
    {
      method: since(at(20)),
      charges: [...declined(2, 5, 9, 16), answered('by_schedule', at(20), 'pmd_new')],
    },
    at(23),
  ],
  [
    'at the same hour of the customer, when the clocks go forward',
    {
      timezone: 'America/New_York',
      charges: [answered('by_schedule', '2026-03-06T15:00:00.000Z')],
    },
    at(9, '14:00'),
  ],
];

describe('an invoice is charged', () => {
  for (const [what, facts, expected] of CASES)
    it(what, () => {
      const schedule = scheduleOf({ ...FACTS, ...facts });
      assert.equal('charge_at' in schedule ? schedule.charge_at : schedule.ended, expected);
    });

  for (const [what, charge_on, issued_at, expected] of [
    ['at its issue', 'issue', at(2), at(2)],
    ['within the hours, of an issue at night', 'issue', at(2, '05:00'), at(2, '08:00')],
    ['at the beginning of its due date, within the hours', 'due_date', at(2), at(16, '08:00')],
  ] as const)
    it(`first ${what}`, () =>
      assert.equal(firstChargeAt({ ...HOURS, charge_on, issued_at, due_date: '2026-03-16' }), expected));

  it('by each method within the hours, once a day, and at most until the last day of the schedule', () => {
    const days = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 8 });
    const again = fc.constantFrom('by_schedule', 'later', 'never', 'action_required');
    fc.assert(
      fc.property(
        days,
        fc.array(again, { minLength: 70, maxLength: 70 }),
        fc.constantFrom('UTC', 'America/New_York', 'Pacific/Auckland'),
        (retry_days, answers, timezone) => {
          const charge_retry_days = [...retry_days].sort((a, b) => a - b);
          const hours = { ...HOURS, timezone };
          const first_at = firstChargeAt({
            ...hours,
            charge_on: 'issue',
            issued_at: at(2),
            due_date: '2026-03-16',
          });
          const charges: AnsweredCharge[] = [];
          for (const answer of answers) {
            const schedule = scheduleOf({ ...FACTS, ...hours, first_at, charge_retry_days, charges });
            if ('ended' in schedule) break;
            const hour = localOf(schedule.charge_at, timezone).hour;
            assert.ok(hour >= 8 && hour < 18);
            charges.push(answered(answer, schedule.charge_at));
          }
          const charged_on = charges.map((charge) => dayOf(charge.at, timezone));
          assert.equal(new Set(charged_on).size, charged_on.length);
          const last = Date.parse(charged_on.at(-1)!) - Date.parse(charged_on[0]!);
          assert.ok(last <= (charge_retry_days.at(-1) ?? 0) * 86_400_000);
          if (!charges.some((charge) => charge.again === 'later'))
            assert.ok(charges.length <= 1 + charge_retry_days.length);
        },
      ),
    );
  });
});

describe('a planned charge begins', () => {
  const PLANNED = {
    ...HOURS,
    planned_at: at(5),
    held_until: null,
    method_since: null,
    now: at(5),
    has_test_clock: false,
  };
  for (const [what, changed, expected] of [
    ['at its instant', {}, at(5)],
    ['at its instant, up to an hour after it', { now: at(5, '11:00') }, at(5)],
    ['within the hours, when it is late', { now: at(6, '03:00') }, at(6, '08:00')],
    ['at once, when it is late within the hours', { now: at(5, '11:01') }, at(5, '11:01')],
    [
      'at its instant under a test clock, however late',
      { now: at(31, '03:00'), has_test_clock: true },
      at(5),
    ],
    ['at its instant, after a pause that ended before', { held_until: at(4, '22:00') }, at(5)],
    [
      'within the hours after a pause',
      { held_until: at(10, '00:00'), now: at(10, '00:00') },
      at(10, '08:00'),
    ],
    [
      'within the hours after its method became the default',
      { method_since: at(6, '22:00'), now: at(7), has_test_clock: true },
      at(7, '08:00'),
    ],
    [
      'at once at night, if that is its instant',
      { planned_at: at(5, '03:00'), now: at(5, '03:01') },
      at(5, '03:00'),
    ],
  ] as const)
    it(what, () => assert.equal(beginsAt({ ...PLANNED, ...changed }), expected));
});
