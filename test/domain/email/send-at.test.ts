import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sendAt, type EmailHours } from '../../../src/domain/email/send-at.ts';
import { localOf } from '../../../src/domain/time/local-time.ts';

const QUARTER_MS = 900_000;
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  // Half an hour of summer time; midnights that the clocks skip; a day that the calendar skipped.
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
];

describe('the time to send an email', () => {
  const DAY: EmailHours = { from: 8, until: 18 };
  const CASES: [at: string, zone: string, hours: EmailHours, send_at: string][] = [
    // Midnight in New York, 8 o'clock is five hours before UTC.
    ['2026-01-15T05:00:00.000Z', 'America/New_York', DAY, '2026-01-15T13:00:00.000Z'],
    ['2026-07-15T05:00:00.000Z', 'America/New_York', DAY, '2026-07-15T12:00:00.000Z'],
    ['2026-01-15T13:00:00.000Z', 'America/New_York', DAY, '2026-01-15T13:00:00.000Z'],
    ['2026-01-15T22:59:59.999Z', 'America/New_York', DAY, '2026-01-15T22:59:59.999Z'],
    ['2026-01-15T23:00:00.000Z', 'America/New_York', DAY, '2026-01-16T13:00:00.000Z'],
    ['2026-01-15T03:00:00.000Z', 'UTC', { from: 0, until: 24 }, '2026-01-15T03:00:00.000Z'],
    // In Berlin the night of 29 March has no 2 o'clock, and that of 25 October has two.
    ['2026-03-28T20:00:00.000Z', 'Europe/Berlin', DAY, '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T20:00:00.000Z', 'Europe/Berlin', DAY, '2026-10-25T07:00:00.000Z'],
    ['2026-03-29T00:30:00.000Z', 'Europe/Berlin', { from: 2, until: 18 }, '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T00:30:00.000Z', 'Europe/Berlin', { from: 2, until: 3 }, '2026-03-30T00:00:00.000Z'],
    ['2026-10-25T01:30:00.000Z', 'Europe/Berlin', { from: 2, until: 3 }, '2026-10-25T01:30:00.000Z'],
    // Time ends before the next morning.
    ['9999-12-31T20:00:00.000Z', 'UTC', DAY, '9999-12-31T23:59:59.999Z'],
  ];
  for (const [at, zone, hours, expected] of CASES)
    it(`of ${at} in ${zone}, ${hours.from} to ${hours.until} o'clock, is ${expected}`, () =>
      assert.equal(sendAt(at, zone, hours), expected));

  it('is the next instant within the hours, as a walk by quarters of an hour finds it', () => {
    const someHours = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
      .filter(([from, until]) => from < until)
      .map(([from, until]) => ({ from, until }));
    // Around the changes of clocks: any quarter of an hour of these years.
    const [first, last] = [Date.UTC(2010, 0, 1) / QUARTER_MS, Date.UTC(2027, 0, 1) / QUARTER_MS];
    const aTime = fc.integer({ min: first, max: last });
    const aChange = fc.constantFrom(
      ...[
        '2011-12-30T10:00Z',
        '2026-03-29T01:00Z',
        '2026-10-25T01:00Z',
        '2026-03-08T07:00Z',
        '2026-11-01T06:00Z',
      ],
      ...['2026-04-04T15:00Z', '2026-10-03T15:30Z', '2026-09-06T04:00Z', '2026-04-05T03:00Z'],
    );
    const near = fc
      .tuple(aChange, fc.integer({ min: -120, max: 20 }))
      .map(([change, quarters]) => Date.parse(change) / QUARTER_MS + quarters);
    fc.assert(
      fc.property(fc.oneof(aTime, near), fc.constantFrom(...ZONES), someHours, (quarter, zone, hours) => {
        const at = new Date(quarter * QUARTER_MS).toISOString();
        assert.equal(sendAt(at, zone, hours), walked(at, zone, hours));
      }),
      { numRuns: 300 },
    );
  });
});

function walked(at: string, zone: string, { from, until }: EmailHours): string {
  for (let now = Date.parse(at); ; now += QUARTER_MS) {
    const instant = new Date(now).toISOString();
    const { hour } = localOf(instant, zone);
    if (hour >= from && hour < until) return instant;
  }
}
