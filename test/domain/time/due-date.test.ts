import assert from 'node:assert/strict';
import { dueDateOf } from '../../../src/domain/time/due-date.ts';

describe('the due date', () => {
  const CASES: [issued_at: string, timezone: string, net_days: number, due_date: string, due_at: string][] = [
    ['2026-02-01T00:00:00.000Z', 'UTC', 0, '2026-02-01', '2026-02-02T00:00:00.000Z'],
    ['2026-02-01T00:00:00.000Z', 'UTC', 14, '2026-02-15', '2026-02-16T00:00:00.000Z'],
    // One hour before midnight in UTC it is the next day in Berlin.
    ['2026-01-31T23:00:00.000Z', 'Europe/Berlin', 0, '2026-02-01', '2026-02-01T23:00:00.000Z'],
    ['2026-03-28T12:00:00.000Z', 'Europe/Berlin', 1, '2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['2026-02-01T00:00:00.000Z', 'America/New_York', 0, '2026-01-31', '2026-02-01T05:00:00.000Z'],
    ['2026-01-31T12:00:00.000Z', 'UTC', 30, '2026-03-02', '2026-03-03T00:00:00.000Z'],
    // This zone skipped 30 December 2011.
    ['2011-12-29T12:00:00.000Z', 'Pacific/Apia', 0, '2011-12-29', '2011-12-30T10:00:00.000Z'],
  ];
  for (const [issued_at, timezone, net_days, due_date, due_at] of CASES)
    it(`of an issue at ${issued_at} in ${timezone} plus ${net_days} days is ${due_date}`, () =>
      assert.deepEqual(dueDateOf(issued_at, timezone, net_days), { due_date, due_at }));
});
