import assert from 'node:assert/strict';
import {
  decide,
  type Decision,
  type Effects,
  type Facts,
  type NextDraft,
  type OpenPeriod,
} from '../../../src/domain/subscription/next-step.ts';
import { midnight } from '../../support/ledger/schedules.ts';

const [JANUARY, FEBRUARY, MARCH] = ['2026-01-01', '2026-02-01', '2026-03-01'].map(midnight) as [
  string,
  string,
  string,
];
const NOW = midnight('2026-02-10');
const LATER = midnight('2026-02-20');
const REQUEST = { id: 'reg_1', invoice_id: 'inv_1' };

/** January has ended; its draft is not held. */
const ENDED: OpenPeriod = {
  kind: 'billing',
  period_start: JANUARY,
  period_end: FEBRUARY,
  hold_until: FEBRUARY,
  opened_at: JANUARY,
};
const RUNNING: OpenPeriod = {
  kind: 'billing',
  period_start: FEBRUARY,
  period_end: MARCH,
  hold_until: MARCH,
  opened_at: FEBRUARY,
};
const TRIAL: OpenPeriod = { ...ENDED, kind: 'trial' };
const LATE: OpenPeriod = { ...RUNNING, kind: 'late' };

/** January's draft, held until 20 February. */
const HELD: NextDraft = {
  id: 'inv_1',
  period_start: JANUARY,
  period_end: FEBRUARY,
  usage_revision: 1,
  held_until: LATER,
  due: false,
  unfinished: false,
};
const DUE: NextDraft = { ...HELD, held_until: FEBRUARY, due: true };
const UNFINISHED: NextDraft = { ...HELD, unfinished: true };

const ALONE: Facts = {
  now: NOW,
  attention: null,
  billing_failed: false,
  retries_now: false,
  request: null,
  drafts: [],
  period: RUNNING,
  period_after_trial: null,
  has_quantity_to_settle: false,
};
const PARKED = { attention: 'its plan cannot be priced' };
const BY_A_PERSON: Decision = { kind: 'wait_for_person', ...PARKED };
const REGENERATE: Decision = { kind: 'regenerate', request: REQUEST };

const issue = (billed: NextDraft | Facts['period'], revision: number): Decision => ({
  kind: 'issue',
  billed: billed!,
  revision,
});
const count = (billed: NextDraft | Facts['period'], revision: number): Decision => ({
  kind: 'count',
  billed: billed!,
  revision,
});
const hold = (draft: NextDraft, period: OpenPeriod | null): Decision => ({ kind: 'hold', draft, period });
const collect = (period: OpenPeriod): Decision => ({ kind: 'collect', period });

const FAILED = { billing_failed: true };
const CLEARS = 'clears_attention';
const RECOVERS = 'recovers';
const CLOSES = 'closes_trial';
const FINISHES = 'finishes';
const SETTLES = 'settles';

type Row = [why: string, facts: Partial<Facts>, decision: Decision, ...effects: (keyof Effects)[]];

const held = (period: OpenPeriod, hold_until: string | null) => ({ ...period, hold_until });

const ROWS: Row[] = [
  ['an open period collects usage', {}, collect(RUNNING)],
  ['a period that has not begun collects usage', { now: midnight('2026-01-20') }, collect(RUNNING)],
  ['a period does not end a millisecond early', { now: '2026-02-28T23:59:59.999Z' }, collect(RUNNING)],
  ['a period is issued exactly at its end', { now: MARCH }, issue(RUNNING, 1)],
  ['an ended period is issued if nothing holds its draft', { period: ENDED }, issue(ENDED, 1)],
  [
    'an ended period is only counted if its draft will be held',
    { period: held(ENDED, LATER) },
    count(held(ENDED, LATER), 1),
  ],
  ['a period whose hold has ended is issued', { period: held(ENDED, NOW) }, issue(held(ENDED, NOW), 1)],
  [
    'a period with an unlimited hold is only counted',
    { period: held(ENDED, null) },
    count(held(ENDED, null), 1),
  ],
  ['an ended late period is issued as well', { period: LATE, now: MARCH }, issue(LATE, 1)],
  ['an open late period collects late usage', { period: LATE }, collect(LATE)],

  ['a held draft stays held beside an open period', { drafts: [HELD] }, hold(HELD, RUNNING)],
  ['a held draft stays held if no period follows', { drafts: [HELD], period: null }, hold(HELD, null)],
  ['a period that has ended comes before a held draft', { drafts: [HELD], period: ENDED }, issue(ENDED, 1)],
  ['a due draft is counted once more and issued', { drafts: [DUE] }, issue(DUE, 2)],
  ['a due draft comes before a period that has ended', { drafts: [DUE], period: ENDED }, issue(DUE, 2)],
  [
    'a draft left between its steps is finished by the same revision',
    { drafts: [UNFINISHED] },
    count(UNFINISHED, 1),
  ],
  [
    'an unfinished draft comes before a period that has ended',
    { drafts: [UNFINISHED], period: ENDED },
    count(UNFINISHED, 1),
  ],
  [
    'of several drafts the one that is due comes first, then an unfinished one, then the oldest',
    { drafts: [{ ...HELD, period_start: '2025-12-01T00:00:00.000Z' }, UNFINISHED, DUE] },
    issue(DUE, 2),
  ],
  [
    'of several drafts an unfinished one comes before an older one',
    { drafts: [{ ...HELD, period_start: '2025-12-01T00:00:00.000Z' }, UNFINISHED] },
    count(UNFINISHED, 1),
  ],
  [
    'of several held drafts the oldest is shown',
    { drafts: [HELD, { ...HELD, period_start: '2025-12-01T00:00:00.000Z' }] },
    hold({ ...HELD, period_start: '2025-12-01T00:00:00.000Z' }, RUNNING),
  ],
  [
    'an unfinished draft that is due is issued',
    { drafts: [{ ...DUE, unfinished: true }] },
    issue({ ...DUE, unfinished: true }, 2),
  ],

  ['a trial waits for its end', { period: TRIAL, now: JANUARY, period_after_trial: RUNNING }, collect(TRIAL)],
  [
    'a trial closes at its end without an invoice, and the next period begins',
    { period: TRIAL, now: FEBRUARY, period_after_trial: RUNNING },
    collect(RUNNING),
    CLOSES,
  ],
  [
    'the period after a trial may have ended too',
    { period: TRIAL, now: MARCH, period_after_trial: RUNNING },
    issue(RUNNING, 1),
    CLOSES,
  ],
  [
    'a trial without a following period ends the workflow',
    { period: TRIAL },
    { kind: 'end' },
    CLOSES,
    FINISHES,
  ],
  [
    'a trial closes beside a draft that is due',
    { period: TRIAL, period_after_trial: RUNNING, drafts: [DUE] },
    issue(DUE, 2),
    CLOSES,
  ],

  ['without anything left to bill the workflow ends', { period: null }, { kind: 'end' }, FINISHES],
  ['a parked subscription waits for a person', PARKED, BY_A_PERSON],
  [
    'a parked subscription waits even if a period has ended and a draft is due',
    { ...PARKED, period: ENDED, drafts: [DUE] },
    BY_A_PERSON,
  ],
  ['a quantity that has come is settled', { has_quantity_to_settle: true }, collect(RUNNING), SETTLES],
  [
    'a quantity that has come is settled before the period is billed',
    { has_quantity_to_settle: true, period: ENDED },
    issue(ENDED, 1),
    SETTLES,
  ],
  ['a parked subscription settles no quantity', { ...PARKED, has_quantity_to_settle: true }, BY_A_PERSON],
  ['a parked subscription does not finish', { ...PARKED, period: null }, BY_A_PERSON],
  [
    'the signal wake clears the attention, and bills what is due',
    { ...PARKED, retries_now: true, period: ENDED },
    issue(ENDED, 1),
    CLEARS,
  ],
  [
    'the signal wake clears the attention, and waits if nothing is due',
    { ...PARKED, retries_now: true },
    collect(RUNNING),
    CLEARS,
  ],
  [
    'what failed and is tried again has not recovered yet',
    { ...PARKED, ...FAILED, retries_now: true, period: ENDED },
    issue(ENDED, 1),
    CLEARS,
  ],
  [
    'what failed and is counted again has not recovered yet',
    { ...FAILED, drafts: [UNFINISHED] },
    count(UNFINISHED, 1),
  ],
  ['what failed has recovered once nothing is due', FAILED, collect(RUNNING), RECOVERS],
  [
    'what failed has recovered once its draft is held',
    { ...FAILED, drafts: [HELD] },
    hold(HELD, RUNNING),
    RECOVERS,
  ],
  ['what failed and is parked has not recovered', { ...PARKED, ...FAILED }, BY_A_PERSON],
  [
    'the signal wake clears the attention, and closes a trial that has ended',
    { ...PARKED, retries_now: true, period: TRIAL, period_after_trial: RUNNING },
    collect(RUNNING),
    CLEARS,
    CLOSES,
  ],
  [
    'the signal wake clears the attention, and ends the workflow if nothing is left',
    { ...PARKED, retries_now: true, period: null },
    { kind: 'end' },
    CLEARS,
    FINISHES,
  ],
  [
    'the signal wake does not change a subscription that is not parked',
    { retries_now: true },
    collect(RUNNING),
  ],
  ['a request to regenerate comes first', { request: REQUEST, period: ENDED, drafts: [DUE] }, REGENERATE],
  [
    'a request to regenerate comes first while parked, because it may be the repair',
    { ...PARKED, request: REQUEST },
    REGENERATE,
  ],
  [
    'a request to regenerate leaves the attention to the next step',
    { ...PARKED, retries_now: true, request: REQUEST },
    REGENERATE,
  ],
  [
    'a request to regenerate leaves the end of a trial to the next step',
    { request: REQUEST, period: TRIAL, period_after_trial: RUNNING },
    REGENERATE,
  ],
  [
    'a request to regenerate leaves the end of the workflow to the next step',
    { request: REQUEST, period: null },
    REGENERATE,
  ],
];

describe('the next step of a subscription, decided from its rows', () => {
  for (const [why, facts, decision, ...effects] of ROWS) {
    it(why, () => {
      const decided = decide({ ...ALONE, ...facts });
      assert.deepEqual(decided.decision, decision);
      assert.deepEqual(
        Object.entries(decided.effects).flatMap(([effect, happens]) => (happens ? [effect] : [])),
        effects,
      );
    });
  }

  it('draft and period affect the decision exactly if there is no request and it is not parked, or tries again', () => {
    for (const attention of [null, PARKED.attention])
      for (const retries_now of [false, true])
        for (const request of [null, REQUEST]) {
          const facts = { ...ALONE, attention, retries_now, request };
          const decisions = [
            decide(facts),
            decide({ ...facts, drafts: [DUE] }),
            decide({ ...facts, period: null }),
          ];
          const differ = new Set(decisions.map(({ decision }) => decision.kind)).size > 1;
          const may_bill = request === null && (attention === null || retries_now);
          assert.equal(may_bill, differ, JSON.stringify({ attention, retries_now, request }));
        }
  });
});
