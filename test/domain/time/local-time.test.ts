import assert from 'node:assert/strict';
import {
  dayAfter,
  dayOf,
  dayReader,
  isStartOfDay,
  isTimezone,
  localText,
  monthIn,
  startOfDay,
  startsOfDays,
} from '../../../src/domain/time/local-time.ts';

describe('the name of a time zone', () => {
  const NAMES = [
    ...[
      'UTC',
      'Etc/UTC',
      'GMT',
      'Etc/GMT+5',
      'Europe/Berlin',
      'Europe/Kyiv',
      'Asia/Kolkata',
      'Asia/Calcutta',
    ],
    ...[
      'America/Argentina/Buenos_Aires',
      'America/Port-au-Prince',
      'Antarctica/DumontDUrville',
      'EST5EDT',
      'GB',
    ],
  ];
  for (const name of NAMES) it(`may be ${name}`, () => assert.equal(isTimezone(name), true));

  const OTHERS: [text: string, why: string][] = [
    ['utc', 'another spelling'],
    ['Utc', 'another spelling'],
    ['europe/berlin', 'another spelling'],
    ['Europe/BERLIN', 'another spelling'],
    ['Z', 'no zone but an offset'],
    ['+02:00', 'an offset'],
    ['-00:00', 'an offset'],
    ['UTC+2', 'an offset'],
    ['GMT+02:00', 'an offset'],
    ['Etc/GMT+15', 'beyond the offsets of IANA'],
    ['PST', 'a zone of no name'],
    ['CEST', 'a zone of no name'],
    ['Europe/Bonn', 'no zone'],
    ['Europe', 'an area'],
    ['Europe/Berlin ', 'a blank'],
    [' Europe/Berlin', 'a blank'],
    ['Europe/Berlin\u0000', 'a control character'],
    ['2026-01-01T00:00Z', 'a timestamp'],
    ['2026-01-01T00:00+01:00[Europe/Berlin]', 'a timestamp with a zone'],
    ['', 'nothing'],
    ['null', 'nothing'],
  ];
  for (const [text, why] of OTHERS)
    it(`is not ${JSON.stringify(text)}: ${why}`, () => assert.equal(isTimezone(text), false));
});

describe('a local day', () => {
  const STARTS: [timezone: string, day: string, instant: string, why: string][] = [
    ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z', 'midnight'],
    ['Europe/Berlin', '2026-03-01', '2026-02-28T23:00:00.000Z', 'midnight'],
    ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00.000Z', 'midnight in summer'],
    ['Asia/Kathmandu', '2026-03-01', '2026-02-28T18:15:00.000Z', 'midnight'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 'at 1:00, because midnight is skipped'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z', 'at 1:00, because midnight is skipped'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 'at the first of two midnights'],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z', 'after 23:00 to 24:00 came twice'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'with the next day, because it is skipped'],
  ];
  for (const [timezone, day, instant, why] of STARTS)
    it(`${day} in ${timezone} begins at ${instant}: ${why}`, () => {
      assert.equal(startOfDay(day, timezone), instant);
      assert.equal(isStartOfDay(instant, timezone), true);
      const [before, after] = [-1, 1].map((ms) => new Date(Date.parse(instant) + ms).toISOString());
      assert.equal(isStartOfDay(before!, timezone), false);
      assert.equal(isStartOfDay(after!, timezone), false);
      assert.notEqual(dayOf(before!, timezone), dayOf(instant, timezone));
    });

  it('does not begin at the second of two midnights', () => {
    assert.equal(localText('2026-11-01T05:00:00.000Z', 'America/Havana'), '2026-11-01T00:00:00.000');
    assert.equal(isStartOfDay('2026-11-01T05:00:00.000Z', 'America/Havana'), false);
  });

  it('of an instant is that of the zone', () => {
    assert.equal(dayOf('2026-03-31T22:00:00.000Z', 'Europe/Berlin'), '2026-04-01');
    assert.equal(dayOf('2026-04-01T03:59:59.999Z', 'America/New_York'), '2026-03-31');
    assert.equal(localText('2026-03-31T12:00:00.500Z', 'Asia/Kathmandu'), '2026-03-31T17:45:00.500');
  });

  it('is read as well where the last instant is remembered, in any order', () => {
    for (const timezone of ['UTC', 'Europe/Berlin', 'America/Havana', 'Pacific/Apia', 'Asia/Kathmandu']) {
      const read = dayReader(timezone);
      for (let hour = 0; hour < 20_000; hour += 7) {
        const instant = new Date(Date.UTC(2026, 0, 1) + ((hour * 37) % 8_760) * 1_800_000).toISOString();
        assert.equal(read(instant), dayOf(instant, timezone), `${instant} in ${timezone}`);
      }
    }
  });

  it('is followed by the next, also at the end of a month', () => {
    assert.equal(dayAfter('2026-02-28'), '2026-03-01');
    assert.equal(dayAfter('2026-12-31', 30), '2027-01-30');
  });
});

describe('the days of a time zone that a range of instants reaches into', () => {
  const RANGES: [timezone: string, from: string, to: string, starts: string[]][] = [
    ['UTC', '2026-01-01T12:00', '2026-01-02T00:00', ['2026-01-01T00:00']],
    ['UTC', '2026-01-01T00:00', '2026-01-01T00:00', []],
    [
      'Europe/Berlin',
      '2026-03-28T12:00',
      '2026-03-30T12:00',
      [...['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00']],
    ],
    // The zone left out 30 December.
    ['Pacific/Apia', '2011-12-29T10:00', '2011-12-31T10:00', ['2011-12-29T10:00', '2011-12-30T10:00']],
    ['Asia/Tokyo', '9999-12-31T15:00', '9999-12-31T20:00', []],
  ];
  const instant = (text: string) => `${text}:00.000Z`;
  for (const [timezone, from, to, starts] of RANGES)
    it(`${timezone}, from ${from} to ${to}: ${starts.length}`, () => {
      const range = { from: instant(from), to: instant(to) };
      assert.deepEqual(startsOfDays(range, timezone), starts.map(instant));
    });
});

describe('a month of the calendar in a time zone', () => {
  const MONTHS: [timezone: string, month: string, from: string, to: string][] = [
    ['UTC', '2026-10', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['America/Los_Angeles', '2026-10', '2026-10-01T07:00:00.000Z', '2026-11-01T07:00:00.000Z'],
    ['America/Los_Angeles', '2026-11', '2026-11-01T07:00:00.000Z', '2026-12-01T08:00:00.000Z'],
    ['Asia/Tokyo', '2026-10', '2026-09-30T15:00:00.000Z', '2026-10-31T15:00:00.000Z'],
    ['Asia/Kathmandu', '2026-12', '2026-11-30T18:15:00.000Z', '2026-12-31T18:15:00.000Z'],
    ['UTC', '9999-12', '9999-12-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['America/Los_Angeles', '9999-12', '9999-12-01T08:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['Asia/Tokyo', '1970-01', '1969-12-31T15:00:00.000Z', '1970-01-31T15:00:00.000Z'],
  ];
  for (const [timezone, month, from, to] of MONTHS)
    it(`${month} in ${timezone} is from ${from} to ${to}`, () =>
      assert.deepEqual(monthIn(month, timezone), { from, to }));
});
