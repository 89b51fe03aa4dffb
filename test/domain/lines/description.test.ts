import assert from 'node:assert/strict';
import type { RatedCharge } from '../../../src/domain/pricing/series.ts';
import { withTitles } from '../../../src/domain/lines/charge-title.ts';
import { describeLine, type DescribedLine } from '../../../src/domain/lines/description.ts';
import type { Period } from '../../../src/domain/time/period.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';

const JANUARY = aPeriod('2026-01-01', '2026-02-01');

/** No other line of the same charge and period; days are in UTC. */
const ALONE = { others_quantity: '0', is_late: false, timezone: 'UTC', currency: 'USD' };

describe('the description of a line', () => {
  const read = (type: 'sum' | 'max' | 'unique' | 'latest', property: string, event_name: string) =>
    aCharge({ event_name, aggregation: { type, property } });
  const named = (type: 'sum' | 'max' | 'unique' | 'latest', name: string) =>
    aCharge({ name, event_name: 'cdr_v2_evt', aggregation: { type, property: 'billsec_raw' } });
  const tiered = aCharge({ name: 'API calls', pricing: { pricing_model: 'graduated', tiers: TIERS } });
  const packaged = aCharge({
    pricing: { pricing_model: 'package', package_size: '1000', package_amount: '10', free_units: '100' },
  });
  const credit = aCharge({
    pricing: { pricing_model: 'credit', credits_per_unit: '10', overage_unit_amount: '0' },
  });

  /** Describes a line of a plan with only this charge. */
  const describeAlone = ({ charge, ...line }: Omit<DescribedLine, 'charge'> & { charge: RatedCharge }) =>
    describeLine({ ...line, charge: withTitles([charge])[0]! });

  type Case = [
    charge: RatedCharge,
    quantity: string,
    creditable: string,
    credits_applied: string,
    words: string,
  ];
  const quantities: Case[] = [
    [aCharge(), '15000', '15000', '3000', 'Api call: 15,000 events, 3,000 of them covered by credit'],
    [aCharge(), '1', '1', '0', 'Api call: 1 event'],
    [aCharge(), '0', '0', '0', 'Api call: 0 events'],
    [aCharge(), '1234567', '1234567', '0', 'Api call: 1,234,567 events'],
    [tiered, '999', '999', '0', 'API calls: 999 events'],
    [{ ...tiered, unit_name: 'requests' }, '1500', '1500', '0', 'API calls: 1,500 requests'],
    [read('sum', 'bytes', 'transfer'), '1500.1234', '1500.1234', '0', 'Transfer: 1,500.1234 (sum of bytes)'],
    [
      read('max', 'seatCount', 'user.login'),
      '12',
      '12',
      '2',
      'User login: 12 (highest seat count), 2 of them covered by credit',
    ],
    [read('unique', 'user', 'LOGIN'), '100', '100', '0', 'LOGIN: 100 (different values of user)'],
    [read('latest', 'seats', 'change'), '7', '7', '0', 'Change: 7 (last seats)'],
    [named('sum', 'Call minutes'), '64', '64', '4', 'Call minutes: 64, 4 of them covered by credit'],
    [named('max', 'Seats'), '12', '12', '0', 'Seats: 12 (highest)'],
    [named('unique', 'Active users'), '100', '100', '0', 'Active users: 100 (each counted once)'],
    [named('latest', 'Seats'), '7', '7', '0', 'Seats: 7 (last)'],
    [{ ...named('sum', 'Calls'), unit_name: 'minutes' }, '64', '64', '0', 'Calls: 64 minutes'],
    [{ ...named('max', 'Team'), unit_name: 'seats' }, '12', '12', '0', 'Team: 12 seats (highest)'],
    [
      packaged,
      '1200',
      '1100',
      '300',
      'Api call: 1,200 events, 100 of them free, 300 of them covered by credit',
    ],
    [
      credit,
      '1250',
      '12500',
      '10000',
      'Api call: 1,250 events for 12,500 credits, 10,000 of them from grants',
    ],
    [aCharge({ event_name: '___' }), '1', '1', '0', '___: 1 event'],
    [aCharge({ event_name: 'größe/Ändern' }), '1', '1', '0', 'Größe ändern: 1 event'],
  ];
  for (const [charge, quantity, creditable, credits_applied, words] of quantities) {
    it(words, () => {
      const sentence = describeAlone({
        charge,
        quantity,
        creditable,
        credits_applied,
        period: JANUARY,
        ...ALONE,
      });
      assert.equal(sentence, `${words}, from 1 to 31 January 2026`);
    });
  }

  const parts = (period_start: string, period_end: string): Period => ({
    ...JANUARY,
    period_start,
    period_end,
  });
  const periods: [period: Period, words: string][] = [
    [JANUARY, 'from 1 to 31 January 2026'],
    [aPeriod('2024-02-01', '2024-03-01'), 'from 1 to 29 February 2024'],
    [aPeriod('2026-01-15', '2026-02-15'), 'from 15 January to 14 February 2026'],
    [aPeriod('2025-12-15', '2026-01-15'), 'from 15 December 2025 to 14 January 2026'],
    [aPeriod('2026-09-30', '2026-10-01'), 'on 30 September 2026'],
    [
      parts('2026-01-01T10:30:00.000Z', '2026-02-01T10:30:00.000Z'),
      'from 1 January 2026 10:30 to 1 February 2026 10:30 UTC',
    ],
    [
      parts(midnight('2026-01-01'), '2026-01-09T07:05:09.120Z'),
      'from 1 January 2026 00:00 to 9 January 2026 07:05:09 UTC',
    ],
    [
      parts('2026-01-09T07:05:00.000Z', midnight('2026-02-01')),
      'from 9 January 2026 07:05 to 1 February 2026 00:00 UTC',
    ],
  ];
  for (const [period, words] of periods) {
    it(words, () => {
      const line = {
        charge: aCharge(),
        quantity: '2',
        creditable: '2',
        credits_applied: '0',
        period,
        ...ALONE,
      };
      assert.equal(describeAlone(line), `Api call: 2 events, ${words}`);
    });
  }

  const zoned: [timezone: string, start: string, end: string, words: string][] = [
    [
      'Europe/Berlin',
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
      'from 1 to 31 March 2026 (Europe/Berlin)',
    ],
    [
      'America/New_York',
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T04:00:00.000Z',
      'on 8 March 2026 (America/New_York)',
    ],
    [
      'Asia/Kathmandu',
      '2025-12-31T18:15:00.000Z',
      '2026-01-31T18:15:00.000Z',
      'from 1 to 31 January 2026 (Asia/Kathmandu)',
    ],
    [
      'Europe/Berlin',
      midnight('2026-01-01'),
      midnight('2026-02-01'),
      'from 1 January 2026 01:00 to 1 February 2026 01:00 (Europe/Berlin)',
    ],
    [
      'Europe/Berlin',
      '2026-03-15T10:30:05.000Z',
      '2026-03-31T22:00:00.000Z',
      'from 15 March 2026 11:30:05 to 1 April 2026 00:00 (Europe/Berlin)',
    ],
    [
      'America/Sao_Paulo',
      '2018-11-04T03:00:00.000Z',
      '2018-12-04T02:00:00.000Z',
      'from 4 November to 3 December 2018 (America/Sao_Paulo)',
    ],
    [
      'Europe/Berlin',
      '2027-10-31T00:30:00.000Z',
      '2027-10-31T01:30:00.000Z',
      'from 31 October 2027 02:30 CEST to 31 October 2027 02:30 CET (Europe/Berlin)',
    ],
    [
      'Pacific/Apia',
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      'on 29 December 2011 (Pacific/Apia)',
    ],
  ];
  for (const [timezone, period_start, period_end, words] of zoned) {
    it(words, () => {
      const line = { charge: aCharge(), quantity: '2', creditable: '2', credits_applied: '0' };
      const described = { ...line, period: parts(period_start, period_end), ...ALONE, timezone };
      assert.equal(describeAlone(described), `Api call: 2 events, ${words}`);
    });
  }

  const beside: [parts: Partial<DescribedLine>, sentence: string][] = [
    [
      { is_late: true, others_quantity: '900' },
      'Late usage: Api call: 300 events, from 1 to 31 January 2026, priced together with 900 billed before',
    ],
    [
      {
        is_late: true,
        others_quantity: '1200',
        quantity: '-200',
        creditable: '-200',
        credits_applied: '-50',
      },
      'Late usage: Api call: -200 events, 50 of credit returned, from 1 to 31 January 2026, priced together with 1,200 billed before',
    ],
    [
      { others_quantity: '900', credits_applied: '20' },
      'Api call: 300 events, 20 of them covered by credit, from 1 to 31 January 2026, priced together with 900 billed before',
    ],
  ];
  for (const [parts, sentence] of beside) {
    it(sentence, () => {
      const line = {
        charge: aCharge(),
        quantity: '300',
        creditable: '300',
        credits_applied: '0',
        period: JANUARY,
      };
      assert.equal(describeAlone({ ...line, ...ALONE, ...parts }), sentence);
    });
  }
});
