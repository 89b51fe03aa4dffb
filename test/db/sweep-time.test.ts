import assert from 'node:assert/strict';
import { sweepTime } from '../../src/db/invariants/state.ts';
import { SWEPT_KINDS, type SweepState } from '../../src/db/invariants/sweep.ts';

const NOW = '2026-01-01T00:00:00.000Z';

/** Each kind took a second for all of its 10 units. */
const ended = (): SweepState[] =>
  SWEPT_KINDS.map((kind) => ({
    ...{ kind, started_at: NOW, finished_at: NOW, seen_since: NOW },
    ...{ checked: 10, total: 10, busy_ms: 1000 },
  }));

const with_first = (first: Partial<SweepState>) =>
  ended().map((state, place) => (place === 0 ? { ...state, ...first } : state));

const seconds = SWEPT_KINDS.length;

describe('how long a sweep takes', () => {
  const CASES: [string, SweepState[], number, number | null][] = [
    ['is the work of all kinds at the whole of a processor', ended(), 100, seconds * 1000],
    ['is twenty times as long at a twentieth', ended(), 5, seconds * 20_000],
    [
      'counts what is left of an open round: 5 units in a second, 40 in eight',
      with_first({ finished_at: null, checked: 5, total: 40 }),
      100,
      (seconds - 1 + 8) * 1000,
    ],
    ['is not known before a kind has begun', ended().slice(1), 100, null],
    ['is not known without a total', with_first({ finished_at: null, total: null }), 100, null],
  ];
  for (const [what, states, share, expected] of CASES)
    it(what, () => assert.equal(sweepTime(states, share), expected));
});
