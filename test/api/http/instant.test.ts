import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { parseInstant } from '../../../api/schema/instant.ts';

describe('parseInstant', () => {
  const TAKEN: [text: string, instant: string][] = [
    ['2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00+05:30', '2023-12-31T18:30:00.000Z'],
    ['2024-01-01T00:00:00-05:30', '2024-01-01T05:30:00.000Z'],
    ['2024-01-01t12:30:15z', '2024-01-01T12:30:15.000Z'],
    ['2024-01-01T12:30', '2024-01-01T12:30:00.000Z'],
    ['2024-01-01T12:30+01:00', '2024-01-01T11:30:00.000Z'],
    ['2024-01-01T12:30:15', '2024-01-01T12:30:15.000Z'],
    ['2024-01-01', '2024-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2024-01-31T23:59:59.999999Z', '2024-01-31T23:59:59.999Z'],
    ['2024-01-31T23:59:59.1Z', '2024-01-31T23:59:59.100Z'],
    // Digits as .NET and Go print them, and the maximum number of digits.
    ['2024-01-31T23:59:59.9999999Z', '2024-01-31T23:59:59.999Z'],
    ['2024-01-31T23:59:59.123456789+01:00', '2024-01-31T22:59:59.123Z'],
    [`2024-01-31T23:59:59.${'9'.repeat(30)}Z`, '2024-01-31T23:59:59.999Z'],
    ['2024-01-01T00:00:00-00:00', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00+15:59', '2023-12-31T08:01:00.000Z'],
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ];
  for (const [text, instant] of TAKEN) it(`reads ${text}`, () => assert.equal(parseInstant(text), instant));

  const REFUSED = [
    ...['', ' ', 'now', 'infinity', '-infinity', 'epoch', 'today', 'J2451187', 'yesterday', '1704067200'],
    ...[
      '2024-02-30T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '2100-02-29',
      '2024-04-31',
      '2024-00-01',
      '2024-01-00',
    ],
    ...['2024-13-01T00:00:00Z', '2024-01-01T25:00:00Z', '2024-01-01T24:00:00Z', '2024-01-01T23:60:00Z'],
    ...['2024-02-30T00:00:00.000Z', '2024-13-01T00:00:00.000Z', '2024-01-01T24:00:00.000Z'],
    ...[
      '2016-12-31T23:59:60Z',
      '2017-01-01T05:29:60+05:30',
      '2024-01-01T00:00:60Z',
      '2024-01-01T00:00:60.000Z',
    ],
    ...[
      '10000-01-01T00:00:00Z',
      '+010000-01-01T00:00:00Z',
      '-271821-04-20T00:00:00Z',
      '0000-01-01T00:00:00Z',
    ],
    ...['294277-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '1969-12-31T23:59:59-05:00'],
    ...['1970-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '1969-12-31T23:59:59.999Z'],
    ...['2024-01-01T00:00:00+24:00', '2024-01-01T00:00:00+05', '2024-01-01T00:00:00+99:99'],
    ...['2024-01-01T00:00:00+16:00', '2024-01-01T00:00:00+05:60', '2024-01-01T00:00:00+0530'],
    ...['2024-01-01T00:00:00\u221205:00', '２０２４-01-01', '2024-01-01T00:00:00Z[Europe/Paris]'],
    ...['2024-01-01T00:00:00[Europe/Paris]', '2024-01-01T00:00:00 America/New_York', '2024-01-01+01:00'],
    ...['Mon, 01 Jan 2024 00:00:00 GMT', '2024-001', '2024-W01-1', '20240101', '01/02/2024', '2024-1-1'],
    ...['2024-01-01T00:00:00Z ', ' 2024-01-01', '2024-01-01T00:00:00Z\n', '2024-01-01 00:00:00Z', '2024-01'],
    ...[
      `2024-01-31T23:59:59.${'9'.repeat(31)}Z`,
      '2024-01-31T23:59:59.Z',
      '2024-01-31T23:59:59,5Z',
      '2024-01-31T23Z',
    ],
    ...['2024-01-01T00:00:00.00aZ', '2024-01-01T00:00:0x.000Z', '2024_01-01T00:00:00.000Z'],
  ];
  for (const text of REFUSED)
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseInstant(text), null));

  const aPart = (max: number) => fc.integer({ min: 0, max }).map((part) => `${part}`.padStart(2, '0'));
  const aTime = fc
    .tuple(aPart(25), aPart(61), fc.option(fc.tuple(aPart(61), fc.stringMatching(/^(\.\d{1,30})?$/))))
    .map(([hour, minute, rest]) => `T${hour}:${minute}${rest === null ? '' : `:${rest.join('')}`}`);
  const anOffset = fc.oneof(
    fc.constantFrom('', 'Z'),
    fc.tuple(fc.constantFrom('+', '-'), aPart(15), aPart(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
  );
  const aText = fc
    .tuple(fc.integer({ min: 1969, max: 10_000 }), aPart(13), aPart(32), aTime, anOffset)
    .map(([year, month, day, time, offset]) => `${year}-${month}-${day}${time}${offset}`);

  it("agrees with JavaScript's Temporal on every text, to the millisecond", () => {
    fc.assert(
      fc.property(aText, (text) => assert.equal(parseInstant(text), byTemporal(text))),
      { numRuns: 2000 },
    );
  });

  it('returns its own output unchanged', () => {
    const min = Date.UTC(1970, 0);
    const max = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    fc.assert(
      fc.property(fc.integer({ min, max }), (ms) => {
        const text = new Date(ms).toISOString();
        assert.equal(parseInstant(text), text);
      }),
    );
  });
});

/** Temporal accepts leap seconds and years outside the contract, and at most nine digits of a second. */
function byTemporal(sent: string): string | null {
  const text = sent.replace(/(\.\d{9})\d+/, '$1');
  if (/:60/.test(text.slice(16))) return null;
  try {
    const local = Temporal.PlainDateTime.from(text.replace(/(Z|[+-]\d\d:\d\d)$/, ''), { overflow: 'reject' });
    const zoned = /(Z|[+-]\d\d:\d\d)$/.test(text.slice(10)) ? text : `${text}Z`;
    const instant = Temporal.Instant.from(zoned).round({
      smallestUnit: 'millisecond',
      roundingMode: 'floor',
    });
    const year = instant.toZonedDateTimeISO('UTC').year;
    if ([local.year, year].some((one) => one < 1970 || one > 9999)) return null;
    return new Date(instant.epochMilliseconds).toISOString();
  } catch {
    return null;
  }
}
