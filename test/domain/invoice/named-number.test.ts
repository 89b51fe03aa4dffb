import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countsIn, hasNumber } from '../../../src/domain/invoice/named-number.ts';

const NUMBER = 'INV-000015';
const [LAST, MANY] = ['2000000', '1000000000000000'];

/** billing.md 7, "Rows of a bank's file". */
describe('a number of an invoice in the reference of a transfer', () => {
  const HAVING: [reference: string, number?: string][] = [
    ['INV-000015'],
    ['inv 000015'],
    ['INV000015'],
    ['INV-0000 15, thanks'],
    ['INV–000015'],
    ['I N V 0 0 0 0 1 5'],
    ['INV\u00a0000015'],
    ['INV-000014, INV-000015 and INV-000016'],
    ['INV-000015 2027'],
    ['INV-000015-2'],
    ['12INV-000015'],
    ['2027-000015', '2027-000015'],
    ['of 2027 - 000015', '2027-000015'],
    ['000015', '000015'],
    ['inv-1000001', 'INV-1000001'],
    ['RE/2027/000015.', 're/2027/000015'],
  ];
  for (const [reference, number = NUMBER] of HAVING)
    it(`${number} is in "${reference}"`, () => {
      assert.ok(hasNumber(reference, number));
      assert.ok(countsIn(reference, LAST).has(countOf(number)));
    });

  const LACKING: [reference: string, number?: string][] = [
    ['INV-0000151'],
    ['INV-00015'],
    ['INV-15'],
    ['INV-000016'],
    ['INV.000015'],
    ['CN-000015'],
    ['12027-000015', '2027-000015'],
    ['DE1000015', '000015'],
    ['INV-1000001', 'INV-000001'],
    ['INV-100000 ', 'INV-000000'],
  ];
  for (const [reference, number = NUMBER] of LACKING)
    it(`${number} is not in "${reference}"`, () => assert.ok(!hasNumber(reference, number)));

  it('is looked for up to the last count, by six digits or more that begin with another one than 0', () => {
    assert.deepEqual([...countsIn('INV-000015, 0000016 and 1000001', LAST)], ['15', '16', '1', '1000001']);
    assert.deepEqual([...countsIn('1000001', '1000000')], ['1']);
    assert.deepEqual([...countsIn('000000', LAST)], []);
    assert.deepEqual([...countsIn('', LAST)], []);
  });

  const aNumber = fc
    .tuple(fc.constantFrom('INV-', 'R ', '2027-', '', 'a.B_c/'), fc.integer({ min: 1, max: 99_999_999 }))
    .map(([prefix, count]) => ({ count, number: `${prefix}${`${count}`.padStart(6, '0')}` }));
  const aGap = fc.constantFrom('', '', '', ' ', '-', '  ', ' - ');

  it('is found however it is spelt, beside any other text', () => {
    const property = fc.property(
      aNumber,
      fc.infiniteStream(aGap),
      fc.boolean(),
      fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `${text} x`),
      fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `. ${text}`),
      ({ number, count }, gaps, is_upper, before, behind) => {
        const spelt = [...number].map((character) => character + gaps.next().value!).join('');
        const reference = before + (is_upper ? spelt.toUpperCase() : spelt.toLowerCase()) + behind;
        assert.ok(hasNumber(reference, number), reference);
        assert.ok(countsIn(reference, MANY).has(`${count}`), reference);
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });

  it('that a text has is one of its counts', () => {
    const aText = fc.string({ unit: fc.constantFrom(...'V-00001 5'), maxLength: 40 });
    const counts = [1, 5, 11, 15, 100_000, 100_015, 1_000_001];
    const property = fc.property(aText, fc.constantFrom('V-', '', '5-'), (text, prefix) => {
      for (const count of counts) {
        const number = `${prefix}${`${count}`.padStart(6, '0')}`;
        if (hasNumber(text, number)) assert.ok(countsIn(text, MANY).has(`${count}`), text);
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('is looked for in little time in the longest reference', () => {
    const references = ['1 '.repeat(127), '1'.repeat(255), '0'.repeat(255), '000001 '.repeat(36)];
    for (const reference of references) assert.ok(countsIn(reference, MANY).size < 2000);
  });
});

function countOf(number: string): string {
  return `${Number(/\d+$/.exec(number)![0])}`;
}
