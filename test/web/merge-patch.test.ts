import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergePatch } from '../../api/schema/merge-patch.ts';
import { mergePatchOf } from '../../web/src/api/merge-patch.ts';

describe('the merge patch of an edited object', () => {
  const cases: [before: object, after: object, patch: object][] = [
    [{}, {}, {}],
    [{ region: 'eu' }, {}, { region: null }],
    [{ region: 'eu' }, { region: ['eu'] }, { region: ['eu'] }],
    [{ tier: { level: 3, vip: true } }, { tier: { level: 4 } }, { tier: { vip: null, level: 4 } }],
    [{ tier: { level: 3 } }, { tier: 3 }, { tier: 3 }],
  ];
  for (const [before, after, patch] of cases) {
    it(`${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
      assert.deepEqual(mergePatchOf({ ...before }, { ...after }), patch);
    });
  }

  it('turns the first object into the second with the code of the API', () => {
    // No null: in a merge patch, null removes a member.
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer()));
    const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
      tree: fc.dictionary(
        fc.constantFrom('a', 'b', 'c', 'toString', '__proto__x'),
        fc.oneof({ depthSize: 'small' }, leaf, tie('tree')),
        { maxKeys: 4, noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        assert.deepEqual(mergePatch(before, mergePatchOf(before, after)), after);
      }),
    );
  });
});
