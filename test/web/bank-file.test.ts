import assert from 'node:assert/strict';
import fc from 'fast-check';
import { amountOf, dayOf, readRows, type Columns } from '../../web/src/pages/bank-file/bank-rows.ts';
import { readTable, type BankTable } from '../../web/src/pages/bank-file/bank-table.ts';
import { spread } from '../../web/src/pages/payments/spread.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const COLUMNS: Columns = {
  ...{ paid_at: 'Day', amount: 'Amount', reference: 'Text', currency: null, name: 'Payer' },
  ...{ day_order: 'dmy', decimal_sign: ',' },
};

describe("a bank's file", () => {
  it('is read by its titles, below what banks write first, with the numbers of its lines', () => {
    const text = [
      'Account;DE02 1203 0000 0000 2020 51',
      '',
      'Day;Amount;Text;Payer',
      '31.03.2027;1.160,00;"Invoices INV-000001',
      'and ""INV-000002""";Müller & Co',
      '01.04.27;-4,50;Fees;',
    ].join('\r\n');
    const table = readTable(bytesOf(text))!;
    assert.deepEqual(table.titles, ['Day', 'Amount', 'Text', 'Payer']);
    assert.deepEqual(readRows(table, COLUMNS, 'EUR'), {
      rows: [
        {
          ...{ line: 5, paid_at: '2027-03-31', amount: '1160.00', currency: 'EUR' },
          ...{ reference: 'Invoices INV-000001 and "INV-000002"', name: 'Müller & Co' },
        },
        { line: 6, paid_at: '2027-04-01', amount: '-4.50', currency: 'EUR', reference: 'Fees' },
      ],
      lacking: [],
    });
  });

  it('may be of Windows-1252, with commas, tabs or a mark of its order of bytes', () => {
    const ansi = Uint8Array.from([...'Day,Amount,Text\n1.4.27,1,M\u00fcller\n'].map((c) => c.charCodeAt(0)));
    assert.equal(readTable(ansi)!.lines[0]!.cells[2], 'Müller');
    assert.deepEqual(readTable(bytesOf('\ufeffDay\tAmount\n1\t2'))!.titles, ['Day', 'Amount']);
  });

  it('is none without titles and a line', () => {
    for (const text of ['', 'Day;Amount', 'Day\n1', '\n\n'])
      assert.equal(readTable(bytesOf(text)), null, text);
  });

  it('names lines that lack what a row needs, which are no rows', () => {
    const lines: BankTable['lines'] = [
      { number: 2, cells: ['', '1,00', 'a'] },
      { number: 3, cells: ['31.02.2027', '1,00', 'a'] },
      { number: 4, cells: ['31.03.2027', 'one', ' '] },
      { number: 5, cells: ['31.03.2027'] },
      { number: 6, cells: ['31.03.2027', '1', 'a'] },
    ];
    const table = { titles: ['Day', 'Amount', 'Text', 'Payer'], lines };
    const { rows, lacking } = readRows(table, COLUMNS, 'EUR');
    assert.deepEqual(
      rows.map(({ line }) => line),
      [6],
    );
    assert.deepEqual(lacking, [
      { line: 2, what: 'a day' },
      { line: 3, what: 'a day' },
      { line: 4, what: 'an amount and a reference' },
      { line: 5, what: 'an amount and a reference' },
    ]);
  });

  it('has a currency of each row where a column has it', () => {
    const table = { titles: ['Day', 'Amount', 'Text', 'Payer'], lines: [] };
    const read = (currency: string) => {
      const lines = [{ number: 2, cells: ['1.4.27', '1', 'a', currency] }];
      return readRows({ ...table, lines }, { ...COLUMNS, currency: 'Payer', name: null }, 'EUR');
    };
    assert.equal(read('usd').rows[0]!.currency, 'USD');
    assert.deepEqual(read('').lacking, [{ line: 2, what: 'a currency' }]);
  });

  it('has days in the order that was chosen', () => {
    assert.equal(dayOf('2027-03-31', 'ymd'), '2027-03-31');
    assert.equal(dayOf('2027-03-31T23:00:00', 'ymd'), '2027-03-31');
    assert.equal(dayOf('31/3/27', 'dmy'), '2027-03-31');
    assert.equal(dayOf('3/31/2027', 'mdy'), '2027-03-31');
    for (const text of ['31/3/2027', '2027-3', '2027-02-30', 'today', ''])
      assert.equal(dayOf(text, 'ymd'), null, text);
  });

  it('has amounts with the sign and the groups of its country', () => {
    const AMOUNTS: [string, ',' | '.', string | null][] = [
      ['1.234,50', ',', '1234.50'],
      ['1,234.50', '.', '1234.50'],
      ["1'234.50", '.', '1234.50'],
      ['1 234,5', ',', '1234.5'],
      ['+12', ',', '12'],
      ['-0,01', ',', '-0.01'],
      ['4,50-', ',', '-4.50'],
      ['12,3,4', ',', null],
      ['EUR 12', ',', null],
      ['', '.', null],
    ];
    for (const [text, sign, amount] of AMOUNTS) assert.equal(amountOf(text, sign), amount, text);
  });
});

describe('an amount that is spread over invoices', () => {
  const [hundred, fifty] = [
    { id: 'inv_1', amount_due: '100.00' },
    { id: 'inv_2', amount_due: '50.00' },
  ];
  const partsOf = (amount: string) => {
    const result = spread(amount, [hundred, fifty]);
    return result && [...result.parts.map((part) => part.amount), result.rest];
  };

  it('pays them in their order', () => {
    assert.deepEqual(partsOf('160'), ['100.00', '50.00', '10.00']);
    assert.deepEqual(partsOf('120.00'), ['100.00', '20.00', '0.00']);
    assert.deepEqual(partsOf('0.5'), ['0.50', '0.00']);
    for (const text of ['', '0', '-1', '1,00', 'x']) assert.equal(partsOf(text), null, text);
  });

  it('is all of its parts and the rest', () => {
    const text = (cents: number) => `${Math.floor(cents / 100)}.${`${cents % 100}`.padStart(2, '0')}`;
    const cents = (amount: string) => Number(amount.replace('.', ''));
    const aDue = fc.integer({ min: 1, max: 10_000 });
    const property = fc.property(fc.array(aDue, { minLength: 1 }), aDue, (dues, amount) => {
      const invoices = dues.map((due, place) => ({ id: `inv_${place}`, amount_due: text(due) }));
      const { parts, rest } = spread(text(amount), invoices)!;
      const paid = parts.reduce((sum, part) => sum + cents(part.amount), 0);
      assert.equal(paid + cents(rest), amount);
      assert.ok(parts.every((part, place) => cents(part.amount) <= dues[place]!));
      assert.ok(cents(rest) === 0 || parts.length === dues.length);
    });
    fc.assert(property);
  });
});
