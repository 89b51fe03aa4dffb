import assert from 'node:assert/strict';
import { causeOfDay, type DayEvents, type SubscriptionFacts } from '../../../src/domain/usage/day-cause.ts';
import type { Cause } from '../../../src/domain/usage/billing-cause.ts';

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 0, day, hour)).toISOString();
const DAY: DayEvents = {
  event_name: 'api_call',
  starts_at: at(10),
  ends_at: at(11),
  first_stored_at: at(10, 1),
  last_stored_at: at(10, 23),
  last_epoch: 1,
  last_xid: '150',
  first: { epoch: 1, xid: '120' },
  numbers: [],
};
const CHARGE = {
  id: 'chg_1',
  event_name: 'api_call',
  filters: null,
  aggregation: { type: 'count' },
  is_divided: false,
} as const;
const PERIOD = {
  starts_at: at(1),
  ends_at: at(32),
  is_issued: false,
  is_void: false,
  open_from: at(1),
  late_until: at(67),
};
const ISSUED = { ...PERIOD, is_issued: true, open_from: null };
/** A line up to a cut-off at which all transactions below `xid` were visible, and none from it on. */
const lineUpTo = (xid: number, is_draft = false) => ({
  charge_id: 'chg_1',
  full_period_start: at(1),
  is_draft,
  after: null,
  up_to: { id: '1', epoch: 1, snapshot: `${xid}:${xid}:` },
  timestamp_from: at(1),
  timestamp_to: at(32),
  stored_from: null,
  stored_to: null,
});
const subscribed = (changes: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  begins_at: null,
  ends_at: null,
  start_date: at(1),
  trial_end_date: null,
  cancel_at: null,
  charges: [CHARGE],
  full_periods: [PERIOD],
  spans: [],
  ...changes,
});
const sum = { ...CHARGE, id: 'chg_2', aggregation: { type: 'sum', property: 'n' } } as const;
const filtered = { ...CHARGE, id: 'chg_3', filters: { region: ['eu'] } };

/** Cases: the facts that decide about the events of 10 January, and their cause; null if they must be read. */
const CASES: [string, SubscriptionFacts[], Cause | null, Partial<DayEvents>?][] = [
  ['no subscription', [], 'no_subscription'],
  ['no charge of this name', [subscribed({ charges: [] })], 'no_charge'],
  ['an open period', [subscribed()], 'pending'],
  [
    'a change of plan within the day, with the charge in both',
    [subscribed({ ends_at: at(10, 12) }), subscribed({ begins_at: at(10, 12) })],
    'pending',
  ],
  [
    'a change of plan within the day, to one without the charge',
    [subscribed({ ends_at: at(10, 12) }), subscribed({ begins_at: at(10, 12), charges: [] })],
    null,
  ],
  [
    'a change of plan at the beginning of the day, to one without the charge',
    [subscribed({ ends_at: at(10) }), subscribed({ begins_at: at(10), charges: [] })],
    'no_charge',
  ],
  [
    'an open period of a charge with prices',
    [subscribed({ charges: [{ ...CHARGE, is_divided: true }] })],
    null,
  ],
  ['a start at the end of the day', [subscribed({ start_date: at(11) })], 'before_start'],
  ['a start within the day', [subscribed({ start_date: at(10, 12) })], null],
  ['an end at the beginning of the day', [subscribed({ cancel_at: at(10) })], 'after_cancellation'],
  ['a trial that ends with the day', [subscribed({ trial_end_date: at(11) })], 'trial'],
  ['a trial that ends within the day', [subscribed({ trial_end_date: at(10, 1) })], null],
  ['a line that holds all', [subscribed({ full_periods: [ISSUED], spans: [lineUpTo(151)] })], 'billed'],
  ['a draft that holds all', [subscribed({ spans: [lineUpTo(151, true)] })], 'pending'],
  ['a line that holds some', [subscribed({ full_periods: [ISSUED], spans: [lineUpTo(150)] })], null],
  ['a line that holds none', [subscribed({ full_periods: [ISSUED], spans: [lineUpTo(120)] })], 'late'],
  [
    'a line, and no first event known',
    [subscribed({ full_periods: [ISSUED], spans: [lineUpTo(120)] })],
    null,
    { first: null },
  ],
  ['all stored too late', [subscribed({ full_periods: [{ ...ISSUED, late_until: at(10, 1) }] })], 'too_late'],
  ['some stored too late', [subscribed({ full_periods: [{ ...ISSUED, late_until: at(10, 2) }] })], null],
  [
    'a void part',
    [subscribed({ full_periods: [{ ...PERIOD, is_void: true, open_from: at(11) }] })],
    'invoice_void',
  ],
  [
    'a void part that ends within the day',
    [subscribed({ full_periods: [{ ...PERIOD, is_void: true, open_from: at(10, 5) }] })],
    null,
  ],
  ['a sum that may skip events', [subscribed({ charges: [sum] })], null],
  ['a sum that skips none', [subscribed({ charges: [sum] })], 'pending', { numbers: ['n'] }],
  ['a filter alone', [subscribed({ charges: [filtered] })], null],
  [
    'a filter beside a charge whose cause comes first',
    [subscribed({ charges: [filtered, CHARGE] })],
    'pending',
  ],
  [
    'a filter beside a billed charge, which it may precede',
    [subscribed({ charges: [filtered, CHARGE], full_periods: [ISSUED], spans: [lineUpTo(151)] })],
    null,
  ],
  [
    'two periods of one cause',
    [
      subscribed({
        full_periods: [
          { ...PERIOD, ends_at: at(10, 7) },
          { ...PERIOD, starts_at: at(10, 7) },
        ],
      }),
    ],
    'pending',
  ],
  [
    'two periods of different causes',
    [
      subscribed({
        full_periods: [
          { ...ISSUED, ends_at: at(10, 7) },
          { ...PERIOD, starts_at: at(10, 7) },
        ],
      }),
    ],
    null,
  ],
];

describe('the cause of a day', () => {
  for (const [name, subscriptions, cause, changes = {}] of CASES)
    it(`is ${cause ?? 'for its events to tell'} with ${name}`, () => {
      assert.equal(causeOfDay({ ...DAY, ...changes }, subscriptions), cause);
    });
});
