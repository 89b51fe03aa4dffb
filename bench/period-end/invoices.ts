import { call } from '../client.ts';
import type { Api } from '../programs.ts';
import { expectedCents, type BilledCustomer } from './customers.ts';

type Invoice = {
  customer_id: string;
  kind: string;
  number: string | null;
  status: string;
  total: string;
  credits_applied: string;
};

type Page = { data: Invoice[]; has_more: boolean; next_cursor: string | null };

/** Reads the invoices that close periods at an instant, through the API. */
export async function readInvoices(api: Api, ends_at: string): Promise<Invoice[]> {
  const to = new Date(Date.parse(ends_at) + 1).toISOString();
  const path = `invoices?from=${ends_at}&to=${to}&limit=200`;
  const invoices: Invoice[] = [];
  for (let cursor = ''; ;) {
    const page: Page = await call(api, path + cursor);
    invoices.push(...page.data.filter(({ kind }) => kind === 'period'));
    if (page.next_cursor === null) return invoices;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Throws unless every customer has one correct invoice, and the numbers are consecutive from `first_number`. */
export function checkInvoices(
  invoices: readonly Invoice[],
  customers: readonly BilledCustomer[],
  first_number: number,
): void {
  const by_customer = new Map(invoices.map((invoice) => [invoice.customer_id, invoice]));
  const faults = customers.flatMap((customer) => faultsOf(customer, by_customer.get(customer.external_id)));
  if (invoices.length !== customers.length)
    faults.push(`${invoices.length} invoices of ${customers.length} customers`);
  const numbers = invoices.map(({ number }) => Number(number?.replace('INV-', ''))).sort((a, b) => a - b);
  const gap = numbers.findIndex((number, at) => number !== first_number + at);
  if (gap !== -1) faults.push(`number ${numbers[gap]} where ${first_number + gap} should be`);
  if (faults.length > 0)
    throw new Error(`${faults.length} invoices are wrong: ${faults.slice(0, 5).join('; ')}`);
}

function faultsOf(customer: BilledCustomer, invoice: Invoice | undefined): string[] {
  const { external_id, credit } = customer;
  if (invoice === undefined) return [`${external_id} has none`];
  const { total, credits_applied, status } = invoice;
  const expected = (expectedCents(customer) / 100).toFixed(2);
  if (total === expected && credits_applied === `${credit}` && status === 'open') return [];
  return [
    `${external_id} has a ${status} one of ${total} with ${credits_applied} credits, not ${expected} with ${credit}`,
  ];
}
