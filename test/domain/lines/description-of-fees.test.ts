import assert from 'node:assert/strict';
import { withTitles } from '../../../src/domain/lines/charge-title.ts';
import { describeFee, shareInWords, type DescribedFee } from '../../../src/domain/lines/description.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';

const JANUARY = aPeriod('2026-01-01', '2026-02-01');
const IN_JANUARY = 'from 1 to 31 January 2026';
const MARCH = { kind: 'billing', interval_start: '2026-02-28T23:00:00.000Z' } as const;
const MARCH_ENDS = '2026-03-31T22:00:00.000Z';

describe('the description of a flat line', () => {
  type Parts = Partial<Omit<DescribedFee, 'charge'>> & { name?: string; flat_amount?: string };
  const described = ({ name = 'Fee', flat_amount = '62', ...parts }: Parts) => {
    const charge = aCharge({ name, pricing: { pricing_model: 'flat', flat_amount } });
    const line = { amount: '62.00', period: JANUARY, timezone: 'UTC', currency: 'USD', ...parts };
    return describeFee({ charge: withTitles([charge])[0]!, stretches: null, ...line });
  };
  const half = { ...JANUARY, period_end: midnight('2026-01-16') };

  const LINES: [why: string, parts: Parts, sentence: string][] = [
    ['of a whole period', {}, `Fee, ${IN_JANUARY}`],
    [
      'of a part of the time',
      { amount: '30.00', period: half },
      `Fee, 30.00 of 62.00, from 1 to 15 January 2026, a part of the period ${IN_JANUARY}`,
    ],
    [
      'of a part of the time that costs the whole',
      { period: half },
      `Fee, from 1 to 15 January 2026, a part of the period ${IN_JANUARY}`,
    ],
    ['of the rest of a period', { amount: '32.00' }, `Fee, 32.00 of 62.00, ${IN_JANUARY}`],
    [
      'of a part in a time zone, which it names once',
      {
        amount: '6.01',
        period: { ...MARCH, period_start: '2026-03-28T23:00:00.000Z', ...ends(MARCH_ENDS) },
        timezone: 'Europe/Berlin',
      },
      'Fee, 6.01 of 62.00, from 29 to 31 March 2026, a part of the period from 1 to 31 March 2026 (Europe/Berlin)',
    ],
  ];
  for (const [why, parts, sentence] of LINES)
    it(`${why}: ${sentence}`, () => assert.equal(described(parts), sentence));

  it('without a name of its charge says what the fee is for', () => {
    const charge = withTitles([aCharge({ pricing: { pricing_model: 'flat', flat_amount: '49' } })])[0]!;
    const line = { amount: '49.00', period: JANUARY, timezone: 'UTC', currency: 'USD' };
    assert.equal(describeFee({ charge, stretches: null, ...line }), `Fixed fee for api call, ${IN_JANUARY}`);
  });

  function ends(period_end: string) {
    return { period_end, interval_end: period_end };
  }

  const SHARES: [amount: string, flat_amount: string, currency: string, words: string | null][] = [
    ['31.00', '62', 'USD', '31.00 of 62.00'],
    ['62.00', '62', 'USD', null],
    ['0.00', '62', 'USD', '0.00 of 62.00'],
    ['0.00', '0', 'USD', null],
    ['1234.50', '2469', 'USD', '1,234.50 of 2,469.00'],
    ['1500', '3000', 'JPY', '1,500 of 3,000'],
    ['3000', '3000', 'JPY', null],
    ['1.234', '2.468', 'KWD', '1.234 of 2.468'],
    ['31.00', '62.005', 'USD', '31.00 of 62.005'],
    ['62.01', '62.005', 'USD', '62.005 rounded to 62.01'],
    ['100', '99.5', 'JPY', '99.5 rounded to 100'],
    ['0.00', '0.004', 'USD', '0.004 rounded to 0.00'],
  ];
  for (const [amount, flat_amount, currency, words] of SHARES)
    it(`${amount} where a period costs ${flat_amount} ${currency} says ${words ?? 'no share'}`, () =>
      assert.equal(shareInWords(amount, { pricing_model: 'flat', flat_amount }, currency), words));
});
