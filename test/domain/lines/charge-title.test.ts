import assert from 'node:assert/strict';
import type { Charge, Filters } from '../../../src/domain/pricing/charge.ts';
import { withPriceTitles, withTitles, withWholeTitles } from '../../../src/domain/lines/charge-title.ts';
import { type RatedCharge, ratedCharge, type Series } from '../../../src/domain/pricing/series.ts';
import { aCharge } from '../../support/ledger/plans.ts';

describe('the titles of the charges of a plan', () => {
  const of = (property: string, name: string | null = null) =>
    aCharge({ name, aggregation: { type: 'sum', property } });
  const where = (filters: Filters, name: string | null = null) => aCharge({ name, filters });
  const flat = aCharge({ pricing: { pricing_model: 'flat', flat_amount: '49' } });
  const PLANS: [charges: RatedCharge[], titles: string[]][] = [
    [
      [where({ model: ['large'] }), where({ model: ['small'] }), flat],
      ['Api call (model large)', 'Api call (model small)', 'Fixed fee for api call'],
    ],
    [[where({ model: ['large'] })], ['Api call']],
    [
      [where({ model: ['large'] }), aCharge()],
      ['Api call (model large)', 'Api call'],
    ],
    [
      [where({ is_trial: [true, 1] }, 'Calls'), where({ region: ['eu', 'us'], tier_2: ['a'] }, 'Calls')],
      ['Calls (is trial true or 1)', 'Calls (region eu or us; tier 2 a)'],
    ],
    [
      [where({ model: ['large'] }, 'Large'), where({ model: ['small'] }, 'Small')],
      ['Large', 'Small'],
    ],
    [
      [
        { ...where({ model: ['large'] }), unit_name: 'calls' },
        { ...of('bytes'), unit_name: 'bytes' },
      ],
      ['Api call', 'Api call'],
    ],
    [
      [of('bytes'), of('rows')],
      ['Api call', 'Api call'],
    ],
    [
      [of('bytes_in', 'Traffic'), of('bytes_out', 'Traffic')],
      ['Traffic (sum of bytes in)', 'Traffic (sum of bytes out)'],
    ],
    [
      [aCharge({ name: 'Calls' }), aCharge({ name: 'Calls', event_name: 'old_call' })],
      ['Calls (api call)', 'Calls (old call)'],
    ],
    [
      [aCharge(), aCharge({ event_name: 'api-call' })],
      ['Api call (api_call)', 'Api call (api-call)'],
    ],
    [
      [where({ a: ['1', '2', '3', '4', '5'] }), where({ a: ['1'], b: ['2'], c: ['3'], d: ['4'], e: ['5'] })],
      ['Api call (a 1 or 2 or 3 or 2 more)', 'Api call (a 1; b 2; c 3; 2 more)'],
    ],
    [
      [where({ model: ['😀'.repeat(41)] }), where({ model: ['x'.repeat(40)] })],
      [`Api call (model ${'😀'.repeat(39)}…)`, `Api call (model ${'x'.repeat(40)})`],
    ],
  ];
  const LISTED: Charge = {
    ...aCharge(),
    group_by: ['region'],
    pricing: {
      pricing_model: 'per_unit',
      prices: [
        { match: { model: ['large'], tier: ['a', 'b'] }, unit_amount: '1' },
        { default: true, unit_amount: '2' },
      ],
    },
  };
  const series = (price_index: number | null, group: Series['group'], others = false) =>
    ratedCharge(LISTED, { price_index, group, others });
  PLANS.push(
    [
      [series(0, { region: 'eu' }), series(1, { region: null }), series(1, null, true), flat],
      [
        'Api call (model large; tier a or b; region eu)',
        'Api call (other model and tier; no region)',
        'Api call (other model and tier; other values of region)',
        'Fixed fee for api call',
      ],
    ],
    [
      [ratedCharge({ ...LISTED, group_by: null }, { price_index: 0, group: null, others: false })],
      ['Api call (model large; tier a or b)'],
    ],
    [
      [
        ratedCharge(
          { ...LISTED, group_by: ['tier', 'model'] },
          { price_index: 0, group: { tier: 'a', model: 'large' }, others: false },
        ),
      ],
      ['Api call (tier a; model large)'],
    ],
  );
  for (const [charges, titles] of PLANS)
    it(titles.join(', '), () =>
      assert.deepEqual(
        withTitles(charges).map(({ title }) => title),
        titles,
      ),
    );

  it('are those of whole charges and of the prices of their lists too, as the API shows them', () => {
    const { pricing: listed, ...parts } = LISTED;
    const shown = [
      {
        ...parts,
        pricing_model: listed.pricing_model,
        prices: [{ match: { model: ['large'] } }, { match: null }],
      },
      { ...of('bytes', 'Traffic'), pricing_model: 'per_unit' as const, prices: null },
      { ...flat, pricing_model: 'flat' as const, prices: null },
    ];
    assert.deepEqual(
      withWholeTitles(shown).map(({ title }) => title),
      ['Api call', 'Traffic', 'Fixed fee for api call'],
    );
    assert.deepEqual(
      withPriceTitles(shown).map(({ charge, price_index, title }) => [charge.id, price_index, title]),
      [
        [LISTED.id, 0, 'Api call (model large)'],
        [LISTED.id, 1, 'Api call (other model)'],
        [shown[1]!.id, null, 'Traffic'],
        [shown[2]!.id, null, 'Fixed fee for api call'],
      ],
    );
  });
});
