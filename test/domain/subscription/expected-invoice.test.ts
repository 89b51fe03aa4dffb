import assert from 'node:assert/strict';
import {
  expectedAt,
  type InvoicesToCome,
  type WaitingEvent,
} from '../../../src/domain/subscription/expected-invoice.ts';
import type { StoredPeriod } from '../../../src/domain/subscription/following-period.ts';
import type { NextDraft } from '../../../src/domain/subscription/next-step.ts';
import { midnight } from '../../support/ledger/schedules.ts';

const HOUR_MS = 3_600_000;
const LIVE = { livemode: true, hold_drafts: false, attention: null };
const SETTINGS = { grace_period_ms: HOUR_MS, late_usage_days: 35 };
const [JANUARY, FEBRUARY, MARCH] = ['2026-01-01', '2026-02-01', '2026-03-01'].map(midnight) as [
  string,
  string,
  string,
];
const CUT = midnight('2026-01-16');
const AN_HOUR_INTO_MARCH = '2026-03-01T01:00:00.000Z';

function open(
  period_start: string,
  period_end: string,
  kind: StoredPeriod['kind'] = 'billing',
): StoredPeriod {
  return {
    ...{ kind, period_start, period_end, interval_start: period_start, interval_end: period_end },
    ...{ full_period_start: period_start, plan_id: 'plan_1', opened_at: period_start, closed_at: null },
  };
}

function draft(id: string, period_start: string, held_until: string | null): NextDraft {
  return {
    ...{ id, period_start, period_end: MARCH, usage_revision: 1 },
    ...{ held_until, due: false, unfinished: false },
  };
}

const late: WaitingEvent = {
  ...{ status: 'late', invoice_id: null, period_start: JANUARY, full_period_end: FEBRUARY },
};
const pending = (parts: Partial<WaitingEvent> = {}): WaitingEvent => ({
  ...{ status: 'pending', invoice_id: null, period_start: FEBRUARY, full_period_end: MARCH },
  ...parts,
});

const NONE: InvoicesToCome = { drafts: [], open: null };
const IN_FEBRUARY: InvoicesToCome = { drafts: [], open: open(FEBRUARY, MARCH) };
const SECOND_PART: InvoicesToCome = { drafts: [], open: open(CUT, FEBRUARY) };

describe('when the invoice that takes an event is issued', () => {
  const CASES: [what: string, event: WaitingEvent, to_come: InvoicesToCome, at: string | null][] = [
    ['of the open period, at the end of its hold', pending(), IN_FEBRUARY, AN_HOUR_INTO_MARCH],
    [
      'on a draft, at the end of that hold',
      pending({ invoice_id: 'inv_1' }),
      { drafts: [draft('inv_1', JANUARY, CUT)], open: open(FEBRUARY, MARCH) },
      CUT,
    ],
    [
      'on a draft that is held until a person finalizes it, nobody knows',
      pending({ invoice_id: 'inv_1' }),
      { drafts: [draft('inv_1', JANUARY, null)], open: open(FEBRUARY, MARCH) },
      null,
    ],
    [
      'after the draft of its period was counted, with that draft',
      pending({ period_start: JANUARY, full_period_end: FEBRUARY }),
      { drafts: [draft('inv_1', JANUARY, CUT)], open: open(FEBRUARY, MARCH) },
      CUT,
    ],
    [
      'of a part that is issued, with the next part',
      pending({ period_start: JANUARY, full_period_end: FEBRUARY }),
      SECOND_PART,
      '2026-02-01T01:00:00.000Z',
    ],
    [
      'of a part that is open, not with the draft of an earlier part',
      pending({ period_start: CUT, full_period_end: FEBRUARY }),
      { drafts: [draft('inv_1', JANUARY, CUT)], open: open(CUT, FEBRUARY) },
      '2026-02-01T01:00:00.000Z',
    ],
    [
      'of a period that is yet to open, nobody knows',
      pending({ period_start: null, full_period_end: null }),
      IN_FEBRUARY,
      null,
    ],
    ['late, with the invoice of the open period', late, IN_FEBRUARY, AN_HOUR_INTO_MARCH],
    [
      'late, with a draft that is issued before',
      late,
      { drafts: [draft('inv_1', FEBRUARY, CUT)], open: open(FEBRUARY, MARCH) },
      CUT,
    ],
    [
      'late, not with a draft that is held until a person finalizes it',
      late,
      { drafts: [draft('inv_1', FEBRUARY, null)], open: open(FEBRUARY, MARCH) },
      AN_HOUR_INTO_MARCH,
    ],
    [
      'late after the end of the subscription, with the last invoice',
      late,
      { drafts: [], open: open(FEBRUARY, MARCH, 'late') },
      AN_HOUR_INTO_MARCH,
    ],
    ['late where no invoice follows, never', late, NONE, null],
  ];
  for (const [what, event, to_come, at] of CASES)
    it(what, () => assert.equal(expectedAt(event, { subscription: LIVE, to_come }, SETTINGS), at));

  it('of test data at the end of the period, unless the advance holds drafts', () => {
    const test = { ...LIVE, livemode: false };
    const expected = (subscription: typeof LIVE) =>
      expectedAt(late, { subscription, to_come: IN_FEBRUARY }, SETTINGS);
    assert.deepEqual([expected(test), expected({ ...test, hold_drafts: true })], [MARCH, null]);
  });

  it('nobody knows while the subscription waits for a person', () => {
    const subscription = { ...LIVE, attention: 'no price' };
    assert.equal(expectedAt(late, { subscription, to_come: IN_FEBRUARY }, SETTINGS), null);
  });
});
