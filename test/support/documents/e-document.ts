import Big from 'big.js';
import fc from 'fast-check';
import type { EDocument, ELine } from '../../../src/documents/xml/e-document.ts';
import { aBilledCustomer, aSeller } from './printed-invoice.ts';

const NO_PARTS = { line1: null, line2: null, postal_code: null, city: null, state: null };
export const HAMBURG = {
  ...{ line1: 'Hafenstraße 12', line2: null, postal_code: '20457', city: 'Hamburg', state: null },
  country: 'DE',
};
export const VIENNA = { ...NO_PARTS, line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' };
export const GERMAN_VAT_ID = { type: 'eu_vat', value: 'DE136695976' } as const;
export const AUSTRIAN_VAT_ID = { type: 'eu_vat', value: 'ATU13585627' } as const;

/** A line of one unit at 100.00; `parts` overrides. */
export function anELine(parts: Partial<ELine>): ELine {
  return {
    ...{
      description: 'A line',
      quantity: '1',
      unit_price: null,
      price_before: null,
      amount: '100.00',
      days: null,
    },
    ...parts,
  };
}

/** A German invoice of the lines to an Austrian customer, at the rate 19; `parts` overrides all but the totals, which follow. */
export function anEDocument(parts: Partial<Omit<EDocument, 'subtotal' | 'total' | 'payable'>>): EDocument {
  const { lines = [anELine({})], currency = 'EUR', prepaid = '0' } = parts;
  const digits = currency === 'JPY' ? 0 : 2;
  const { rate = '19', treatment = 'standard', note = null } = parts.tax ?? {};
  const subtotal = lines.reduce((sum, { amount }) => sum.plus(amount), Big(0));
  const tax = subtotal.times(rate).div(100).round(digits, Big.roundHalfUp);
  const text = (amount: Big) => amount.toFixed(digits);
  return {
    ...{ kind: 'invoice', number: 'INV-000001', issue_date: '2026-02-01', due_date: '2026-02-15' },
    ...{ notes: [], preceding: null, days: { first: '2026-01-01', last: '2026-01-31' }, currency, lines },
    seller: aSeller({ address: HAMBURG, tax_ids: [GERMAN_VAT_ID] }),
    customer: aBilledCustomer({ name: 'Customer', address: VIENNA, tax_ids: [AUSTRIAN_VAT_ID] }),
    ...parts,
    ...{ tax: { rate, treatment, note, amount: text(tax) }, subtotal: text(subtotal) },
    ...{ total: text(subtotal.plus(tax)), prepaid: text(Big(prepaid)) },
    payable: text(subtotal.plus(tax).minus(prepaid)),
  };
}

/** Any text, with characters that XML escapes or forbids. */
const aText = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom(
        '&',
        '<',
        '>',
        '"',
        "'",
        ']',
        '&amp;',
        '\u0001',
        '\ufffe',
        '\ud800',
        '\r',
        '\n',
        'é',
      ),
      minLength: 1,
      maxLength: 20,
    }),
  )
  .map((text) => `a${text}`);

const aCount = fc
  .tuple(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, places]) => Big(`${digits}e-${places}`).toFixed());

const NOTES = { standard: null, exempt: 'Exempt from VAT', reverse_charge: 'Reverse charge' } as const;

/** The rule of the validator for taxes fails below half a percent, a rate that no country has. */
const aTax = fc.oneof(
  fc
    .constantFrom('0', '5.5', '7', '7.7', '19', '20', '25.5')
    .map((rate) => ({ rate, treatment: 'standard', note: NOTES.standard, amount: '' }) as const),
  fc
    .constantFrom('exempt', 'reverse_charge')
    .map((treatment) => ({ rate: '0', treatment, note: NOTES[treatment], amount: '' }) as const),
);

function aRandomLine(digits: number): fc.Arbitrary<ELine> {
  return fc
    .record({
      ...{ description: aText, quantity: aCount, price: aCount, has_price: fc.boolean(), own: aCount },
      off: fc.option(fc.nat()),
    })
    .map(({ description, quantity, price, has_price, own, off }) => {
      const exact = has_price ? Big(quantity).times(price) : Big(own);
      const amount = exact
        .round(digits, Big.roundHalfUp)
        .toFixed(digits)
        .replace(/^-(0(?:\.0+)?)$/, '$1');
      const price_before = has_price && off !== null ? Big(price).plus(`${off}e-6`).toFixed() : null;
      return anELine({ description, quantity, unit_price: has_price ? price : null, price_before, amount });
    });
}

/** Consistent documents of both kinds: any texts, categories and lines, whose sum is not negative. */
export const aRandomDocument: fc.Arbitrary<EDocument> = fc
  .constantFrom('EUR', 'JPY')
  .chain((currency) =>
    fc.record({
      kind: fc.constantFrom('invoice' as const, 'credit_note' as const),
      currency: fc.constant(currency),
      notes: fc.array(aText, { maxLength: 2 }),
      tax: aTax,
      name: aText,
      lines: fc.array(aRandomLine(currency === 'JPY' ? 0 : 2), { minLength: 1, maxLength: 12 }),
    }),
  )
  .filter(({ lines }) => lines.reduce((sum, { amount }) => sum.plus(amount), Big(0)).gte(0))
  .map(({ name, ...parts }) =>
    anEDocument({
      ...parts,
      seller: aSeller({ name, address: { ...HAMBURG, line1: name }, tax_ids: [GERMAN_VAT_ID] }),
      customer: aBilledCustomer({
        ...{ name, address: VIENNA, tax_ids: [AUSTRIAN_VAT_ID], buyer_reference: name },
      }),
      preceding: parts.kind === 'invoice' ? null : { number: 'INV-000001', issue_date: '2026-02-01' },
    }),
  );
