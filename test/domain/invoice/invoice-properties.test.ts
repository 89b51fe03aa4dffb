import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal } from '../../../src/domain/money/decimal.ts';
import { minorDigits } from '../../../src/domain/money/money.ts';
import { taxTermsOf } from '../../../src/domain/money/tax.ts';
import { compose, used } from '../../support/ledger/april-invoice.ts';
import { aGrantBalance } from '../../support/ledger/grant-balances.ts';
import { aCharge, aPricing, aQuantityFor } from '../../support/ledger/plans.ts';
import * as oracle from '../../support/oracles/price-oracle.ts';

describe('any invoice', () => {
  const aUsedCharge = aPricing().chain((pricing) =>
    aQuantityFor(pricing).map((quantity) => ({ pricing, quantity })),
  );
  const aBill = fc.record({
    items: fc.array(aUsedCharge, { minLength: 1, maxLength: 4 }),
    grants: fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 3 }),
    currency: fc.constantFrom('USD', 'JPY', 'KWD'),
    tax_rate: fc.constantFrom('0', '7.7', '19', '8.875', '100'),
  });
  const inputOf = ({
    items,
    grants,
    currency,
    tax_rate,
  }: typeof aBill extends fc.Arbitrary<infer B> ? B : never) => ({
    charges: items.map(({ pricing }, place) => aCharge({ id: `chg_${place}`, pricing })),
    usage: new Map(items.map(({ quantity }, place) => [`chg_${place}`, used(quantity)])),
    grants: grants.map((remaining, place) => aGrantBalance({ id: `cg_${place}`, remaining: `${remaining}` })),
    currency,
    tax: taxTermsOf('standard', tax_rate),
  });

  it('adds up: lines to subtotal, subtotal and tax to total, draws to credit', () => {
    fc.assert(
      fc.property(aBill, (parts) => {
        const input = inputOf(parts);
        const invoice = compose(input);
        const digits = minorDigits(input.currency);
        const sumOf = (texts: string[]) => oracle.total(texts.map(oracle.rational));
        const subtotal = sumOf(invoice.line_items.map(({ amount }) => amount));
        const percent = { n: oracle.rational(input.tax.rate).n, d: oracle.rational(input.tax.rate).d * 100n };
        assert.equal(invoice.subtotal, oracle.rounded(subtotal, digits));
        assert.equal(invoice.tax.amount, oracle.rounded(oracle.times(subtotal, percent), digits));
        assert.equal(invoice.total, oracle.rounded(sumOf([invoice.subtotal, invoice.tax.amount]), digits));
        const applied = oracle.rational(invoice.credits_applied);
        assert.ok(oracle.equals(sumOf(invoice.draws.map(({ amount }) => amount)), applied));
        assert.ok(oracle.equals(sumOf(invoice.line_items.map((line) => line.credits_applied)), applied));
        for (const { id, remaining } of input.grants) {
          const drawn = invoice.draws.filter(({ grant_id }) => grant_id === id).map(({ amount }) => amount);
          assert.ok(!oracle.isLess(oracle.rational(remaining), sumOf(drawn)));
        }
      }),
    );
  });

  it('is never raised by credit', () => {
    fc.assert(
      fc.property(aBill, (parts) => {
        const input = inputOf(parts);
        assert.ok(decimal(compose(input).total).lte(compose({ ...input, grants: [] }).total));
      }),
      { numRuns: 50 },
    );
  });
});
