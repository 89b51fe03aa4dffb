import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { invoicePdf } from '../../src/documents/pdf/invoice-pdf.ts';
import { pdfInThread } from '../../src/documents/pdf/pdf-thread.ts';
import { aLine, aPrintedInvoice } from '../support/documents/printed-invoice.ts';

const TIERS = 1000;

/** An invoice with one line item, with the maximum number of tiers. */
function aLongInvoice() {
  const tiers = Array.from({ length: TIERS }, (_, tier) => ({
    up_to: tier === TIERS - 1 ? null : `${tier + 1}`,
    ...{ quantity: '1', unit_amount: '0.1', flat_amount: '0.00', amount: `${tier}.10` },
  }));
  return aPrintedInvoice([aLine({ tiers })]);
}

describe('the PDF of a long invoice', function () {
  it('is made in another thread, with the same bytes', async () => {
    let turns = 0;
    let is_made = false;
    const making = pdfInThread(aLongInvoice()).finally(() => (is_made = true));
    while (!is_made) {
      await setImmediate();
      turns++;
    }
    // If this thread made the PDF, it would get only one turn per row.
    assert.ok(turns > 3 * TIERS, `${turns} turns`);
    assert.ok((await making).equals(await invoicePdf(aLongInvoice())));
  });

  it('does not delay a short one', async () => {
    const made: string[] = [];
    const long = pdfInThread(aLongInvoice()).then(() => made.push('long'));
    const short = pdfInThread(aPrintedInvoice([aLine({})])).then(() => made.push('short'));
    await Promise.all([long, short]);
    assert.deepEqual(made, ['short', 'long']);
  });

  it('fails with its reason, and the next one is made', async () => {
    const tier = { up_to: null, quantity: '1', unit_amount: '1', flat_amount: 'much', amount: '1.00' };
    await assert.rejects(pdfInThread(aPrintedInvoice([aLine({ tiers: [tier] })])), /Invalid number/);
    assert.ok((await pdfInThread(aPrintedInvoice([aLine({})]))).length > 1000);
  });
});
