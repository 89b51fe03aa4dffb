import assert from 'node:assert/strict';
import { compareSeries, GROUPS_MAX, newGroups, type Series } from '../../src/domain/series.ts';

const of = (group: Series['group'], price_index: number | null = null): Series => ({
  price_index,
  group,
  others: false,
});

describe('the lines of a charge', () => {
  it('are in the order of its prices, then of its groups, whatever the order of the members of a group', () => {
    const group_by = ['region', 'user'];
    const stored = (region: string | null, user: string | null, price = 0) => of({ user, region }, price);
    const found = (region: string | null, user: string | null, price = 0) => of({ region, user }, price);
    const others: Series = { price_index: 0, group: null, others: true };
    const sorted = [
      found('eu', 'bob'),
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

  it('by group are at most a hundred: the ones that are there, then the greatest, ties by their text', () => {
    const known = Array.from({ length: GROUPS_MAX - 2 }, (_, place) => of({ model: `known ${place}` }));
    const candidates = [
      { series: of({ model: 'b' }), quantity: '2' },
      { series: of({ model: 'c' }), quantity: '10' },
      { series: of({ model: 'a' }), quantity: '2' },
      { series: known[0]!, quantity: '99' },
    ];
    assert.deepEqual(
      newGroups(['model'], known, candidates).map(({ group }) => group!['model']),
      ['c', 'a'],
    );
  });
});
