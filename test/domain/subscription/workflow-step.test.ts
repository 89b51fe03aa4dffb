import assert from 'node:assert/strict';
import type { Decision, NextDraft, OpenPeriod } from '../../../src/domain/subscription/next-step.ts';
import {
  stepOf,
  type StepContext,
  type WorkflowStep,
} from '../../../src/domain/subscription/workflow-step.ts';
import { midnight } from '../../support/ledger/schedules.ts';

const [JANUARY, FEBRUARY, MARCH] = ['2026-01-01', '2026-02-01', '2026-03-01'].map(midnight) as [
  string,
  string,
  string,
];
const NOW = midnight('2026-02-10');
const DAY_MS = 86_400_000;

const PERIOD: OpenPeriod = {
  kind: 'billing',
  period_start: FEBRUARY,
  period_end: MARCH,
  hold_until: MARCH,
  opened_at: FEBRUARY,
};
const DRAFT: NextDraft = {
  id: 'inv_1',
  period_start: JANUARY,
  period_end: FEBRUARY,
  usage_revision: 1,
  held_until: midnight('2026-02-20'),
  due: false,
  unfinished: false,
};
const SUBSCRIPTION = {
  ...{ now: NOW, start_date: JANUARY, cancel_at: null, has_test_clock: false },
  next_quantity_at: null,
};
const ALONE: StepContext = { subscription: SUBSCRIPTION, earlier: null, last_regeneration: null };
const EARLIER = { subscription_id: 'sub_2', period_end: midnight('2026-02-05') };

const by = (parts: Partial<StepContext['subscription']>): StepContext => ({
  ...ALONE,
  subscription: { ...SUBSCRIPTION, ...parts },
});
const collect = (parts: Partial<OpenPeriod> = {}): Decision => ({
  kind: 'collect',
  period: { ...PERIOD, ...parts },
});
const hold = (parts: Partial<NextDraft>, period: OpenPeriod | null): Decision => ({
  kind: 'hold',
  draft: { ...DRAFT, ...parts },
  period,
});
const waits = (wait_ms: number | null, until: string | null): WorkflowStep['action'] => ({
  kind: 'wait',
  wait_ms,
  until,
});

type Row = [
  why: string,
  given: [Decision, StepContext?],
  step: Pick<WorkflowStep, 'state' | 'period_end' | 'action'>,
  says: RegExp,
];

const BOUNDS = { period_start: FEBRUARY, period_end: MARCH };

const ROWS: Row[] = [
  [
    'a request to regenerate',
    [{ kind: 'regenerate', request: { id: 'reg_1', invoice_id: 'inv_1' } }],
    {
      state: 'billing',
      period_end: null,
      action: { kind: 'regenerate', regeneration_id: 'reg_1', invoice_id: 'inv_1' },
    },
    /^\*\*Regenerating\*\* the invoice `inv_1`, requested by `reg_1`\.$/,
  ],
  [
    'a parked subscription waits for a signal only',
    [{ kind: 'wait_for_person', attention: 'no price' }],
    { state: 'needs_attention', period_end: null, action: waits(null, null) },
    /^\*\*Needs attention:\*\* no price$/,
  ],
  [
    'counting a draft that is held afterwards',
    [{ kind: 'count', billed: PERIOD, revision: 1 }],
    {
      state: 'billing',
      period_end: MARCH,
      action: { kind: 'bill', ...BOUNDS, revision: 1, issue: false },
    },
    /applying credit, then holding the draft\.$/,
  ],
  [
    'an invoice',
    [{ kind: 'issue', billed: PERIOD, revision: 2 }],
    {
      state: 'billing',
      period_end: MARCH,
      action: { kind: 'bill', ...BOUNDS, revision: 2, issue: true },
    },
    /applying credit, issuing the invoice\.$/,
  ],
  [
    'an invoice that must wait for its turn asks again after half a minute',
    [
      { kind: 'issue', billed: PERIOD, revision: 1 },
      { ...by({ has_test_clock: true }), earlier: EARLIER },
    ],
    {
      state: 'billing',
      period_end: MARCH,
      action: waits(30_000, '2026-02-10T00:00:30.000Z'),
    },
    /^\*\*Waiting for another subscription:\*\* `sub_2` .* ended at 2026-02-05T00:00:00\.000Z, before 2026-03-01T00:00:00\.000Z\./,
  ],
  [
    'counting a draft does not wait for a turn',
    [
      { kind: 'count', billed: PERIOD, revision: 1 },
      { ...ALONE, earlier: EARLIER },
    ],
    {
      state: 'billing',
      period_end: MARCH,
      action: { kind: 'bill', ...BOUNDS, revision: 1, issue: false },
    },
    /^\*\*Billing\*\* the period/,
  ],
  [
    'a held draft waits for the end of its hold',
    [hold({}, PERIOD)],
    { state: 'draft_held', period_end: MARCH, action: waits(10 * DAY_MS, DRAFT.held_until) },
    /^\*\*Draft held:\*\* `inv_1`, .* is held for late events until 2026-02-20.*; then its usage is counted again and the invoice is issued\.$/,
  ],
  [
    'a held draft waits for the end of the open period, if that is sooner',
    [hold({ held_until: midnight('2026-03-20') }, PERIOD)],
    { state: 'draft_held', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /until 2026-03-20/,
  ],
  [
    'a draft with an unlimited hold waits for the end of the open period',
    [hold({ held_until: null }, PERIOD)],
    { state: 'draft_held', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /is held until it is finalized\.$/,
  ],
  [
    'a draft with an unlimited hold waits for a signal only, if no period is open',
    [hold({ held_until: null }, null)],
    { state: 'draft_held', period_end: FEBRUARY, action: waits(null, null) },
    /is held until it is finalized\.$/,
  ],
  [
    'before its start',
    [collect({ kind: 'billing' }), by({ start_date: midnight('2026-02-11') })],
    { state: 'waits_for_start', period_end: MARCH, action: waits(DAY_MS, midnight('2026-02-11')) },
    /^\*\*Not started\.\*\* .*; then the first period runs/,
  ],
  [
    'before its start with a trial',
    [collect({ kind: 'trial' }), by({ start_date: midnight('2026-02-11') })],
    { state: 'waits_for_start', period_end: MARCH, action: waits(DAY_MS, midnight('2026-02-11')) },
    /; then the trial runs/,
  ],
  [
    'in a trial',
    [collect({ kind: 'trial' })],
    { state: 'in_trial', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /^\*\*In trial\*\* until 2026-03-01/,
  ],
  [
    'in a trial that ends with the subscription',
    [collect({ kind: 'trial' }), by({ cancel_at: MARCH })],
    { state: 'in_trial', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /^\*\*In trial:\*\* at 2026-03-01\S+ the subscription ends\. There is no invoice, unless/,
  ],
  [
    'before a start at which it ends',
    [collect({ kind: 'trial' }), by({ start_date: MARCH, cancel_at: MARCH })],
    { state: 'waits_for_start', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /^\*\*Not started:\*\* at 2026-03-01\S+ the subscription ends\./,
  ],
  [
    'canceled before its start, with items',
    [collect({ kind: 'late' }), by({ start_date: midnight('2026-02-11'), cancel_at: FEBRUARY })],
    { state: 'collecting_late_usage', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /^\*\*Collecting late usage:\*\*/,
  ],
  [
    'in a period, from its first instant on',
    [collect(), by({ now: FEBRUARY, start_date: FEBRUARY })],
    { state: 'collecting_usage', period_end: MARCH, action: waits(28 * DAY_MS, MARCH) },
    /^\*\*Collecting usage\*\* .*; then the invoice is created and issued\.$/,
  ],
  [
    'in a period whose draft will be held',
    [collect({ hold_until: midnight('2026-03-02') })],
    { state: 'collecting_usage', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /; then the invoice is created as a draft and held for late events until 2026-03-02/,
  ],
  [
    'in a period whose draft will be held without limit',
    [collect({ hold_until: null })],
    { state: 'collecting_usage', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /; then the invoice is created as a draft and held until it is finalized\.$/,
  ],
  [
    'in a period inside which a quantity is to come',
    [collect(), by({ next_quantity_at: midnight('2026-02-20') })],
    {
      state: 'collecting_usage',
      period_end: MARCH,
      action: waits(10 * DAY_MS, midnight('2026-02-20')),
    },
    /^\*\*Collecting usage\*\*/,
  ],
  [
    'a draft held until it is finalized, while a quantity is to come',
    [hold({ held_until: null }, null), by({ next_quantity_at: midnight('2026-02-20') })],
    {
      state: 'draft_held',
      period_end: FEBRUARY,
      action: waits(10 * DAY_MS, midnight('2026-02-20')),
    },
    /Draft held/,
  ],
  [
    'after a cancellation',
    [collect({ kind: 'late' })],
    { state: 'collecting_late_usage', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /^\*\*Collecting late usage:\*\*/,
  ],
  [
    'a customer with a standing test clock sets no timer',
    [collect(), by({ has_test_clock: true })],
    { state: 'collecting_usage', period_end: MARCH, action: waits(null, MARCH) },
    /\n\nThe customer has a test clock\. Its time is 2026-02-10T00:00:00\.000Z until the clock is advanced\.$/,
  ],
  [
    'an instant that has passed still sets a timer, of a millisecond',
    [hold({ held_until: NOW }, null)],
    { state: 'draft_held', period_end: FEBRUARY, action: waits(1, NOW) },
    /Draft held/,
  ],
  [
    'the last regeneration, done',
    [
      collect(),
      { ...ALONE, last_regeneration: { invoice_id: 'inv_1', new_invoice_id: 'inv_2', refusal: null } },
    ],
    { state: 'collecting_usage', period_end: MARCH, action: waits(19 * DAY_MS, MARCH) },
    /\n\nLast regeneration, of `inv_1`: replaced by `inv_2`\.$/,
  ],
  [
    'the last regeneration, refused',
    [
      hold({}, PERIOD),
      { ...ALONE, last_regeneration: { invoice_id: 'inv_1', new_invoice_id: null, refusal: 'it is paid' } },
    ],
    { state: 'draft_held', period_end: MARCH, action: waits(10 * DAY_MS, DRAFT.held_until) },
    /\n\nLast regeneration, of `inv_1`: refused: it is paid\.$/,
  ],
  [
    'the end',
    [{ kind: 'end' }],
    { state: 'ended', period_end: null, action: { kind: 'end' } },
    /^\*\*Ended\.\*\*/,
  ],
];

describe("the workflow's step for a decision", () => {
  for (const [why, [decision, context = ALONE], expected, says] of ROWS) {
    it(why, () => {
      const { details, ...step } = stepOf(decision, context);
      assert.deepEqual(step, expected);
      assert.match(details, says);
    });
  }
});
