import { decimal } from '../../domain/money/decimal.ts';
import type { InvoiceTax } from '../../domain/invoice/invoice.ts';
import type { EDocument } from './e-document.ts';
import { money } from './money.ts';
import type { XmlElement } from './xml.ts';

const VAT = { 'cbc:ID': 'VAT' };

/** The category of every line: a document has one. */
export function taxCategory(tax: InvoiceTax): XmlElement {
  return { 'cbc:ID': categoryOf(tax), 'cbc:Percent': tax.rate, 'cac:TaxScheme': VAT };
}

/** Code of UNCL 5305: standard rate, zero rate, exempt, reverse charge. */
function categoryOf({ treatment, rate }: InvoiceTax): 'S' | 'Z' | 'E' | 'AE' {
  switch (treatment) {
    case 'standard':
      return decimal(rate).eq('0') ? 'Z' : 'S';
    case 'exempt':
      return 'E';
    case 'reverse_charge':
      return 'AE';
  }
}

/** The tax, rounded once on the subtotal (billing.md 3), and why there is none. */
export function taxTotal({ tax, subtotal, currency }: EDocument): XmlElement {
  const amount = money(tax.amount, currency);
  const { 'cac:TaxScheme': scheme, ...category } = taxCategory(tax);
  return {
    'cbc:TaxAmount': amount,
    'cac:TaxSubtotal': {
      'cbc:TaxableAmount': money(subtotal, currency),
      'cbc:TaxAmount': amount,
      'cac:TaxCategory': {
        ...category,
        'cbc:TaxExemptionReason': tax.note ?? undefined,
        'cac:TaxScheme': scheme,
      },
    },
  };
}
