import assert from 'node:assert/strict';
import { differencesOf } from '../../../src/domain/pricing/plan-difference.ts';

const CASES: [
  what: string,
  current: object,
  proposed: object,
  changes: [string, string | null, string | null][],
][] = [
  [
    'nothing, whatever the order of the members',
    { a: 1, b: { c: [], d: null } },
    { b: { d: null, c: [] }, a: 1 },
    [],
  ],
  ['nothing between null and a missing member', { a: null }, {}, []],
  ['a text', { name: 'Basic' }, { name: 'Plus' }, [['name', 'Basic', 'Plus']]],
  [
    'a field of a place of a list',
    { charges: [{ tiers: [{ up_to: '10' }, { up_to: null }] }] },
    { charges: [{ tiers: [{ up_to: '20' }, { up_to: null }] }] },
    [['charges[0].tiers[0].up_to', '10', '20']],
  ],
  ['a place that is new', { list: ['a'] }, { list: ['a', { b: 1 }] }, [['list[1]', null, '{"b":1}']]],
  ['a place that is gone', { list: ['a', 'b'] }, { list: ['a'] }, [['list[1]', 'b', null]]],
  ['a list instead of an object', { a: {} }, { a: [] }, [['a', '{}', '[]']]],
  ['a text instead of a number', { a: 5 }, { a: '5' }, [['a', '5', '"5"']]],
  ['no list instead of one', { group_by: ['x'] }, { group_by: null }, [['group_by', '["x"]', null]]],
];

describe('the difference of two plans', () => {
  for (const [what, current, proposed, changes] of CASES) {
    it(`is ${what}`, () => {
      const found = differencesOf(current, proposed);
      assert.deepEqual(
        found.map(({ field, ...values }) => [field, values.current, values.proposed]),
        changes,
      );
    });
  }
});
