import assert from 'node:assert/strict';
import type { RatedCharge } from '../../../src/domain/pricing/series.ts';
import { withTitles } from '../../../src/domain/lines/charge-title.ts';
import { describeLine, type DescribedLine } from '../../../src/domain/lines/description.ts';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const JANUARY = aPeriod('2026-01-01', '2026-02-01');
const ALONE = { others_quantity: '0', is_late: false, timezone: 'UTC', currency: 'USD' };

describe('the description of a line, by the model of its charge', () => {
  /** Describes a line of a plan with only this charge. */
  const describeAlone = ({ charge, ...line }: Omit<DescribedLine, 'charge'> & { charge: RatedCharge }) =>
    describeLine({ ...line, charge: withTitles([charge])[0]! });

  const fee = (pricing: Pricing, unit_name: string | null = 'dollars') =>
    aCharge({ name: 'Fee', unit_name, aggregation: { type: 'sum', property: 'volume' }, pricing });
  const percentage = (minimum_amount: string | null = null, maximum_amount: string | null = null) =>
    fee({ pricing_model: 'percentage', rate: '2.5', minimum_amount, maximum_amount });
  const volume = fee({ pricing_model: 'volume', tiers: TIERS });
  const graduated = fee({ pricing_model: 'graduated', tiers: TIERS });
  const package_of_ten = fee({
    ...{ pricing_model: 'package', package_size: '10', package_amount: '5', free_units: '30' },
  });
  const of_credits = fee({ pricing_model: 'credit', credits_per_unit: '2', overage_unit_amount: '1' });
  const unit = fee({ pricing_model: 'per_unit', unit_amount: '1' });
  type Parts = Partial<Omit<DescribedLine, 'charge'>>;
  const PART = {
    period: { ...JANUARY, period_start: midnight('2026-01-01'), period_end: midnight('2026-01-12') },
  };
  const LATE = { is_late: true, others_quantity: '100' };
  const IN_JANUARY = 'from 1 to 31 January 2026';
  const BESIDE = `${IN_JANUARY}, priced together with 100 billed before`;
  /** The text of every metered model, on own and late lines, parts, with and without credit, unit name and limits. */
  const every_model: [charge: RatedCharge, parts: Parts, sentence: string][] = [
    [percentage(), { creditable: '0' }, `Fee: 2.5 % of 100 dollars, ${IN_JANUARY}`],
    [
      fee({ pricing_model: 'percentage', rate: '2.5', minimum_amount: null, maximum_amount: null }, null),
      { creditable: '0', quantity: '1234.5' },
      `Fee: 2.5 % of 1,234.5, ${IN_JANUARY}`,
    ],
    [percentage('10'), { creditable: '0' }, `Fee: 2.5 % of 100 dollars, at least 10.00, ${IN_JANUARY}`],
    [percentage('10'), { creditable: '0', quantity: '400' }, `Fee: 2.5 % of 400 dollars, ${IN_JANUARY}`],
    [percentage('10'), { creditable: '0', quantity: '0' }, `Fee: 2.5 % of 0 dollars, ${IN_JANUARY}`],
    [
      percentage(null, '90'),
      { creditable: '0', quantity: '4000' },
      `Fee: 2.5 % of 4,000 dollars, at most 90.00, ${IN_JANUARY}`,
    ],
    [
      percentage('1500'),
      { creditable: '0', currency: 'JPY' },
      `Fee: 2.5 % of 100 dollars, at least 1,500, ${IN_JANUARY}`,
    ],
    [
      percentage('10'),
      { creditable: '0', quantity: '50', ...LATE },
      `Late usage: Fee: 2.5 % of 50 dollars, at least 10.00, ${BESIDE}`,
    ],
    [
      percentage('10'),
      { creditable: '0', quantity: '350', ...LATE },
      `Late usage: Fee: 2.5 % of 350 dollars, ${BESIDE}`,
    ],
    [
      percentage('10'),
      { creditable: '0', ...PART },
      'Fee: 2.5 % of 100 dollars, at least 10.00, from 1 to 11 January 2026',
    ],
    [unit, {}, `Fee: 100 dollars, ${IN_JANUARY}`],
    [unit, { credits_applied: '40' }, `Fee: 100 dollars, 40 of them covered by credit, ${IN_JANUARY}`],
    [unit, LATE, `Late usage: Fee: 100 dollars, ${BESIDE}`],
    [graduated, {}, `Fee: 100 dollars, ${IN_JANUARY}`],
    [graduated, LATE, `Late usage: Fee: 100 dollars, ${BESIDE}`],
    [volume, { credits_applied: '1' }, `Fee: 100 dollars, 1 of them covered by credit, ${IN_JANUARY}`],
    [volume, LATE, `Late usage: Fee: 100 dollars, ${BESIDE}`],
    [package_of_ten, { creditable: '70' }, `Fee: 100 dollars, 30 of them free, ${IN_JANUARY}`],
    [
      package_of_ten,
      { creditable: '70', credits_applied: '5' },
      `Fee: 100 dollars, 30 of them free, 5 of them covered by credit, ${IN_JANUARY}`,
    ],
    [package_of_ten, { ...LATE }, `Late usage: Fee: 100 dollars, ${BESIDE}`],
    [
      of_credits,
      { creditable: '200', credits_applied: '150' },
      `Fee: 100 dollars for 200 credits, 150 of them from grants, ${IN_JANUARY}`,
    ],
    [
      of_credits,
      { creditable: '200', ...LATE },
      `Late usage: Fee: 100 dollars for 200 credits, 0 of them from grants, ${BESIDE}`,
    ],
  ];
  for (const [charge, parts, sentence] of every_model)
    it(`of ${charge.pricing.pricing_model}: ${sentence}`, () => {
      const line = { quantity: '100', creditable: '100', credits_applied: '0', period: JANUARY };
      assert.equal(describeAlone({ charge, ...line, ...ALONE, ...parts }), sentence);
    });

  it('says of no model but a package that units are free', () => {
    for (const charge of [unit, graduated, volume, percentage(), of_credits]) {
      const line = { quantity: '100', creditable: '0', credits_applied: '0', period: JANUARY };
      assert.doesNotMatch(describeAlone({ charge, ...line, ...ALONE }), /free/);
    }
  });
});
