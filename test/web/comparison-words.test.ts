import assert from 'node:assert/strict';
import {
  comparisonAsText,
  differenceInWords,
  periodBeside,
} from '../../web/src/pages/invoices/comparison-words.ts';

describe('a comparison in words', () => {
  const DIFFERENCES: [difference: string, words: string][] = [
    ['1091.65', '1,091.65 EUR more than'],
    ['-91.65', '91.65 EUR less than'],
    ['0.00', 'The same total as'],
  ];
  for (const [difference, words] of DIFFERENCES)
    it(`of ${difference} says "${words}"`, () =>
      assert.equal(differenceInWords({ difference, currency: 'EUR' }), words));

  const END = { period_end: '2027-03-01T00:00:00.000Z' };
  const PERIODS: [timezone: string, from: string, to: string, words: string][] = [
    ['UTC', '2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z', 'January'],
    ['UTC', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', 'December 2026'],
    ['Europe/Berlin', '2026-12-31T23:00:00.000Z', '2027-01-31T23:00:00.000Z', 'January'],
    ['UTC', '2027-01-15T00:00:00.000Z', '2027-02-15T00:00:00.000Z', '2027-01-15 to 2027-02-14'],
    ['UTC', '2027-01-01T00:00:00.000Z', '2027-01-16T00:00:00.000Z', '2027-01-01 to 2027-01-15'],
    ['UTC', '2027-01-01T00:00:00.000Z', '2027-01-02T00:00:00.000Z', '2027-01-01'],
    ['UTC', '2027-01-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z', '2027-01-01 to 2027-02-28'],
  ];
  for (const [timezone, period_start, period_end, words] of PERIODS)
    it(`names the period from ${period_start} to ${period_end} in ${timezone} "${words}"`, () =>
      assert.equal(periodBeside({ period_start, period_end, timezone }, END), words));

  it('as a text has the totals, and the lines that differ with their causes', () => {
    const line = {
      ...{ kind: 'usage' as const, event_name: 'api_call', group: null },
      ...{ quantity: '1001', with_quantity: '900', amount: '115.05', with_amount: '90.00' },
    };
    const text = comparisonAsText(
      {
        ...{ object: 'invoice_comparison', invoice_id: 'inv_2', with_invoice_id: 'inv_1', currency: 'EUR' },
        ...{ total: '1196.86', with_total: '1166.80', difference: '30.06' },
        lines: [
          {
            ...{ ...line, title: 'API calls', difference: '25.05' },
            causes: [
              { cause: 'usage', amount: '15.05' },
              { cause: 'late', amount: '10.00' },
            ],
          },
          { ...line, title: 'Fee', difference: '0.00', causes: [] },
          { ...line, title: 'Tax', difference: '5.01', causes: [{ cause: 'tax_base', amount: '5.01' }] },
        ],
      },
      'Invoice INV-2',
      'INV-1 (January)',
    );
    assert.equal(
      text,
      `Invoice INV-2: 1,196.86 EUR. 30.06 EUR more than INV-1 (January): 1,166.80 EUR.
- API calls: +25.05 EUR (usage +15.05, late usage +10.00)
- Tax: +5.01 EUR (other net amount +5.01)`,
    );
  });
});
