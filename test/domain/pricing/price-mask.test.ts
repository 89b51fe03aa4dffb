import assert from 'node:assert/strict';
import { priceMasks } from '../../../src/domain/pricing/price-mask.ts';
import type { PriceList } from '../../../src/domain/pricing/price-list.ts';

const listed = (prices: PriceList['prices']): PriceList => ({ pricing_model: 'per_unit', prices });
const ALL = { default: true, unit_amount: '1' } as const;

describe('the masks of a list of prices', () => {
  it('have a bit for each price that the value of a property allows, and one mask for values that no price names', () => {
    const pricing = listed([
      { match: { model: ['a', 1], region: ['eu'] }, unit_amount: '1' },
      { match: { model: ['b', true] }, unit_amount: '1' },
      { match: { region: ['us'], model: ['a'] }, unit_amount: '1' },
      ALL,
    ]);
    assert.deepEqual(priceMasks(pricing), [
      { property: 'model', masks: ['0001', '1011', '1001', '0101'], places: { a: 1, 1: 2, b: 3, true: 3 } },
      { property: 'region', masks: ['0101', '1101', '0111'], places: { eu: 1, us: 2 } },
    ]);
  });

  it('allow no price to a value that none names, if there is no default', () => {
    const pricing = listed([
      { match: { model: ['a'], constructor: ['b'] }, unit_amount: '1' },
      { match: { model: ['c'] }, unit_amount: '1' },
    ]);
    assert.deepEqual(priceMasks(pricing), [
      { property: 'model', masks: ['00', '10', '01'], places: { a: 1, c: 2 } },
      { property: 'constructor', masks: ['01', '11'], places: { b: 1 } },
    ]);
  });

  it('are none for a default alone, and for a charge with one price', () => {
    assert.deepEqual(priceMasks(listed([ALL])), []);
    assert.deepEqual(priceMasks({ pricing_model: 'per_unit', unit_amount: '1' }), []);
  });
});
