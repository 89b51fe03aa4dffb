import { isChargeable } from '../domain/collection/minor-amount.ts';
import { PAGES_MAX } from '../domain/collection/payment-method.ts';
import { conflict, rateLimited } from '../domain/money/errors.ts';
import { readChargeTerms } from '../db/collection/charge-terms.ts';
import { countPages, endPage, notePageMade } from '../db/collection/pages.ts';
import { findOpenPage, insertPaymentPage, type PaymentPage } from '../db/collection/payment-pages.ts';
import { lockProvider } from '../db/collection/providers.ts';
import { transaction, type Act, type Db, type Pool } from '../db/connection/pool.ts';
import { findCustomer, lockCustomer } from '../db/customers/customers.ts';
import { findInvoice } from '../db/invoicing/invoices.ts';
import { invalidState } from '../db/invoicing/owed.ts';
import { newId } from '../keys/ids.ts';
import type { Invoice } from '../objects/invoice.ts';
import { answered } from './answered.ts';
import { closePage } from './close-pages.ts';
import { PAGES_RETRY_SECONDS } from './method-pages.ts';
import { askProvider, type Collector, type OpenedProvider } from './opened.ts';
import { ProviderError } from './provider.ts';
import { providerOfPages, referenceOf } from './provider-of-pages.ts';

/** More pages of one request that others close meanwhile than there ever are. */
const ROUNDS_MAX = 5;

/** A page for an invoice. `returnUrlOf` is where the page leads back to, by its id. */
export type SessionRequest = {
  environment_id: number;
  invoice_id: string;
  saves_method: boolean;
  returnUrlOf: (id: string) => string;
  act: Act;
  by: string;
};

/**
 * Makes a page of the provider on which what is due on an open invoice is paid, or finds the one that is open. Returns
 * its id; null if the invoice does not exist. Throws conflict `invalid_state` (a draft, void, paid), `not_chargeable`,
 * `charge_in_progress`, `no_payment_provider`, `key_refused`, `provider_refused`, rate_limited beyond PAGES_MAX pages
 * of the customer in an hour, internal_error `unavailable`.
 */
export async function createPaymentPage(
  collector: Collector,
  request: SessionRequest,
): Promise<string | null> {
  const { environment_id, invoice_id } = request;
  const invoice = await findInvoice(collector.pool, environment_id, invoice_id);
  if (invoice === null) return null;
  checkPayable(invoice);
  const opened = await providerOfPages(collector, environment_id);
  return answered(() => pageOf(collector, opened, request));
}

/** The id of the page of an invoice that exists, as createPaymentPage makes it. Throws ProviderError. */
export async function pageOf(
  { pool }: { pool: Pool },
  opened: OpenedProvider,
  request: SessionRequest,
): Promise<string> {
  const { environment_id, invoice_id, act } = request;
  const { customer_id } = await readChargeTerms(pool, environment_id, invoice_id);
  const customer = (await findCustomer(pool, environment_id, customer_id))!;
  await referenceOf({ pool }, opened, customer);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = { ...request, customer_id };
    const page = await transaction(pool, (db) => nextPage(db, opened, next), { act });
    if (page.saves_method !== request.saves_method || isOver(page)) await closePage(pool, opened, page);
    else if (page.reference !== null || (await make(pool, opened, { page, request }))) return page.id;
  }
  throw conflict(null, 'charge_in_progress', `another payment of invoice ${invoice_id} is under way`);
}

/** Whether a page charges something else than is due, or was not made as long as its request would be taken. */
function isOver({ is_closing, reference, may_be_made }: PaymentPage): boolean {
  return is_closing || (reference === null && !may_be_made);
}

/** The open page of an invoice, or a new one, stored before it is made. */
async function nextPage(
  db: Db,
  { access }: OpenedProvider,
  { environment_id, invoice_id, customer_id, saves_method, by }: SessionRequest & { customer_id: string },
): Promise<PaymentPage> {
  await lockCustomer(db, environment_id, customer_id);
  const invoice = (await findInvoice(db, environment_id, invoice_id))!;
  checkPayable(invoice);
  const { is_charged } = await readChargeTerms(db, environment_id, invoice_id);
  if (is_charged)
    throw conflict(null, 'charge_in_progress', `a charge of invoice ${invoice_id} is under way`);
  const open = await findOpenPage(db, { environment_id, invoice_id });
  if (open !== null) return open;
  if (!(await lockProvider(db, environment_id, access.id)))
    throw conflict(null, 'no_payment_provider', 'the payment provider was deleted');
  if ((await countPages(db, environment_id, customer_id)) >= PAGES_MAX)
    throw rateLimited(PAGES_RETRY_SECONDS);
  await insertPaymentPage(db, environment_id, {
    id: newId('pys'),
    customer_id,
    provider_id: access.id,
    invoice_id,
    amount: invoice.amount_due,
    currency: invoice.currency,
    saves_method,
    created_by: by,
  });
  return (await findOpenPage(db, { environment_id, invoice_id }))!;
}

type Making = { page: PaymentPage; request: SessionRequest };

/** Makes a page that is stored. Returns false if it has ended meanwhile: nobody gets its address. */
async function make(pool: Pool, opened: OpenedProvider, { page, request }: Making): Promise<boolean> {
  const { id, environment_id } = page;
  try {
    const made = await askProvider({ pool }, opened, (provider) =>
      provider.createPaymentPage({ ...page, key: id, return_url: request.returnUrlOf(id) }),
    );
    return await notePageMade(pool, environment_id, { id, ...made });
  } catch (error) {
    // After any other error the same request may be sent again.
    if (error instanceof ProviderError && error.kind === 'refused') await endPage(pool, page, 'expired');
    throw error;
  }
}

function checkPayable({ id, status, amount_due, currency }: Invoice): void {
  if (status !== 'open') throw invalidState(id, `is ${status} and cannot be paid`);
  if (!isChargeable(amount_due, currency))
    throw conflict(null, 'not_chargeable', `the provider does not charge ${amount_due} ${currency}`);
}
