import assert from 'node:assert/strict';
import fc from 'fast-check';
import { composeCreditNote, type CreditableInvoice } from '../../../src/domain/invoice/credit-note.ts';
import { BillingError } from '../../../src/domain/money/errors.ts';

/** Lines by amount; their ids are their places, "0", "1" and so on. */
function anInvoice(amounts: readonly string[], given: Partial<CreditableInvoice> = {}): CreditableInvoice {
  const lines = amounts.map((amount, place) => ({ id: `${place}`, amount, credited: '0' }));
  const cents = amounts.reduce((sum, amount) => sum + centsOf(amount), 0);
  return {
    ...{
      currency: 'USD',
      subtotal: amountOf(cents),
      tax_rate: '20',
      amount_due: '0.00',
      lines,
      tax_credited: '0',
    },
    ...given,
  };
}

const centsOf = (amount: string) => Math.round(Number(amount) * 100);
const amountOf = (cents: number) => (cents / 100).toFixed(2);

type Given = { place: number; cents: number | null };

/** Composes notes one after the other, each beside the ones before. */
function inTurn(invoice: CreditableInvoice, notes: readonly (readonly Given[])[]) {
  const credited = invoice.lines.map(() => 0);
  let tax_credited = 0;
  let due = centsOf(invoice.amount_due);
  return notes.map((lines) => {
    const note = composeCreditNote(
      {
        ...invoice,
        amount_due: amountOf(due),
        tax_credited: amountOf(tax_credited),
        lines: invoice.lines.map((line, place) => ({ ...line, credited: amountOf(credited[place]!) })),
      },
      {
        settle: 'balance',
        lines: lines.map(({ place, cents }) => ({
          line_item_id: `${place}`,
          amount: cents === null ? null : amountOf(cents),
        })),
      },
    );
    for (const { line_item_id, amount } of note.lines) credited[Number(line_item_id)]! += centsOf(amount);
    tax_credited += centsOf(note.tax);
    due -= centsOf(note.to_invoice);
    return note;
  });
}

const refused = (code: string, param: string) => (error: unknown) => {
  assert.ok(error instanceof BillingError);
  assert.deepEqual([error.code, error.details[0]!.param], [code, param]);
  return true;
};

describe('a credit note', () => {
  const FOUR = ['68.33', '68.33', '57.50', '85.00'];

  it('of one line each, of four: 82.00, 81.99, 69.00, 102.00, and 334.99 in any order (billing.md 7)', () => {
    const whole = (order: readonly number[]) =>
      inTurn(
        anInvoice(FOUR),
        order.map((place) => [{ place, cents: null }]),
      ).map(({ total }) => total);
    assert.deepEqual(whole([0, 1, 2, 3]), ['82.00', '81.99', '69.00', '102.00']);
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (order) => {
        assert.equal(amountOf(whole(order).reduce((sum, total) => sum + centsOf(total), 0)), '334.99');
      }),
    );
  });

  it('reduces what is due first, and gives the rest to the balance or back outside', () => {
    const invoice = anInvoice(['100.00'], { amount_due: '50.00' });
    const lines = [{ line_item_id: '0', amount: '75' }];
    const { to_invoice, to_balance, outside, total } = composeCreditNote(invoice, {
      lines,
      settle: 'balance',
    });
    assert.deepEqual([total, to_invoice, to_balance, outside], ['90.00', '50.00', '40.00', '0.00']);
    const back = composeCreditNote(invoice, { lines, settle: 'outside' });
    assert.deepEqual([back.to_invoice, back.to_balance, back.outside], ['50.00', '0.00', '40.00']);
  });

  it('has a tax of 0 where the notes that stand have taken more than their share', () => {
    const invoice = anInvoice(['0.03', '0.03'], { tax_credited: '0.01' });
    const { subtotal, tax, total } = composeCreditNote(invoice, {
      lines: [{ line_item_id: '0', amount: null }],
      settle: 'balance',
    });
    assert.deepEqual([subtotal, tax, total], ['0.03', '0.00', '0.03']);
  });

  it('credits at most what a line has left, and at most what the invoice has left', () => {
    const credit = (amounts: readonly string[], ...lines: [id: string, amount: string | null][]) =>
      composeCreditNote(anInvoice(amounts), {
        lines: lines.map(([line_item_id, amount]) => ({ line_item_id, amount })),
        settle: 'balance',
      });
    assert.throws(() => credit(['1.00'], ['0', '1.01']), refused('conflict', 'lines[0].amount'));
    assert.throws(() => credit(['1.00', '-0.50'], ['0', '0.51']), refused('conflict', 'lines'));
    assert.throws(() => credit(['1.00', '-0.50'], ['1', null]), refused('conflict', 'lines[0].amount'));
    assert.throws(() => credit(['1.00'], ['7', null]), refused('not_found', 'lines[0].line_item_id'));
    assert.throws(
      () => credit(['1.00'], ['0', '0.10'], ['0', '0.10']),
      refused('invalid_request', 'lines[1].line_item_id'),
    );
    assert.throws(() => credit(['1.00'], ['0', '0.001']), refused('invalid_request', 'lines[0].amount'));
  });

  it('of all lines takes what each has left, those below 0 too, without a limit of lines', () => {
    const all = (invoice: CreditableInvoice) =>
      composeCreditNote(invoice, { lines: 'all', settle: 'balance' });
    const whole = anInvoice(['90.00', '0.00', '-40.00'], { tax_rate: '0' });
    const { lines, total } = all(whole);
    assert.deepEqual(
      lines.map(({ line_item_id, amount }) => [line_item_id, amount]),
      [
        ['0', '90.00'],
        ['2', '-40.00'],
      ],
    );
    assert.equal(total, '50.00');
    const beside = {
      ...whole,
      lines: whole.lines.map((line) => (line.id === '0' ? { ...line, credited: '30.00' } : line)),
    };
    assert.deepEqual(
      all(beside).lines.map(({ amount }) => amount),
      ['60.00', '-40.00'],
    );
    const credited = whole.lines.map((line) => (line.id === '0' ? { ...line, credited: '50.00' } : line));
    assert.throws(() => all({ ...whole, lines: credited }), refused('conflict', 'lines'));
    assert.equal(all(anInvoice(Array<string>(1200).fill('0.01'))).lines.length, 1200);
  });

  it('never adds up to more than the invoice, whatever was voided between, and in full to the invoice exactly', () => {
    const cents = fc.integer({ min: 1, max: 9999 });
    fc.assert(
      fc.property(
        fc.array(cents, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 12 }),
        (amounts, rate, steps) => {
          const invoice = anInvoice(amounts.map(amountOf), { tax_rate: `${rate / 100}` });
          const net = amounts.reduce((sum, amount) => sum + amount, 0);
          const tax = Number((BigInt(net) * BigInt(rate) * 2n + 10_000n) / 20_000n);
          const standing: { place: number; net: number; tax: number }[] = [];
          const creditedOf = (place: number) =>
            standing.filter((note) => note.place === place).reduce((sum, note) => sum + note.net, 0);
          const credit = (place: number, amount: number) => {
            const note = composeCreditNote(
              {
                ...invoice,
                tax_credited: amountOf(standing.reduce((sum, each) => sum + each.tax, 0)),
                lines: invoice.lines.map((line, at) => ({ ...line, credited: amountOf(creditedOf(at)) })),
              },
              { lines: [{ line_item_id: `${place}`, amount: amountOf(amount) }], settle: 'balance' },
            );
            standing.push({ place, net: centsOf(note.subtotal), tax: centsOf(note.tax) });
            assert.ok(standing.reduce((sum, each) => sum + each.tax, 0) <= tax);
          };
          for (const [at, part, is_void] of steps) {
            const place = at % amounts.length;
            const left = amounts[place]! - creditedOf(place);
            if (is_void && standing.length > 0) standing.splice(part % standing.length, 1);
            else if (left > 0) credit(place, 1 + (part % left));
          }
          for (const [place, amount] of amounts.entries())
            if (creditedOf(place) < amount) credit(place, amount - creditedOf(place));
          assert.equal(
            standing.reduce((sum, each) => sum + each.tax, 0),
            tax,
          );
        },
      ),
    );
  });
});
