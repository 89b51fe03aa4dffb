import type { EDocument } from './e-document.ts';
import { checkComplete } from './completeness.ts';
import { daysElement, lineElement } from './lines.ts';
import { money } from './money.ts';
import { buyer, seller } from './parties.ts';
import { taxCategory, taxTotal } from './taxes.ts';
import { xmlBytes, type XmlElement } from './xml.ts';

const PROFILE = 'urn:cen.eu:en16931:2017';
const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd:';
/** A credit note of UBL has no due date; the buyer must read somewhere that it asks for no payment. */
const NO_PAYMENT = 'Credit note: no payment is due.';

/** Names and codes in which the two documents of UBL differ. */
const KINDS = {
  invoice: { root: 'Invoice', type_code: '380' },
  credit_note: { root: 'CreditNote', type_code: '381' },
} as const;

/**
 * The document as UBL 2.1 in the profile EN 16931; equal documents give equal bytes. Throws conflict, with the field of
 * each fault, if the document lacks what the profile requires (billing.md 9). UBL fixes the order of all elements.
 */
export function eInvoice(document: EDocument): Buffer {
  checkComplete(document);
  const { kind, number, issue_date, due_date, currency, notes, preceding, days, customer, lines } = document;
  const { root, type_code } = KINDS[kind];
  return xmlBytes({
    [root]: {
      '@xmlns': `${NAMESPACE}${root}-2`,
      '@xmlns:cac': `${NAMESPACE}CommonAggregateComponents-2`,
      '@xmlns:cbc': `${NAMESPACE}CommonBasicComponents-2`,
      'cbc:CustomizationID': PROFILE,
      'cbc:ID': number,
      'cbc:IssueDate': issue_date,
      'cbc:DueDate': kind === 'invoice' ? (due_date ?? undefined) : undefined,
      [`cbc:${root}TypeCode`]: type_code,
      'cbc:Note': notes,
      'cbc:DocumentCurrencyCode': currency,
      'cbc:BuyerReference': customer.buyer_reference ?? undefined,
      'cac:InvoicePeriod': daysElement(days),
      'cac:BillingReference': precedingElement(preceding),
      'cac:AccountingSupplierParty': { 'cac:Party': seller(document.seller) },
      'cac:AccountingCustomerParty': { 'cac:Party': buyer(customer) },
      'cac:PaymentTerms': kind === 'credit_note' ? { 'cbc:Note': NO_PAYMENT } : undefined,
      'cac:TaxTotal': taxTotal(document),
      'cac:LegalMonetaryTotal': totals(document),
      [`cac:${root}Line`]: lines.map((line, place) =>
        lineElement(line, {
          kind,
          currency,
          id: `${place + 1}`,
          category: taxCategory(document.tax),
        }),
      ),
    },
  });
}

function precedingElement(preceding: EDocument['preceding']): XmlElement | undefined {
  if (preceding === null) return undefined;
  const { number, issue_date } = preceding;
  return { 'cac:InvoiceDocumentReference': { 'cbc:ID': number, 'cbc:IssueDate': issue_date } };
}

function totals({ subtotal, total, prepaid, payable, currency }: EDocument): XmlElement {
  return {
    'cbc:LineExtensionAmount': money(subtotal, currency),
    'cbc:TaxExclusiveAmount': money(subtotal, currency),
    'cbc:TaxInclusiveAmount': money(total, currency),
    'cbc:PrepaidAmount': money(prepaid, currency),
    'cbc:PayableAmount': money(payable, currency),
  };
}
