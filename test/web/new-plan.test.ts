import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newCondition } from '../../web/src/pages/plans/condition-draft.ts';
import { bodyOf, newCharge, newPlan, pricesLeft } from '../../web/src/pages/plans/plan-draft.ts';
import { isPriced, newPrice, newTier } from '../../web/src/pages/plans/price-draft.ts';
import { exampleQuantity, sampled } from '../../web/src/pages/plans/quantities.ts';

const EMPTY = newPlan('USD');

describe('a plan as it is being written', () => {
  it('leaves out what is blank, so that the server says what is missing', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(bodyOf(EMPTY))), {
      currency: 'USD',
      interval: 'month',
      interval_count: 1,
      charges: [
        {
          aggregation: { type: 'count' },
          filters: {},
          pricing_model: 'graduated',
          tiers: [{}, { up_to: null }],
        },
      ],
    });
  });

  it('sends only the fields of the chosen model, and no end of the last tier', () => {
    const tiers = [
      { ...newTier(), up_to: ' 1000 ', unit_amount: '0.10' },
      { ...newTier(), up_to: 'typed before', unit_amount: '0.05', flat_amount: '5' },
    ];
    const filters = [{ ...newCondition(), property: 'region', values: 'eu\n\n us, east \n' }];
    const filled = {
      ...newCharge(),
      ...{ event_name: 'call', aggregation: 'sum' as const, property: 'size', filters, tiers },
      unit_name: ' GB ',
      amounts: { flat_amount: '9', unit_amount: '8', package_size: '7', package_amount: '6' },
    };
    const selection = {
      event_name: 'call',
      unit_name: 'GB',
      aggregation: { type: 'sum', property: 'size' },
      filters: { region: ['eu', 'us, east'] },
    };
    const sent = {
      flat: { event_name: 'call', flat_amount: '9' },
      per_unit: { ...selection, unit_amount: '8' },
      volume: {
        ...selection,
        tiers: [
          { up_to: '1000', unit_amount: '0.10' },
          { up_to: null, unit_amount: '0.05', flat_amount: '5' },
        ],
      },
      package: { ...selection, package_size: '7', package_amount: '6' },
      credit: selection,
    };
    for (const pricing_model of ['flat', 'per_unit', 'volume', 'package', 'credit'] as const) {
      const body = bodyOf({ ...EMPTY, name: 'Mine', charges: [{ ...filled, pricing_model }] });
      const { charges } = JSON.parse(JSON.stringify(body));
      assert.deepEqual(charges, [{ ...sent[pricing_model], pricing_model }]);
    }
  });

  it('sends prices by the values of properties, and lines by them, to the models that may have them', () => {
    const match = [
      { ...newCondition(), property: ' model ', values: 'large\n' },
      { ...newCondition(), property: 'model', values: 'larger' },
    ];
    const charge = {
      ...{ ...newCharge(), event_name: 'call', is_listed: true, group_by: [' region ', 'team'] },
      prices: [{ ...newPrice(), match, amounts: { unit_amount: '2', package_size: '3' } }],
      amounts: { unit_amount: '1', flat_amount: '9' },
    };
    const sent = (parts: object) => {
      const charges = [{ ...charge, pricing_model: 'per_unit' as const, ...parts }];
      return JSON.parse(JSON.stringify(bodyOf({ ...EMPTY, charges }))).charges[0];
    };
    const large = { match: { model: ['large', 'larger'] }, unit_amount: '2' };
    const whole = {
      ...{ event_name: 'call', aggregation: { type: 'count' }, filters: {}, pricing_model: 'per_unit' },
      ...{ prices: [large, { default: true, unit_amount: '1' }], group_by: ['region', 'team'] },
    };
    assert.deepEqual(sent({}), whole);
    assert.deepEqual(sent({ has_default: false }), { ...whole, prices: [large] });
    assert.deepEqual(sent({ group_by: ['region', ' '] }), { ...whole, group_by: ['region'] });
    const { prices: _prices, group_by: _group_by, ...one } = whole;
    assert.deepEqual(sent({ is_listed: false, group_by: ['', 'team'] }), { ...one, unit_amount: '1' });
    assert.deepEqual(sent({ pricing_model: 'flat' }), {
      ...{ event_name: 'call', pricing_model: 'flat', flat_amount: '9' },
    });
  });

  it('has at most 200 prices in a charge, the one for all others included', () => {
    const with_prices = (length: number, has_default: boolean) =>
      pricesLeft({ ...newCharge(), prices: Array.from({ length }, newPrice), has_default });
    assert.deepEqual(
      [with_prices(1, true), with_prices(199, false), with_prices(199, true), with_prices(200, false)],
      [198, 1, 0, 0],
    );
  });

  it('sends an invalid count as it was typed', () => {
    const counts = ['2', ' 3 ', '1.5', 'x', ''].map((interval_count) => {
      const body = JSON.stringify(bodyOf({ ...EMPTY, interval_count }));
      return JSON.parse(body).interval_count;
    });
    assert.deepEqual(counts, [2, 3, '1.5', 'x', '']);
  });

  it('has a curve once its prices are filled in', () => {
    const charge = newCharge();
    assert.equal(isPriced('graduated', charge), false);
    const tiers = [
      { ...newTier(), up_to: '1', unit_amount: '1' },
      { ...newTier(), unit_amount: '0' },
    ];
    assert.equal(isPriced('graduated', { ...charge, tiers }), true);
    assert.equal(isPriced('package', { ...charge, amounts: { package_size: '5' } }), false);
    assert.equal(isPriced('credit', charge), true);
  });
});

describe('the quantities of a price curve', () => {
  const bound = fc.double({ min: 1e-9, max: 1e15, noNaN: true }).map((number) => number.toFixed(15));
  const text = fc.oneof(
    bound,
    fc.constantFrom('', 'abc', '-1', '0', '1e400', '1e5', '0.0000000000000001', '999999999999999'),
  );
  const pricing = fc.oneof(
    fc.array(fc.record({ up_to: text, unit_amount: text }), { maxLength: 300 }).map((tiers) => ({
      pricing_model: 'graduated' as const,
      tiers,
    })),
    fc.record({ pricing_model: fc.constant('package' as const), package_size: text, free_units: text }),
    fc.record({ pricing_model: fc.constant('per_unit' as const), unit_amount: text }),
    fc.record({
      pricing_model: fc.constant('credit' as const),
      overage_unit_amount: text,
      credits_per_unit: text,
    }),
  );

  it('are valid for the server, and rise from 0, whatever was typed', () => {
    fc.assert(
      fc.property(pricing, (typed) => {
        const { quantities } = sampled(typed);
        assert.ok(quantities.length > 1 && quantities.length <= 200, `${quantities.length}`);
        assert.equal(quantities[0], '0');
        for (const quantity of [...quantities, exampleQuantity(typed)])
          assert.match(quantity, /^\d{1,15}(\.\d{1,15})?$/);
        quantities.reduce((before, quantity) => {
          assert.ok(Number(before) < Number(quantity), `${before} < ${quantity}`);
          return quantity;
        });
      }),
    );
  });

  it('include every bound as typed, the point behind it, and twice the last bound', () => {
    const tiers = ['10', '1000', null].map((up_to) => ({ up_to, unit_amount: '1' }));
    const { quantities, bounds } = sampled({ pricing_model: 'volume', tiers });
    assert.deepEqual([...bounds], ['10', '1000']);
    for (const quantity of ['10', '11', '1000', '1001', '2000'])
      assert.ok(quantities.includes(quantity), quantity);
    assert.equal(quantities.at(-1), '2000');
  });
});
