import assert from 'node:assert/strict';
import { factsOf } from '../../../api/pdf/invoice-head.ts';
import { rowsOfLine } from '../../../api/pdf/invoice-rows.ts';
import type { Charge } from '../../../src/domain/pricing/charge.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { aLine, aPrintedInvoice } from '../../support/documents/printed-invoice.ts';

/** Papers are made from what is stored with an invoice alone; they stay the same bytes (billing.md 6). */
describe('the paper of an invoice', () => {
  const charges = (flat_amount: string): Charge[] => [
    { ...aCharge(), pricing: { pricing_model: 'flat', flat_amount } },
  ];
  const PART = 'from 1 to 15 January 2026, a part of the period from 1 to 31 January 2026';

  const ROWS: [description: string, flat_amount: string, amount: string, unit_price: string][] = [
    [`Fee, 31.00 of 62.00, ${PART}`, '62', '31.00', '31.00'],
    [`Fee, ${PART}`, '62', '31.00', '62.00'],
    ['Fee, from 1 to 31 January 2026', '62', '62.00', '62.00'],
    ['Fee, 62.005 rounded to 62.01, from 1 to 31 January 2026', '62.005', '62.01', '62.01'],
    ['Fee, from 1 to 31 January 2026', '62.005', '62.01', '62.005'],
    // The share of another line is none of this one.
    [`Fee, 31.00 of 62.00, ${PART}`, '62', '30.00', '62.00'],
    ['Fee, 1,031.00 of 2,062.00, from 1 to 31 January 2026', '2062', '1031.00', '1,031.00'],
  ];
  for (const [description, flat_amount, amount, unit_price] of ROWS)
    it(`has the unit price ${unit_price} for ${amount} of: ${description}`, () => {
      const line = aLine({ type: 'flat', pricing_model: 'flat', aggregation: null, description, amount });
      const { cells } = rowsOfLine(line, { charges: charges(flat_amount), currency: 'USD' }).line;
      assert.deepEqual(cells.slice(1, 4), ['1', '', unit_price]);
    });

  const [SUMMER, WINTER] = ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z'];
  const WITH = 'from 31 October 2027 02:30 CEST to 31 October 2027 02:30 CET';
  const WITHOUT = 'from 31 October 2027 02:30 to 31 October 2027 02:30';
  const own = { period_start: SUMMER, period_end: WINTER };
  const coming = { period_start: WINTER, period_end: '2027-12-01T00:00:00.000Z' };
  const PERIODS: [why: string, lines: Parameters<typeof aLine>[0][], period: string][] = [
    ['as its line does', [{ ...own, description: `Api call: 1 event, ${WITH} (Europe/Berlin)` }], WITH],
    [
      'as its line does not',
      [{ ...own, description: `Api call: 1 event, ${WITHOUT} (Europe/Berlin)` }],
      WITHOUT,
    ],
    [
      'as the fee of the next period does',
      [
        {
          ...coming,
          type: 'flat',
          description: 'Fee, from 31 October 2027 02:30 CET to 1 December 2027 01:00 (Europe/Berlin)',
        },
      ],
      WITH,
    ],
    [
      'as the fee of the next period does not',
      [
        {
          ...coming,
          type: 'flat',
          description: 'Fee, from 31 October 2027 02:30 to 1 December 2027 01:00 (Europe/Berlin)',
        },
      ],
      WITHOUT,
    ],
    ['where it has items alone', [{ ...own, type: 'item', description: 'Work' }], WITH],
    ['without lines', [], WITH],
  ];
  for (const [why, lines, period] of PERIODS)
    it(`says the period ${period}, ${why}`, () => {
      const printed = aPrintedInvoice(lines.map(aLine));
      const invoice = { ...printed.invoice, ...own, timezone: 'Europe/Berlin' };
      const facts = Object.fromEntries(factsOf({ ...printed, invoice }));
      assert.equal(facts['Period'], period);
    });
});
