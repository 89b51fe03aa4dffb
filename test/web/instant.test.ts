import assert from 'node:assert/strict';
import {
  aMonthAfter,
  dayIn,
  dayOrTimeIn,
  distanceInWords,
  endsIn,
  latestOf,
  notBilled,
  startOfDayIn,
} from '../../web/src/components/instant.ts';

describe('a month after', () => {
  const cases = [
    ['2026-11-21T21:51:10.305Z', '2026-12-21T21:51:10.305Z'],
    ['2026-12-31T00:00:00.000Z', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T23:59:59.999Z', '2027-02-28T23:59:59.999Z'],
    ['2028-01-30T12:00:00.000Z', '2028-02-29T12:00:00.000Z'],
  ] as const;
  for (const [instant, later] of cases)
    it(`${instant} is ${later}`, () => assert.equal(aMonthAfter(instant), later));
});

describe('the beginning of a day in a time zone', () => {
  const cases = [
    ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z'],
    ['Asia/Kathmandu', '2026-12-01', '2026-11-30T18:15:00.000Z'],
    // Clocks of Beirut skip midnight, those of Havana show it twice.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['UTC', 'no day', 'no day'],
  ] as const;
  for (const [timezone, day, start] of cases)
    it(`${day} in ${timezone} is ${start}`, () => assert.equal(startOfDayIn(timezone, day), start));
});

describe('the latest of some instants', () => {
  it('ignores unknown instants', () => {
    const [early, late] = ['2026-11-21T00:00:00.000Z', '2026-11-21T00:00:00.001Z'];
    assert.equal(latestOf([early, late, null]), late);
    assert.equal(latestOf([null, early]), early);
    assert.equal(latestOf([null]), null);
  });
});

describe('the day of an instant in a time zone', () => {
  const cases = [
    ['UTC', '2026-10-31'],
    ['Asia/Tokyo', '2026-11-01'],
    ['America/Los_Angeles', '2026-10-31'],
  ] as const;
  for (const [timezone, day] of cases)
    it(`${timezone}: ${day}`, () => assert.equal(dayIn(timezone, '2026-10-31T15:00:00.000Z'), day));
});

describe('an instant in a time zone', () => {
  const cases = [
    ['UTC', '2026-10-31T00:00:00.000Z', '2026-10-31'],
    ['UTC', '2026-10-31T22:00:00.000Z', '2026-10-31 22:00:00'],
    ['Europe/Berlin', '2026-10-30T23:00:00.000Z', '2026-10-31'],
    ['Europe/Berlin', '2026-10-31T00:00:00.000Z', '2026-10-31 01:00:00'],
  ] as const;
  for (const [timezone, instant, words] of cases)
    it(`${instant} in ${timezone} is ${words}`, () => assert.equal(dayOrTimeIn(timezone, instant), words));
});

describe('the ends of a period in a time zone', () => {
  const cases: [timezone: string, from: string, to: string, first: string, last: string][] = [
    ['UTC', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', '2026-03-01', '2026-03-31'],
    ['UTC', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', '2026-03-01', '2026-03-01'],
    [
      'UTC',
      '2026-03-01T00:00:00.000Z',
      '2026-04-01T09:30:05.000Z',
      '2026-03-01 00:00:00',
      '2026-04-01 09:30:05',
    ],
    ['Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z', '2026-03-01', '2026-03-31'],
    [
      'Europe/Berlin',
      '2026-03-01T00:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
      '2026-03-01 01:00:00',
      '2026-04-01 02:00:00',
    ],
    ['America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-12-04T02:00:00.000Z', '2018-11-04', '2018-12-03'],
    ['Asia/Kathmandu', '2025-12-31T18:15:00.000Z', '2026-01-31T18:15:00.000Z', '2026-01-01', '2026-01-31'],
    [
      'Europe/Berlin',
      '2027-10-31T00:30:00.000Z',
      '2027-10-31T01:30:00.000Z',
      '2027-10-31 02:30:00 CEST',
      '2027-10-31 02:30:00 CET',
    ],
    [
      'Australia/Lord_Howe',
      '2027-04-01T03:00:00.000Z',
      '2027-04-03T15:15:00.000Z',
      '2027-04-01 14:00:00',
      '2027-04-04 01:45:00 +10:30',
    ],
  ];
  for (const [timezone, from, to, first, last] of cases)
    it(`${timezone}: ${first} to ${last}`, () =>
      assert.deepEqual(endsIn(timezone, { from, to }), [first, last]));
});

describe('how far an instant is', () => {
  const NOW = '2026-11-21T12:00:00.000Z';
  const cases = [
    ['2026-11-21T12:00:00.000Z', 'now'],
    ['2026-11-21T12:01:30.000Z', 'in 90 seconds'],
    ['2026-11-21T14:00:00.000Z', 'in 2 hours'],
    ['2026-11-24T11:59:00.000Z', 'in 3 days'],
    ['2026-11-20T12:00:00.000Z', '24 hours ago'],
    ['2027-01-05T12:00:00.000Z', 'in 45 days'],
    ['2027-11-21T12:00:00.000Z', 'in 12 months'],
    ['2023-11-21T12:00:00.000Z', '3 years ago'],
  ] as const;
  for (const [instant, distance] of cases)
    it(`${instant} is ${distance}`, () => assert.equal(distanceInWords(instant, NOW), distance));
});

describe('a subscription that needs a person', () => {
  it('shows the UTC day since which it is not billed, if something is due', () => {
    assert.equal(
      notBilled('2026-11-27T23:59:59.999Z', 'too large'),
      'Not billed since 27 November 2026: too large',
    );
    assert.equal(notBilled(null, 'too large'), 'Not billed: too large');
  });
});
