import { type Decimal } from './decimal.ts';
import { toAmount } from './money.ts';

export const TAX_TREATMENTS = ['standard', 'exempt', 'reverse_charge'] as const;

/** How a customer is taxed. All but `standard` have the rate 0, and the document says why (billing.md 7). */
export type TaxTreatment = (typeof TAX_TREATMENTS)[number];

/** `rate` is in percent. `note` is the sentence that the document prints; null for `standard`. */
export type TaxTerms = { rate: string; treatment: TaxTreatment; note: string | null };

/** The tax of a document, null of what is no document; the rate is in percent. */
export type DocumentTax = { tax_treatment: TaxTreatment | null; tax_rate: string | null };

const NOTES: Readonly<Record<TaxTreatment, string | null>> = {
  standard: null,
  exempt: 'Exempt from VAT',
  reverse_charge: 'Reverse charge: VAT is to be accounted for by the recipient',
};

/** The terms of a treatment; `standard_rate`, in percent, is the customer's own or the account's. */
export function taxTermsOf(treatment: TaxTreatment, standard_rate: string): TaxTerms {
  return { rate: treatment === 'standard' ? standard_rate : '0', treatment, note: NOTES[treatment] };
}

/** The tax of a net amount, in the currency's minor digits: rounded once, half away from zero (billing.md 3). */
export function taxOf(net: Decimal, rate: string, currency: string): string {
  return toAmount(net.times(rate).times('0.01'), currency);
}
