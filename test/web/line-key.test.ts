import assert from 'node:assert/strict';
import { lineKey } from '../../web/src/pages/invoices/line-key.ts';

const LINE = {
  ...{ type: 'usage' as const, charge_id: 'chg_1', invoice_item: null, event_name: 'call' },
  discounts: [],
  ...{ price_index: 0, group: { model: 'a', region: null }, others: false },
  ...{ period_start: '2029-01-01T00:00:00.000Z', period_end: '2029-02-01T00:00:00.000Z' },
};

describe('the key of a line', () => {
  const OTHERS: [what: string, parts: object][] = [
    ['another price', { price_index: 1 }],
    ['no list of prices', { price_index: null }],
    ['another group', { group: { model: 'b', region: null } }],
    ['a value that reads as none', { group: { model: 'a', region: 'null' } }],
    ['no groups', { group: null }],
    ['the values without a line', { group: null, others: true }],
    ['late usage', { type: 'late_usage' }],
    ['another period', { period_start: '2029-02-01T00:00:00.000Z' }],
    ['another charge', { charge_id: 'chg_2' }],
  ];
  for (const [what, parts] of OTHERS)
    it(`differs for ${what}`, () => assert.notEqual(lineKey({ ...LINE, ...parts }), lineKey(LINE)));

  it('differs for another discount of an amount in the same period, not for another percent', () => {
    const keyOf = (type: 'usage' | 'discount', discount_id: string) =>
      lineKey({
        ...{ ...LINE, type, charge_id: type === 'usage' ? 'chg_1' : null },
        discounts: [{ discount_id, name: 'Loyalty', percent: type === 'usage' ? '10' : null }],
      });
    assert.notEqual(keyOf('discount', 'dis_1'), keyOf('discount', 'dis_2'));
    assert.equal(keyOf('usage', 'dis_1'), keyOf('usage', 'dis_2'));
  });

  it('is equal for a line of another version, in whatever order its group is written', () => {
    assert.equal(lineKey({ ...LINE, group: { region: null, model: 'a' } }), lineKey(LINE));
  });
});
