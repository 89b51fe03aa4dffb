import assert from 'node:assert/strict';
import { grantsOfPeriod, type PlanGrant } from '../../../src/domain/credit/plan-grant.ts';

const GRANT: PlanGrant = {
  amount: '1000',
  event_names: null,
  expires: 'period_end',
  carry_over_max: null,
  prorate: false,
};
const APRIL = {
  ...{ period_start: '2026-04-01T00:00:00.000Z', period_end: '2026-05-01T00:00:00.000Z' },
  ...{ interval_start: '2026-04-01T00:00:00.000Z', interval_end: '2026-05-01T00:00:00.000Z' },
};
const from = (day: string) => ({ ...APRIL, period_start: `2026-04-${day}T00:00:00.000Z` });

/** billing.md 4, "Share of a short period". */
describe('a prorated grant of a plan', () => {
  const TABLE: [what: string, grant: Partial<PlanGrant>, period: typeof APRIL, units: string[]][] = [
    ['a whole period', {}, APRIL, ['1000']],
    ['the last 15 of 30 days', {}, from('16'), ['500']],
    ['the last 20 of 30 days, 666.67', {}, from('11'), ['666']],
    ['the last 10 of 30 days of 3, exactly 1', { amount: '3' }, from('21'), ['1']],
    ['the last 9 of 30 days of 3, 0.9', { amount: '3' }, from('22'), []],
    ['a millisecond less than a whole period', {}, { ...APRIL, period_start: later(1) }, ['999']],
    ['a whole period of a part of a unit', { amount: '0.5' }, APRIL, ['0.5']],
    ['a short period of parts of units', { amount: '2.5' }, from('02'), ['2']],
    ['what an end will cut', {}, { ...APRIL, period_end: '2026-04-11T00:00:00.000Z' }, ['1000']],
    ['the last 15 days, cut', {}, { ...from('16'), period_end: '2026-04-20T00:00:00.000Z' }, ['500']],
    ['a short period, of one that is not prorated', { prorate: false }, from('16'), ['1000']],
  ];

  for (const [what, grant, period, units] of TABLE)
    it(`gives ${units[0] ?? 'none'} for ${what}`, () => {
      const made = grantsOfPeriod([{ ...GRANT, prorate: true, ...grant }], period);
      assert.deepEqual(
        made.map(({ amount }) => amount),
        units,
      );
    });

  it('carries over at most what it gives, and keeps its place beside one that gives none', () => {
    const none = { ...GRANT, amount: '1', prorate: true };
    const made = grantsOfPeriod([none, { ...GRANT, carry_over_max: '600', prorate: true }], from('16'));
    assert.deepEqual(
      made.map(({ place, amount, carry_over_max }) => [place, amount, carry_over_max]),
      [[1, '500', '500']],
    );
  });
});

function later(milliseconds: number): string {
  return new Date(Date.parse(APRIL.period_start) + milliseconds).toISOString();
}
