import assert from 'node:assert/strict';
import { periodInWords, spanInWords } from '../../../src/domain/lines/description.ts';
import { feeCorrections } from '../../../src/domain/invoice/fee.ts';
import { NO_DISCOUNTS } from '../../../src/domain/pricing/discount.ts';
import { offsetInWords } from '../../../src/domain/time/repeated-time.ts';
import { aCharge } from '../../support/ledger/plans.ts';

describe('the offset of a time of day that occurs twice', () => {
  /** Both instants of a time of day, such as 2027-10-31T00:30 in UTC, each with its offset. */
  const TWICE: [timezone: string, first: string, offset: string, second: string, offset: string][] = [
    ['Europe/Berlin', '2027-10-31T00:30', 'CEST', '2027-10-31T01:30', 'CET'],
    ['Europe/London', '2027-10-31T00:30', 'BST', '2027-10-31T01:30', 'GMT'],
    ['Europe/Dublin', '2027-10-31T00:30', 'IST', '2027-10-31T01:30', 'GMT'],
    ['Europe/Lisbon', '2027-10-31T00:30', 'WEST', '2027-10-31T01:30', 'WET'],
    ['Europe/Kyiv', '2027-10-31T00:00', 'EEST', '2027-10-31T01:00', 'EET'],
    ['Asia/Jerusalem', '2027-10-30T22:59', 'IDT', '2027-10-30T23:59', 'IST'],
    ['America/St_Johns', '2027-11-07T03:30', 'NDT', '2027-11-07T04:30', 'NST'],
    ['America/New_York', '2027-11-07T05:30', 'EDT', '2027-11-07T06:30', 'EST'],
    ['America/Havana', '2027-11-07T04:00', 'CDT', '2027-11-07T05:00', 'CST'],
    ['America/Chicago', '2027-11-07T06:30', 'CDT', '2027-11-07T07:30', 'CST'],
    ['America/Los_Angeles', '2027-11-07T08:30', 'PDT', '2027-11-07T09:30', 'PST'],
    ['America/Adak', '2027-11-07T10:30', 'HDT', '2027-11-07T11:30', 'HST'],
    ['Australia/Adelaide', '2027-04-03T16:00', 'ACDT', '2027-04-03T17:00', 'ACST'],
    ['Pacific/Auckland', '2027-04-03T13:30', 'NZDT', '2027-04-03T14:30', 'NZST'],
    // IANA has no letters for these, whatever other lists have.
    ['Australia/Lord_Howe', '2027-04-03T14:45', '+11:00', '2027-04-03T15:15', '+10:30'],
    ['Pacific/Chatham', '2027-04-03T13:30', '+13:45', '2027-04-03T14:30', '+12:45'],
    ['America/Santiago', '2027-04-04T02:30', '-03:00', '2027-04-04T03:30', '-04:00'],
    ['America/Sao_Paulo', '2018-02-18T01:30', '-02:00', '2018-02-18T02:30', '-03:00'],
    ['Atlantic/Azores', '2027-10-31T00:30', '+00:00', '2027-10-31T01:30', '-01:00'],
    ['Antarctica/Troll', '2027-10-30T23:30', '+02:00', '2027-10-31T01:30', '+00:00'],
    ['Africa/Casablanca', '2024-03-10T01:30', '+01:00', '2024-03-10T02:30', '+00:00'],
    // Three hours back.
    ['Antarctica/Casey', '2021-03-13T11:00', '+11:00', '2021-03-13T14:00', '+08:00'],
    // The letters are MSK before and after.
    ['Europe/Moscow', '2014-10-25T21:30', '+04:00', '2014-10-25T22:30', '+03:00'],
  ];
  for (const [timezone, first, offset, second, other] of TWICE)
    it(`in ${timezone} is ${offset}, then ${other}`, () => {
      assert.deepEqual(
        [first, second].map((instant) => offsetInWords(at(instant), timezone)),
        [offset, other],
      );
    });

  const ONCE: [timezone: string, instant: string, why: string][] = [
    ['UTC', '2027-10-31T00:30', 'UTC has one offset'],
    ['Asia/Tokyo', '2027-10-31T00:30', 'its clocks do not change'],
    ['Europe/Berlin', '2027-10-30T23:59', '01:59, before the hour that comes twice'],
    ['Europe/Berlin', '2027-10-31T02:00', '03:00, after it'],
    ['Europe/Berlin', '2027-10-30T00:30', 'the day before'],
    ['Europe/Berlin', '2027-11-01T01:30', 'the day after'],
    ['Europe/Berlin', '2027-03-28T00:59', '01:59, before clocks are put forward'],
    ['Europe/Berlin', '2027-03-28T01:00', '03:00, when they are'],
    ['Australia/Lord_Howe', '2027-04-03T14:29', '01:29, before the half hour that comes twice'],
    ['Australia/Lord_Howe', '2027-04-03T15:30', '02:00, after it'],
    ['Pacific/Apia', '2011-12-30T10:00', 'the first instant after a day that was left out'],
  ];
  for (const [timezone, instant, why] of ONCE)
    it(`is not named at ${instant}Z in ${timezone}: ${why}`, () =>
      assert.equal(offsetInWords(at(instant), timezone), null));
});

describe('the reason of an automatic credit note', () => {
  it('names the offset of a time of day that occurs twice', () => {
    const [end, boundary] = [at('2027-10-31T00:30'), at('2027-10-31T01:30')];
    const start = at('2027-10-01T00:30');
    const charge = aCharge({ pricing: { pricing_model: 'flat', flat_amount: '62', billed: 'in_advance' } });
    const line = { id: 'li_1', charge_id: charge.id, plan_id: 'plan_1', full_period_start: start };
    const money = { amount: '62.00', credited: '0', amount_before: null };
    const full_period = { kind: 'billing', period_start: start, period_end: end, plan_id: 'plan_1' } as const;
    const [correction] = feeCorrections(
      [charge],
      {
        full_period: { ...full_period, interval_start: start, interval_end: boundary },
        full_period_start: start,
        lines: [{ ...line, period_end: boundary, ...money, is_on_draft: false }],
        arrears: [],
        ...{ home: 'issued', opening: 'none', settle: 'balance', exchanges: {}, settle_left_out: 'balance' },
        discounting: NO_DISCOUNTS,
        quantities: [],
      },
      { now: end, currency: 'EUR', timezone: 'Europe/Berlin' },
    );
    const words = 'from 31 October 2027 02:30 CEST to 31 October 2027 02:30 CET';
    assert.equal(correction?.reason, `Unused time ${words}`);
  });
});

describe('a span with a time of day that occurs twice', () => {
  const SPANS: [timezone: string, start: string, end: string, words: string][] = [
    [
      'Europe/Berlin',
      '2027-10-31T00:30',
      '2027-10-31T01:30',
      'from 31 October 2027 02:30 CEST to 31 October 2027 02:30 CET',
    ],
    [
      'Europe/Berlin',
      '2027-10-01T00:30',
      '2027-10-31T01:30:05',
      'from 1 October 2027 02:30 to 31 October 2027 02:30:05 CET',
    ],
    [
      'Australia/Lord_Howe',
      '2027-04-03T14:45',
      '2027-04-03T15:15',
      'from 4 April 2027 01:45 +11:00 to 4 April 2027 01:45 +10:30',
    ],
    // The second midnight does not begin the day.
    [
      'America/Havana',
      '2027-11-07T04:00',
      '2027-11-07T05:00',
      'from 7 November 2027 00:00 CDT to 7 November 2027 00:00 CST',
    ],
    ['America/Havana', '2027-11-07T04:00', '2027-12-01T05:00', 'from 7 to 30 November 2027'],
    [
      'UTC',
      '2027-10-31T00:30',
      '2027-10-31T01:30',
      'from 31 October 2027 00:30 to 31 October 2027 01:30 UTC',
    ],
  ];
  for (const [timezone, start, end, words] of SPANS)
    it(`in ${timezone} is ${words}`, () => {
      const span = { period_start: at(start), period_end: at(end) };
      assert.equal(spanInWords(span, timezone), words);
      assert.equal(periodInWords(span, timezone), words);
    });
});

function at(text: string): string {
  return new Date(`${text}Z`).toISOString();
}
