import assert from 'node:assert/strict';
import type { Charge } from '../../src/domain/charge.ts';
import { describeLine, type DescribedLine } from '../../src/domain/description.ts';
import type { Period } from '../../src/domain/period.ts';
import { T, aCharge } from '../support/plans.ts';
import { aPeriod, midnight } from '../support/schedules.ts';

const JANUARY = aPeriod('2026-01-01', '2026-02-01');

/** No other line of the charge and period. */
const ALONE = { others_quantity: '0', is_late: false };

describe('the description of a line', () => {
  const read = (type: 'sum' | 'max' | 'unique' | 'latest', property: string, event_name: string) =>
    aCharge({ event_name, aggregation: { type, property } });
  const tiered = aCharge({ name: 'API calls', pricing: { pricing_model: 'graduated', tiers: T } });
  const flat = aCharge({ pricing: { pricing_model: 'flat', flat_amount: '49' } });
  const packaged = aCharge({
    pricing: { pricing_model: 'package', package_size: '1000', package_amount: '10', free_units: '100' },
  });
  const credit = aCharge({
    pricing: { pricing_model: 'credit', credits_per_unit: '10', overage_unit_amount: '0' },
  });

  type Case = [charge: Charge, quantity: string, creditable: string, credits_applied: string, words: string];
  const quantities: Case[] = [
    [aCharge(), '15000', '15000', '3000', '15,000 api_call events, 3,000 of them covered by credit'],
    [aCharge(), '1', '1', '0', '1 api_call event'],
    [aCharge(), '0', '0', '0', '0 api_call events'],
    [aCharge(), '1234567', '1234567', '0', '1,234,567 api_call events'],
    [tiered, '999', '999', '0', 'API calls: 999 api_call events'],
    [
      read('sum', 'bytes', 'transfer'),
      '1500.1234',
      '1500.1234',
      '0',
      '1,500.1234 (sum of bytes in transfer events)',
    ],
    [
      read('max', 'seats', 'login'),
      '12',
      '12',
      '2',
      '12 (largest seats in login events), 2 of them covered by credit',
    ],
    [read('unique', 'user', 'login'), '100', '100', '0', '100 (distinct values of user in login events)'],
    [read('latest', 'seats', 'change'), '7', '7', '0', '7 (latest seats in change events)'],
    [
      packaged,
      '1200',
      '1100',
      '300',
      '1,200 api_call events, 100 of them free, 300 of them covered by credit',
    ],
    [
      credit,
      '1250',
      '12500',
      '10000',
      '1,250 api_call events for 12,500 credits, 10,000 of them from grants',
    ],
    [flat, '1', '0', '0', 'Fixed fee for api_call'],
    [{ ...flat, name: 'Base fee' }, '1', '0', '0', 'Base fee'],
  ];
  for (const [charge, quantity, creditable, credits_applied, words] of quantities) {
    it(words, () => {
      const sentence = describeLine({
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
      assert.equal(describeLine(line), `2 api_call events, ${words}`);
    });
  }

  it('of a flat charge says what it is a part of', () => {
    const period = parts(midnight('2026-01-01'), midnight('2026-01-12'));
    const line = { charge: flat, quantity: '1', creditable: '0', credits_applied: '0', period, ...ALONE };
    const expected =
      'Fixed fee for api_call, from 1 to 11 January 2026, a part of the period from 1 to 31 January 2026';
    assert.equal(describeLine(line), expected);
  });

  const beside: [parts: Partial<DescribedLine>, sentence: string][] = [
    [
      { is_late: true, others_quantity: '900' },
      'Late usage: 300 api_call events, from 1 to 31 January 2026, priced together with 900 billed before',
    ],
    [
      {
        is_late: true,
        others_quantity: '1200',
        quantity: '-200',
        creditable: '-200',
        credits_applied: '-50',
      },
      'Late usage: -200 api_call events, 50 of credit returned, from 1 to 31 January 2026, priced together with 1,200 billed before',
    ],
    [
      { others_quantity: '900', credits_applied: '20' },
      '300 api_call events, 20 of them covered by credit, from 1 to 31 January 2026, priced together with 900 billed before',
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
      assert.equal(describeLine({ ...line, ...ALONE, ...parts }), sentence);
    });
  }
});
