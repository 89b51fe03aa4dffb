import assert from 'node:assert/strict';
import { offeredOf } from '../../web/src/pages/payments/offered.ts';

const invoice = (number: number) => ({
  id: `inv_${number}`,
  number: `INV-${`${number}`.padStart(6, '0')}`,
  due_date: '2027-02-15',
});

/** Invoices 250 to 1, as the API lists them, the newest first. */
const INVOICES = Array.from({ length: 250 }, (_, place) => invoice(250 - place));

describe('the choice of open invoices', () => {
  const numbersOf = (words: string, chosen: readonly number[] = []) => {
    const { shown, left } = offeredOf(INVOICES, { words, chosen: chosen.map(invoice) });
    return { numbers: shown.map(({ number }) => Number(number.slice(4))), left };
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, place) => place + 1);

  it('shows the 100 that were due first, and says how many more there are', () => {
    assert.deepEqual(numbersOf(''), { numbers: upTo(100), left: 150 });
    const later = { ...invoice(1), due_date: '2027-02-16' };
    const { shown } = offeredOf([later, invoice(2)], { words: '', chosen: [] });
    assert.deepEqual(
      shown.map(({ id }) => id),
      ['inv_2', 'inv_1'],
    );
  });

  const CASES: [words: string, chosen: number[], numbers: number[], left: number][] = [
    ['0249', [], [249], 0],
    [' inv-00024 ', [], [240, 241, 242, 243, 244, 245, 246, 247, 248, 249], 0],
    ['none', [], [], 0],
    // What is chosen stays in sight, so that nobody pays what one no longer sees.
    ['none', [249, 7], [7, 249], 0],
    ['', [249], [...upTo(100), 249], 149],
    ['', [7], upTo(100), 150],
  ];
  for (const [words, chosen, numbers, left] of CASES)
    it(`finds ${numbers.length} by "${words}" where ${chosen.length} are chosen, and ${left} more`, () =>
      assert.deepEqual(numbersOf(words, chosen), { numbers, left }));
});
