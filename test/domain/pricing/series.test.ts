import assert from 'node:assert/strict';
import type { Series } from '../../../src/domain/pricing/series.ts';
import { compareSeries } from '../../../src/domain/pricing/series-order.ts';

const of = (group: Series['group'], price_index: number | null = null): Series => ({
  price_index,
  group,
  others: false,
});

describe('the lines of a charge', () => {
  it('are in the order of its prices, then of its groups in code points, whatever the order of the members of a group', () => {
    const group_by = ['region', 'user'];
    const stored = (region: string | null, user: string | null, price = 0) => of({ user, region }, price);
    const found = (region: string | null, user: string | null, price = 0) => of({ region, user }, price);
    const others: Series = { price_index: 0, group: null, others: true };
    const sorted = [
      found('eu', 'bob'),
      found('eu', '\uff21'),
      found('eu', '\u{1f600}'),
      found('eu', null),
      stored('us', 'ann'),
      stored(null, 'ann'),
      others,
      found('eu', 'a', 1),
    ];
    assert.deepEqual(
      sorted.toReversed().sort((a, b) => compareSeries(group_by, a, b)),
      sorted,
    );
  });
});
