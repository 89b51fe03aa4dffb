import assert from 'node:assert/strict';
import { isReached, lookOf, restAfter } from '../../../src/domain/invoice/threshold.ts';
import type { StoredPeriod } from '../../../src/domain/subscription/following-period.ts';

const day = (time: string) => `2026-04-10T${time}:00.000Z`;
const open = (parts: Partial<StoredPeriod> = {}): StoredPeriod => ({
  kind: 'billing',
  period_start: '2026-04-01T00:00:00.000Z',
  period_end: '2026-05-01T00:00:00.000Z',
  interval_start: '2026-04-01T00:00:00.000Z',
  interval_end: '2026-05-01T00:00:00.000Z',
  full_period_start: '2026-04-01T00:00:00.000Z',
  plan_id: 'plan_1',
  opened_at: '2026-04-01T00:00:00.000Z',
  closed_at: null,
  ...parts,
});
const AT_NOON = { bill_at: '100.00', attention: null, now: day('12:00') };
const IN_AN_HOUR = { kind: 'later', at: day('13:00') };

/** billing.md 15. */
describe('a look at a subscription', () => {
  const rows: [what: string, period: StoredPeriod | null, parts: Partial<typeof AT_NOON>, kind: object][] = [
    ['an open part', open(), {}, { kind: 'now', part: open(), bill_at: '100.00' }],
    ['no amount', open(), { bill_at: null as never }, { kind: 'none' }],
    ['no open period', null, {}, { kind: 'none' }],
    ['a trial', open({ kind: 'trial' }), {}, { kind: 'none' }],
    ['the days after an end', open({ kind: 'late' }), {}, { kind: 'none' }],
    ['the time before the start', open({ period_start: day('12:01') }), {}, { kind: 'none' }],
    ['one that needs a person', open(), { attention: 'a price is missing' as never }, IN_AN_HOUR],
    ['a period that has ended', open({ period_end: day('12:00') }), {}, IN_AN_HOUR],
    ['a beginning that is work', open({ opened_at: null }), {}, IN_AN_HOUR],
    ['a part of 59 minutes', open({ period_start: day('11:01') }), {}, { kind: 'later', at: day('12:01') }],
  ];
  for (const [what, period, parts, expected] of rows)
    it(`of ${what} is ${JSON.stringify(expected).slice(0, 60)}`, () => {
      assert.deepEqual(lookOf({ ...AT_NOON, ...parts }, period), expected);
    });

  it('of a part that is an hour old is now', () => {
    assert.equal(lookOf(AT_NOON, open({ period_start: day('11:00') })).kind, 'now');
  });
});

describe('the amount of a part', () => {
  const rows: [lines: string, is_reached: boolean][] = [
    ['', false],
    ['usage 99.99', false],
    ['usage 100.00', true],
    ['usage 60.00, usage 40.00', true],
    ['flat 500.00, usage 99.99, late_usage 500.00, item 500.00', false],
  ];
  for (const [lines, is_reached] of rows)
    it(`"${lines}" ${is_reached ? 'comes' : 'does not come'} to 100.00`, () => {
      const all = lines === '' ? [] : lines.split(', ').map((line) => line.split(' ') as ['usage', string]);
      assert.equal(
        isReached(
          all.map(([type, amount]) => ({ type, amount })),
          '100.00',
        ),
        is_reached,
      );
    });
});

describe('the rest after a look', () => {
  for (const [events, rest_ms] of [
    [0, 0],
    [9999, 0],
    [10_000, 1000],
    [1_000_000, 100_000],
  ] as const)
    it(`that may have read ${events} events is ${rest_ms} ms`, () => {
      assert.equal(restAfter(events), rest_ms);
    });
});
