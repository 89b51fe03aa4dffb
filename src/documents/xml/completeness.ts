import type { Address } from '../../domain/people/party.ts';
import { BillingError, type ErrorDetail } from '../../domain/money/errors.ts';
import { minorDigits } from '../../domain/money/money.ts';
import type { EDocument } from './e-document.ts';

/** Amounts of EN 16931 have two decimals at most (BR-DEC). */
const DECIMALS_MAX = 2;
/** Currencies that are not in the code list of the validator. */
const UNLISTED_CURRENCIES = new Set(['STN']);
const WAY_OUT = {
  seller: 'complete the account, then regenerate the invoice',
  customer: 'complete the customer, then regenerate the invoice',
};

/** Throws conflict with one detail for each field that EN 16931 requires and the document lacks. */
export function checkComplete(document: EDocument): void {
  const faults = faultsOf(document);
  if (faults.length > 0) throw new BillingError('conflict', faults);
}

function faultsOf({ seller, customer, currency, lines, tax }: EDocument): ErrorDetail[] {
  const { name, tax_ids } = customer;
  const needs_buyers_id = tax.treatment === 'reverse_charge';
  return [
    ...(isComplete(seller.address) ? [] : [missing('seller', 'address')]),
    ...(seller.tax_ids.length > 0 ? [] : [missing('seller', 'tax_ids')]),
    ...(name === null ? [missing('customer', 'name')] : []),
    ...(isComplete(customer.address) ? [] : [missing('customer', 'address')]),
    ...(needs_buyers_id && tax_ids.length === 0 ? [missing('customer', 'tax_ids')] : []),
    ...(isListed(currency) ? [] : [unlisted(currency)]),
    ...(lines.length > 0 ? [] : [NO_LINES]),
  ];
}

/** EN 16931 requires the country alone. */
function isComplete(address: Address | null): boolean {
  return address !== null && address.country !== null;
}

function missing(party: 'seller' | 'customer', field: string): ErrorDetail {
  const param = `${party}.${field}`;
  const message = `${param} is missing or incomplete: an e-invoice requires it; ${WAY_OUT[party]}`;
  return { param, reason: 'missing', message };
}

function isListed(currency: string): boolean {
  return minorDigits(currency) <= DECIMALS_MAX && !UNLISTED_CURRENCIES.has(currency);
}

function unlisted(currency: string): ErrorDetail {
  const message = `currency ${currency} is not possible: the amounts of an e-invoice have ${DECIMALS_MAX} decimals at most`;
  return { param: 'currency', reason: 'not_allowed', message };
}

const NO_LINES: ErrorDetail = {
  param: 'line_items',
  reason: 'missing',
  message: 'line_items is empty: an e-invoice has one line at least',
};
