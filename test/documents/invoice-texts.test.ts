import assert from 'node:assert/strict';
import { factsOf } from '../../src/documents/pdf/invoice-head.ts';
import { rowsOfLine } from '../../src/documents/pdf/invoice-rows.ts';
import { aCharge } from '../support/ledger/plans.ts';
import { aLine, aPrintedInvoice } from '../support/documents/printed-invoice.ts';

describe('the paper of an invoice', () => {
  const FEES: [what: string, flat_amount: string, amount: string, unit_price: string][] = [
    ['a fee', '62', '62.00', '62.00'],
    ['a part of a fee', '62', '31.00', '31.00'],
    ['a price finer than the currency', '62.005', '62.01', '62.01'],
    ['a fee above a thousand', '2062', '1031.00', '1,031.00'],
  ];
  for (const [what, flat_amount, amount, unit_price] of FEES)
    it(`has 1 at the amount, ${unit_price}, for ${what}`, () => {
      const charges = [aCharge({ pricing: { pricing_model: 'flat', flat_amount } })];
      const line = aLine({ type: 'flat', pricing_model: 'flat', aggregation: null, amount });
      const { cells } = rowsOfLine(line, { charges, currency: 'USD', timezone: 'UTC' }).line;
      assert.deepEqual(cells.slice(1), ['1', '', unit_price, unit_price]);
    });

  it('has the stretches of a fee with a quantity below it, and what was billed before', () => {
    const pricing = { pricing_model: 'flat', flat_amount: '8', quantity: 'subscription' } as const;
    const rowsOf = (days: [from: string, to: string, quantity: string, amount: string][], before: string) => {
      const stretches = days.map(([from, to, quantity, amount]) => ({
        ...{
          period_start: `2026-${from}T00:00:00.000Z`,
          period_end: `2026-${to}T00:00:00.000Z`,
          quantity,
          amount,
        },
      }));
      const line = aLine({
        ...{ type: 'flat', pricing_model: 'flat', aggregation: null, amount: '1020.00' },
        ...{ stretches, billed_before: before },
      });
      const { tiers } = rowsOfLine(line, {
        charges: [aCharge({ pricing })],
        currency: 'USD',
        timezone: 'UTC',
      });
      return tiers.map(({ cells }) => cells.filter((cell) => cell !== '').join(' | '));
    };
    const both: [string, string, string, string][] = [
      ['04-01', '04-16', '1000', '4000.00'],
      ['04-16', '05-01', '15', '60.00'],
    ];
    assert.deepEqual(rowsOf(both, '3040.00'), [
      'from 1 to 15 April 2026 | 1,000 | 4,000.00',
      'from 16 to 30 April 2026 | 15 | 60.00',
      'billed before | -3,040.00',
    ]);
    assert.deepEqual(rowsOf(both, '0.00').length, 2);
    assert.deepEqual(rowsOf([['04-01', '05-01', '10', '80.00']], '0.00'), []);
  });

  it('has the offset of a time of day that occurs twice in its period', () => {
    const period = { period_start: '2027-10-31T00:30:00.000Z', period_end: '2027-10-31T01:30:00.000Z' };
    const printed = aPrintedInvoice([]);
    const invoice = { ...printed.invoice, ...period, timezone: 'Europe/Berlin' };
    const facts = Object.fromEntries(factsOf({ ...printed, invoice }));
    assert.equal(facts['Period'], 'from 31 October 2027 02:30 CEST to 31 October 2027 02:30 CET');
  });
});
