import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Type } from 'typebox';
import { columnsOf, csvOf, headerOf } from '../../../src/objects/csv-text.ts';
import { nullable } from '../../../src/objects/parts.ts';

const COLUMNS = columnsOf(
  Type.Object({
    id: Type.String(),
    seller: Type.Object({ name: Type.String(), address: nullable(Type.Object({ city: Type.String() })) }),
    tiers: Type.Array(Type.String()),
  }),
);

describe('the text of a CSV file', () => {
  it('has the members of a row as columns, nested ones joined by _', () => {
    assert.equal(headerOf(COLUMNS), 'id,seller_name,seller_address_city,tiers\r\n');
  });

  it('has an empty cell for what is null or absent, and lists as in JSON', () => {
    const rows = [
      { id: 'a', seller: { name: 'b, c', address: { city: 'd "e"' } }, tiers: ['1', '2'] },
      { id: 'f', seller: { name: 'g\nh', address: null }, tiers: null },
      {},
    ];
    assert.equal(csvOf(COLUMNS, rows), 'a,"b, c","d ""e""","[""1"",""2""]"\r\nf,"g\nh",,\r\n,,,\r\n');
  });

  const id = columnsOf(Type.Object({ id: Type.String() }));
  const CELLS: [value: unknown, cell: string][] = [
    ['=1+1', "'=1+1"],
    ['=cmd|calc', "'=cmd|calc"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-', "'-"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['＝1+1', "'＝1+1"],
    ['-5.00', '-5.00'],
    ['-5', '-5'],
    ['5.00', '5.00'],
    ['-5.', "'-5."],
    ["'=1", "'=1"],
    ['a=b', 'a=b'],
    ['株式会社', '株式会社'],
    [-5, '-5'],
    [true, 'true'],
    [0.000001, '0.000001'],
  ];
  for (const [value, cell] of CELLS)
    it(`writes ${JSON.stringify(value)} as ${JSON.stringify(cell)}`, () =>
      assert.equal(csvOf(id, [{ id: value }]), `${cell}\r\n`));

  it('puts text that begins with a carriage return into quotes, behind an apostrophe', () =>
    assert.equal(csvOf(id, [{ id: '\r=1' }]), `"'\r=1"\r\n`));

  it('is read by another program as it was, but for the apostrophe', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '=', '-', '1', '東', ' ') });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (pairs) => {
        const rows = pairs.map(([name, first]) => ({ id: 'x', seller: { name }, tiers: first }));
        const read = parse(csvOf(COLUMNS, rows), { record_delimiter: '\r\n' });
        assert.deepEqual(
          read.map(([, name, , first]) => [name, first].map((cell) => cell!.replace(/^'/, ''))),
          pairs,
        );
      }),
    );
  });
});
