import assert from 'node:assert/strict';
import { statementPdf, type PrintedStatement } from '../../src/documents/pdf/statement-pdf.ts';
import type { StatementLine } from '../../src/objects/statement.ts';
import { pagesOf, usePoppler } from '../support/documents/pdf.ts';
import { aBilledCustomer, aSeller } from '../support/documents/printed-invoice.ts';

function aLine(place: number, parts: Partial<StatementLine> = {}): StatementLine {
  return {
    ...{ invoice_id: `inv_${place}`, number: `INV-${String(place).padStart(6, '0')}` },
    // The first of March in Berlin.
    ...{ issued_at: '2026-02-28T23:30:00.000Z', due_date: '2026-03-10' },
    ...{ total: '1000.00', amount_due: '999.50', days_overdue: 5, pause_reason: 'disputed' },
    ...parts,
  };
}

function aStatement(data: StatementLine[], sums: object = {}): PrintedStatement {
  return {
    statement: {
      ...{ object: 'statement', customer_id: 'acme', currency: 'EUR', as_of: '2026-03-15T12:00:00.000Z' },
      ...{ amount_due: '999.50', overdue_amount: '999.50', balance: '7.00', data },
      ...sums,
    },
    ...{ seller: aSeller({}), customer: aBilledCustomer({}), timezone: 'Europe/Berlin' },
    ...{ livemode: true, logo: null },
  };
}

/** billing.md 18. */
describe('the paper of a statement', function () {
  usePoppler();
  const pages = async (printed: PrintedStatement) => pagesOf(await statementPdf(printed));
  const words = async (printed: PrintedStatement) =>
    (await pages(printed)).flat().join('\n').replaceAll(' | ', ' ');

  it('has days of the customer, grouped amounts, and sums that are not 0', async () => {
    const text = await words(aStatement([aLine(1)]));
    for (const part of [
      'INV-000001 2026-03-01 2026-03-10 5 1,000.00 999.50',
      ...[
        'As of 15 March 2026',
        'Amount due 999.50 EUR',
        'Of which overdue 999.50 EUR',
        'Your balance 7.00 EUR',
      ],
    ])
      assert.ok(text.includes(part), `${part} in ${text}`);
    assert.doesNotMatch(text, /TEST|disputed|No invoice|listed/);
    const bare = await words(
      aStatement([aLine(1, { days_overdue: 0 })], { overdue_amount: '0.00', balance: '0.00' }),
    );
    assert.ok(bare.includes('2026-03-10 1,000.00 999.50'), bare);
    assert.doesNotMatch(bare, /Of which overdue|Your balance/);
  });

  it('says that nothing is open', async () => {
    const text = await words(aStatement([], { amount_due: '0.00', overdue_amount: '0.00' }));
    assert.match(text, /Amount due 0\.00 EUR/);
    assert.match(text, /No invoice is open\./);
  });

  it('of a thousand invoices repeats the titles on each page, and says that the sums are of all', async () => {
    const data = Array.from({ length: 1000 }, (_, place) => aLine(place));
    const printed = await pages(aStatement(data));
    assert.ok(printed.length > 10, `${printed.length}`);
    const lines = printed.flat();
    assert.equal(lines.filter((line) => line.includes('1,000.00')).length, 1000);
    for (const page of printed.slice(0, -1))
      assert.ok(
        page.some((line) => line.startsWith('Invoice | Issued | Due')),
        page.join('\n'),
      );
    assert.ok(lines.includes('No more than 1,000 invoices are listed; the sums are of all.'));
  });

  it('prints the longest numbers and amounts in full', async () => {
    const number = `${'RECHNUNG-'.repeat(4)}2026/000001`;
    const amount = '12345678901234567890123.45';
    const text = await words(aStatement([aLine(1, { number, total: amount, amount_due: amount })]));
    assert.ok(text.replaceAll(/\s/g, '').includes('RECHNUNG-RECHNUNG'), text);
    assert.ok(text.includes('12,345,678,901,234,567,890,123.45'), text);
  });
});
