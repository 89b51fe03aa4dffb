import assert from 'node:assert/strict';
import {
  decide,
  mayBill,
  type Decision,
  type Effects,
  type Facts,
  type NextDraft,
  type OpenPeriod,
} from '../../src/domain/next-step.ts';
import { midnight } from '../support/schedules.ts';

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
};
const RUNNING: OpenPeriod = {
  kind: 'billing',
  period_start: FEBRUARY,
  period_end: MARCH,
  hold_until: MARCH,
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
  retries_now: false,
  request: null,
  draft: null,
  period: RUNNING,
  period_after_trial: null,
};
const PARKED = { attention: 'its plan cannot be priced' };
const BY_A_PERSON: Decision = { kind: 'wait_for_person', ...PARKED };
const REGENERATE: Decision = { kind: 'regenerate', request: REQUEST };

const issue = (billed: Facts['draft'] | Facts['period'], revision: number): Decision => ({
  kind: 'issue',
  billed: billed!,
  revision,
});
const count = (billed: Facts['draft'] | Facts['period'], revision: number): Decision => ({
  kind: 'count',
  billed: billed!,
  revision,
});
const hold = (draft: NextDraft, period: OpenPeriod | null): Decision => ({ kind: 'hold', draft, period });
const collect = (period: OpenPeriod): Decision => ({ kind: 'collect', period });

const CLEARS = 'clears_attention';
const CLOSES = 'closes_trial';
const FINISHES = 'finishes';

type Row = [why: string, facts: Partial<Facts>, decision: Decision, ...effects: (keyof Effects)[]];

const held = (period: OpenPeriod, hold_until: string | null) => ({ ...period, hold_until });

const ROWS: Row[] = [
  ['a period that runs collects usage', {}, collect(RUNNING)],
  ['so does one that has not begun', { now: midnight('2026-01-20') }, collect(RUNNING)],
  ['a period ends at its end, not before', { now: '2026-02-28T23:59:59.999Z' }, collect(RUNNING)],
  ['and at its end it is issued', { now: MARCH }, issue(RUNNING, 1)],
  ['an ended period is issued if nothing holds its draft', { period: ENDED }, issue(ENDED, 1)],
  [
    'it is only counted while its draft is to be held',
    { period: held(ENDED, LATER) },
    count(held(ENDED, LATER), 1),
  ],
  ['a hold ends at its end', { period: held(ENDED, NOW) }, issue(held(ENDED, NOW), 1)],
  [
    'and without an end, when somebody finalizes the draft',
    { period: held(ENDED, null) },
    count(held(ENDED, null), 1),
  ],
  ['an ended late period is issued as well', { period: LATE, now: MARCH }, issue(LATE, 1)],
  ['late usage is collected until then', { period: LATE }, collect(LATE)],

  ['a held draft is held beside a period that runs', { draft: HELD }, hold(HELD, RUNNING)],
  ['and where no period follows', { draft: HELD, period: null }, hold(HELD, null)],
  ['a period that has ended comes before a held draft', { draft: HELD, period: ENDED }, issue(ENDED, 1)],
  ['a due draft is counted once more and issued', { draft: DUE }, issue(DUE, 2)],
  ['it comes before a period that has ended', { draft: DUE, period: ENDED }, issue(DUE, 2)],
  [
    'a draft left between its steps is finished by the same revision',
    { draft: UNFINISHED },
    count(UNFINISHED, 1),
  ],
  ['before a period that has ended', { draft: UNFINISHED, period: ENDED }, count(UNFINISHED, 1)],
  [
    'one that is due is issued all the same',
    { draft: { ...DUE, unfinished: true } },
    issue({ ...DUE, unfinished: true }, 2),
  ],

  ['a trial waits for its end', { period: TRIAL, now: JANUARY, period_after_trial: RUNNING }, collect(TRIAL)],
  [
    'at its end it closes without an invoice, and the period after it runs',
    { period: TRIAL, now: FEBRUARY, period_after_trial: RUNNING },
    collect(RUNNING),
    CLOSES,
  ],
  [
    'that period may have ended too',
    { period: TRIAL, now: MARCH, period_after_trial: RUNNING },
    issue(RUNNING, 1),
    CLOSES,
  ],
  ['a trial that nothing follows is the end', { period: TRIAL }, { kind: 'end' }, CLOSES, FINISHES],
  [
    'a trial closes beside a draft that is due',
    { period: TRIAL, period_after_trial: RUNNING, draft: DUE },
    issue(DUE, 2),
    CLOSES,
  ],

  ['nothing left to bill is the end', { period: null }, { kind: 'end' }, FINISHES],
  ['a parked subscription waits for a person', PARKED, BY_A_PERSON],
  ['whatever has ended', { ...PARKED, period: ENDED, draft: DUE }, BY_A_PERSON],
  ['and finishes nothing', { ...PARKED, period: null }, BY_A_PERSON],
  [
    'the signal wake clears its attention and bills',
    { ...PARKED, retries_now: true, period: ENDED },
    issue(ENDED, 1),
    CLEARS,
  ],
  ['or waits again', { ...PARKED, retries_now: true }, collect(RUNNING), CLEARS],
  [
    'or closes its trial',
    { ...PARKED, retries_now: true, period: TRIAL, period_after_trial: RUNNING },
    collect(RUNNING),
    CLEARS,
    CLOSES,
  ],
  ['or is the end', { ...PARKED, retries_now: true, period: null }, { kind: 'end' }, CLEARS, FINISHES],
  ['one that is not parked takes the signal as a question', { retries_now: true }, collect(RUNNING)],
  ['a request to regenerate comes first', { request: REQUEST, period: ENDED, draft: DUE }, REGENERATE],
  ['also while parked: it may be the repair', { ...PARKED, request: REQUEST }, REGENERATE],
  [
    'and leaves the attention to the step after it',
    { ...PARKED, retries_now: true, request: REQUEST },
    REGENERATE,
  ],
  ['and the trial', { request: REQUEST, period: TRIAL, period_after_trial: RUNNING }, REGENERATE],
  ['and the end', { request: REQUEST, period: null }, REGENERATE],
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

  it('draft and period affect the decision exactly if the subscription may bill', () => {
    for (const attention of [null, PARKED.attention])
      for (const retries_now of [false, true])
        for (const request of [null, REQUEST]) {
          const facts = { ...ALONE, attention, retries_now, request };
          const decisions = [
            decide(facts),
            decide({ ...facts, draft: DUE }),
            decide({ ...facts, period: null }),
          ];
          const differ = new Set(decisions.map(({ decision }) => decision.kind)).size > 1;
          assert.equal(mayBill(facts), differ, JSON.stringify({ attention, retries_now, request }));
        }
  });
});
