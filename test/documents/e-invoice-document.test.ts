import assert from 'node:assert/strict';
import Big from 'big.js';
import fc from 'fast-check';
import type { EDocument } from '../../src/documents/xml/e-document.ts';
import { eInvoice } from '../../src/documents/xml/e-invoice.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import {
  anEDocument,
  anELine,
  aRandomDocument,
  GERMAN_VAT_ID,
  HAMBURG,
  VIENNA,
} from '../support/documents/e-document.ts';
import { aBilledCustomer, aSeller } from '../support/documents/printed-invoice.ts';
import { elementsAt, parseXml, textsAt, type ParsedElement } from '../support/documents/xml.ts';

const read = (document: EDocument): ParsedElement => parseXml(eInvoice(document));
const textAt = (root: ParsedElement, path: string): string | undefined => textsAt(root, path)[0];
const SELLER = 'cac:AccountingSupplierParty/cac:Party';
const BUYER = 'cac:AccountingCustomerParty/cac:Party';

/** billing.md 9. */
describe('an e-invoice', () => {
  it('says the numbers, days and amounts of its document', () => {
    const root = read(
      anEDocument({
        notes: ['Payable at once.'],
        preceding: { number: 'INV-000000', issue_date: '2026-01-15' },
        prepaid: '19.00',
        customer: aBilledCustomer({ name: 'Customer', address: VIENNA, buyer_reference: 'PO 4711' }),
      }),
    );
    const FACTS: [path: string, text: string][] = [
      ['cbc:CustomizationID', 'urn:cen.eu:en16931:2017'],
      ['cbc:ID', 'INV-000001'],
      ['cbc:IssueDate', '2026-02-01'],
      ['cbc:DueDate', '2026-02-15'],
      ['cbc:InvoiceTypeCode', '380'],
      ['cbc:Note', 'Payable at once.'],
      ['cbc:DocumentCurrencyCode', 'EUR'],
      ['cbc:BuyerReference', 'PO 4711'],
      ['cac:InvoicePeriod/cbc:EndDate', '2026-01-31'],
      ['cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID', 'INV-000000'],
      ['cac:TaxTotal/cbc:TaxAmount', '19.00'],
      ['cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount', '119.00'],
      ['cac:LegalMonetaryTotal/cbc:PrepaidAmount', '19.00'],
      ['cac:LegalMonetaryTotal/cbc:PayableAmount', '100.00'],
    ];
    for (const [path, text] of FACTS) assert.equal(textAt(root, path), text, path);
    assert.equal(root.name, 'Invoice');
  });

  it('of a credit note is a CreditNote of type 381 with the invoice that it corrects, and no due date', () => {
    const preceding = { number: 'INV-000001', issue_date: '2026-02-01' };
    const root = read(anEDocument({ kind: 'credit_note', number: 'CN-000001', due_date: null, preceding }));
    assert.equal(root.name, 'CreditNote');
    assert.equal(textAt(root, 'cbc:CreditNoteTypeCode'), '381');
    assert.equal(textAt(root, 'cbc:DueDate'), undefined);
    const corrected = 'cac:BillingReference/cac:InvoiceDocumentReference';
    assert.equal(textAt(root, `${corrected}/cbc:ID`), 'INV-000001');
    assert.equal(textAt(root, `${corrected}/cbc:IssueDate`), '2026-02-01');
    assert.equal(textAt(root, 'cac:CreditNoteLine/cbc:CreditedQuantity'), '1');
    assert.equal(textAt(root, 'cac:PaymentTerms/cbc:Note'), 'Credit note: no payment is due.');
  });

  describe('has the quantity and price of a line', () => {
    // Given and expected: quantity, price, amount. The last column is the note, with the real quantity.
    const LINES: [given: [string, string | null, string], expected: [string, string], note?: string][] = [
      [
        ['3', '1.5', '4.50'],
        ['3', '1.5'],
      ],
      [
        ['30', '0.0005', '0.02'],
        ['30', '0.0005'],
      ],
      [
        ['-8', '1', '-8.00'],
        ['-8', '1'],
      ],
      [
        ['0', '1', '0.00'],
        ['0', '1'],
      ],
      [
        ['0.000000000000001', '1000', '0.00'],
        ['0.000000000000001', '1000'],
      ],
      [['15000', null, '605.00'], ['1', '605.00'], 'Quantity: 15,000'],
      [['300', '0.05', '25.00'], ['1', '25.00'], 'Quantity: 300'],
      [['-8', null, '-3.00'], ['-1', '3.00'], 'Quantity: -8'],
      [['2', '-5', '-10.00'], ['-1', '10.00'], 'Quantity: 2'],
      [
        ['1', null, '49.00'],
        ['1', '49.00'],
      ],
    ];
    for (const [[quantity, unit_price, amount], expected, note] of LINES)
      it(`${quantity} at ${unit_price} for ${amount}: ${expected.join(' at ')}`, () => {
        const lines = [anELine({ amount: '100.00' }), anELine({ quantity, unit_price, amount })];
        const line = elementsAt(read(anEDocument({ lines })), 'cac:InvoiceLine')[1]!;
        const found = ['cbc:InvoicedQuantity', 'cac:Price/cbc:PriceAmount'].map((path) => textAt(line, path));
        assert.deepEqual(found, expected);
        assert.equal(textAt(line, 'cbc:LineExtensionAmount'), amount);
        assert.equal(textAt(line, 'cbc:Note'), note);
      });
  });

  it('says the price before percents and what they take off: 900 x 0.09, from 0.1 less 0.01', () => {
    const price = { quantity: '900', unit_price: '0.09', price_before: '0.1' };
    const lines = [anELine({ ...price, amount: '81.00' }), anELine({ ...price, amount: '22.50' })];
    const [one, other] = elementsAt(read(anEDocument({ lines })), 'cac:InvoiceLine/cac:Price');
    const PARTS: [path: string, text: string][] = [
      ['cbc:PriceAmount', '0.09'],
      ['cac:AllowanceCharge/cbc:ChargeIndicator', 'false'],
      ['cac:AllowanceCharge/cbc:Amount', '0.01'],
      ['cac:AllowanceCharge/cbc:BaseAmount', '0.1'],
    ];
    for (const [path, text] of PARTS) assert.equal(textAt(one!, path), text, path);
    // 900 x 0.09 are not 22.50: the line is 1 at its amount.
    assert.deepEqual(
      [textAt(other!, 'cbc:PriceAmount'), textAt(other!, 'cac:AllowanceCharge')],
      ['22.50', undefined],
    );
  });

  describe('has the tax category', () => {
    const CATEGORIES = [
      ['standard', '19', 'S', null],
      ['standard', '0', 'Z', null],
      ['exempt', '0', 'E', 'Exempt from VAT'],
      ['reverse_charge', '0', 'AE', 'Reverse charge: VAT is to be accounted for by the recipient'],
    ] as const;
    for (const [treatment, rate, code, note] of CATEGORIES)
      it(`${code} for ${treatment} at ${rate} percent`, () => {
        const root = read(anEDocument({ tax: { treatment, rate, note, amount: '' } }));
        const total = 'cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory';
        assert.equal(textAt(root, `${total}/cbc:ID`), code);
        assert.equal(textAt(root, `${total}/cbc:Percent`), rate);
        assert.equal(textAt(root, `${total}/cbc:TaxExemptionReason`) ?? null, note);
        const line = 'cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory';
        assert.equal(textAt(root, `${line}/cbc:ID`), code);
        assert.equal(textAt(root, `${line}/cbc:Percent`), rate);
      });
  });

  describe('has the ids of a seller', () => {
    const other = { type: 'other', value: 'HRB 1' } as const;
    const abn = { type: 'au_abn', value: '83914571673' } as const;
    const french = { type: 'eu_vat', value: 'FR40303265045' } as const;
    // BT-31, BT-32, BT-30, BT-29.
    const SELLERS = [
      ['a VAT id', [GERMAN_VAT_ID], [['DE136695976'], [], [], []]],
      ['the VAT id of its country', [french, GERMAN_VAT_ID], [['DE136695976'], [], [], ['FR40303265045']]],
      ['a number that is no VAT id', [abn], [[], ['83914571673'], ['83914571673'], []]],
      [
        'both, and more',
        [other, GERMAN_VAT_ID, abn],
        [['DE136695976'], ['HRB 1'], ['HRB 1'], ['83914571673']],
      ],
      ['a UID', [{ type: 'ch_uid', value: 'CHE100155212' }], [[], ['CHE100155212'], ['CHE100155212'], []]],
      ['a Swiss VAT id', [{ type: 'ch_uid', value: 'CHE100155212MWST' }], [['CHE100155212MWST'], [], [], []]],
    ] as const;
    for (const [what, tax_ids, [vat, registration, legal, further]] of SELLERS)
      it(what, () => {
        const party = elementsAt(
          read(anEDocument({ seller: aSeller({ address: HAMBURG, tax_ids: [...tax_ids] }) })),
          SELLER,
        )[0]!;
        const idsOf = (scheme: string) =>
          elementsAt(party, 'cac:PartyTaxScheme')
            .filter((element) => textAt(element, 'cac:TaxScheme/cbc:ID') === scheme)
            .flatMap((element) => textsAt(element, 'cbc:CompanyID'));
        assert.deepEqual(idsOf('VAT'), vat);
        assert.deepEqual(idsOf('TAX'), registration);
        assert.deepEqual(textsAt(party, 'cac:PartyLegalEntity/cbc:CompanyID'), legal);
        assert.deepEqual(textsAt(party, 'cac:PartyIdentification/cbc:ID'), further);
      });
  });

  it('names the buyer with external_id, address, ids and email; Kosovo by its code in EN 16931', () => {
    const customer = aBilledCustomer({
      ...{ external_id: 'acme', name: 'Acme', email: 'billing@acme.example' },
      address: { ...VIENNA, line2: 'Stairs 2', state: 'W', country: 'XK' },
      tax_ids: [GERMAN_VAT_ID, { type: 'other', value: '77' }],
    });
    const root = read(anEDocument({ customer }));
    const FACTS: [path: string, text: string][] = [
      ['cac:PartyIdentification/cbc:ID', 'acme'],
      ['cac:PostalAddress/cbc:StreetName', 'Ring 1'],
      ['cac:PostalAddress/cbc:AdditionalStreetName', 'Stairs 2'],
      ['cac:PostalAddress/cbc:CityName', 'Wien'],
      ['cac:PostalAddress/cbc:PostalZone', '1010'],
      ['cac:PostalAddress/cbc:CountrySubentity', 'W'],
      ['cac:PostalAddress/cac:Country/cbc:IdentificationCode', '1A'],
      ['cac:PartyTaxScheme/cbc:CompanyID', 'DE136695976'],
      ['cac:PartyLegalEntity/cbc:RegistrationName', 'Acme'],
      ['cac:PartyLegalEntity/cbc:CompanyID', '77'],
      ['cac:Contact/cbc:ElectronicMail', 'billing@acme.example'],
    ];
    for (const [path, text] of FACTS) assert.equal(textAt(root, `${BUYER}/${path}`), text, path);
  });

  it('replaces characters that XML forbids, and escapes the others', () => {
    const description = 'A & B <c> ]]> &amp; "d" \u0001\ufffe\ud800 😀\r\nend';
    const root = read(anEDocument({ lines: [anELine({ description })] }));
    const expected = 'A & B <c> ]]> &amp; "d" \ufffd\ufffd\ufffd 😀\nend';
    assert.equal(textAt(root, 'cac:InvoiceLine/cac:Item/cbc:Name'), expected);
  });

  it('is refused with the field of everything that is missing', () => {
    const without_country = { ...VIENNA, country: null };
    const document = anEDocument({
      seller: aSeller({ address: without_country }),
      customer: aBilledCustomer({}),
      tax: { rate: '0', treatment: 'reverse_charge', note: 'Reverse charge', amount: '' },
      currency: 'KWD',
      lines: [],
    });
    assert.throws(
      () => eInvoice(document),
      (error) => {
        assert.ok(error instanceof BillingError);
        assert.equal(error.code, 'conflict');
        assert.deepEqual(
          error.details.map(({ param, reason }) => [param, reason]),
          [
            ['seller.address', 'missing'],
            ['seller.tax_ids', 'missing'],
            ['customer.name', 'missing'],
            ['customer.address', 'missing'],
            ['customer.tax_ids', 'missing'],
            ['currency', 'not_allowed'],
            ['line_items', 'missing'],
          ],
        );
        return true;
      },
    );
  });

  it('is well-formed whatever its texts, its lines sum to its totals, and no price is negative', () => {
    fc.assert(
      fc.property(aRandomDocument, (document) => {
        const root = read(document);
        const lines = [...elementsAt(root, 'cac:InvoiceLine'), ...elementsAt(root, 'cac:CreditNoteLine')];
        assert.equal(lines.length, document.lines.length);
        const amounts = lines.map((line) => Big(textAt(line, 'cbc:LineExtensionAmount')!));
        const total = (name: string) => Big(textAt(root, `cac:LegalMonetaryTotal/cbc:${name}`)!);
        const subtotal = amounts.reduce((sum, amount) => sum.plus(amount), Big(0));
        assert.ok(subtotal.eq(total('LineExtensionAmount')));
        const tax = Big(textAt(root, 'cac:TaxTotal/cbc:TaxAmount')!);
        assert.ok(subtotal.plus(tax).eq(total('TaxInclusiveAmount')));
        assert.ok(total('TaxInclusiveAmount').eq(total('PayableAmount')));
        const digits = document.currency === 'JPY' ? 0 : 2;
        for (const [place, line] of lines.entries()) {
          const price = Big(textAt(line, 'cac:Price/cbc:PriceAmount')!);
          const [quantity] = [
            ...textsAt(line, 'cbc:InvoicedQuantity'),
            ...textsAt(line, 'cbc:CreditedQuantity'),
          ];
          assert.ok(price.gte(0));
          assert.ok(price.times(quantity!).round(digits, Big.roundHalfUp).eq(amounts[place]!));
        }
      }),
      { numRuns: 100 },
    );
  });
});
