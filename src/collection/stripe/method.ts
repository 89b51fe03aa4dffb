import type { ProviderMethod } from '../provider.ts';

/** The members of a method of Stripe that name it; there is one beside `type` with its name. */
type StripeMethod = {
  id: string;
  type: string;
  customer: string | { id: string } | null;
  card?: { brand: string; display_brand?: string | null; last4: string; exp_month: number; exp_year: number };
};

/** Names of debits by their types; others have that of their type. */
const NAMES: Readonly<Record<string, string>> = {
  card: 'Card',
  sepa_debit: 'SEPA',
  bacs_debit: 'Bacs',
  au_becs_debit: 'BECS',
  acss_debit: 'PAD',
  us_bank_account: 'Bank account',
  link: 'Link',
  paypal: 'PayPal',
};

/** Names of card brands that are more than their word with a capital. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  unknown: 'Card',
};

/** A method of Stripe with its label, such as `Visa 4242`; null for one that belongs to no customer. */
export function methodOf(method: StripeMethod): ProviderMethod | null {
  const { id, type, customer, card } = method;
  const customer_reference = typeof customer === 'string' ? customer : (customer?.id ?? null);
  if (customer_reference === null) return null;
  const name = card === undefined ? (NAMES[type] ?? capitalized(type)) : brandOf(card.brand);
  const digits = lastDigitsOf(method);
  return {
    reference: id,
    customer_reference,
    type,
    label: digits === null ? name : `${name} ${digits}`,
    expires: card === undefined ? null : `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`,
  };
}

function brandOf(brand: string): string {
  return BRANDS[brand] ?? capitalized(brand);
}

function lastDigitsOf(method: StripeMethod): string | null {
  const details: unknown = Object.entries(method).find(([member]) => member === method.type)?.[1];
  if (typeof details !== 'object' || details === null || !('last4' in details)) return null;
  return typeof details.last4 === 'string' ? details.last4 : null;
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1).replaceAll('_', ' ')}`;
}
