import { receiveMoney } from '../billing/owed/receive.ts';
import { outcomeOf } from '../domain/collection/payment-session.ts';
import { paymentOfCharge } from '../db/collection/known-references.ts';
import { insertMethod } from '../db/collection/methods.ts';
import { endPage } from '../db/collection/pages.ts';
import {
  endPaymentPage,
  findOpenPage,
  findPaymentPage,
  notePageUnderWay,
  pagesOfProvider,
  putOffPaymentPage,
  type PaymentPage,
} from '../db/collection/payment-pages.ts';
import { transaction, type Pool } from '../db/connection/pool.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { newId } from '../keys/ids.ts';
import { askProvider, type OpenedProvider, type ProviderOpener } from './opened.ts';
import { ProviderError, type ProviderIntent, type ProviderMethod, type ProviderPage } from './provider.ts';

/** The parts with which pages are read and closed. */
type Reader = { pool: Pool; providerOf: ProviderOpener };

/** Open pages of a provider that are closed before it is deleted. */
const CLOSED_AT_ONCE = 100;

/**
 * Closes the open page of an invoice at the provider before something else charges it. A payment that was made there is
 * recorded; a page that was paid by a debit of days stays open. Throws ProviderError.
 */
export async function closePages(
  { pool, providerOf }: Reader,
  invoice: { environment_id: number; invoice_id: string },
): Promise<void> {
  const page = await findOpenPage(pool, invoice);
  if (page === null) return;
  const opened = await providerOf(page);
  if (opened !== null) await closePage(pool, opened, page);
}

/** Closes the pages of a provider before it is deleted, if it answers. */
export async function closePagesAt(pool: Pool, opened: OpenedProvider): Promise<void> {
  const { environment_id, id: provider_id } = opened.access;
  try {
    for (const page of await pagesOfProvider(pool, environment_id, { provider_id, limit: CLOSED_AT_ONCE }))
      await closePage(pool, opened, page);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}

/** Closes a page at the provider, and records what became of it. Throws ProviderError. */
export async function closePage(pool: Pool, opened: OpenedProvider, page: PaymentPage): Promise<void> {
  const { reference } = page;
  // Nobody has its address.
  if (reference === null) return endPage(pool, page, 'expired');
  const read = await askProvider({ pool }, opened, (provider) =>
    page.is_under_way ? provider.readPaymentPage(reference) : provider.expirePaymentPage(reference),
  );
  await record(pool, opened, { page, read });
}

/** Reads a page whose turn it is, and closes one that is over or charges something else than is due. */
export async function readPage(pool: Pool, opened: OpenedProvider, page: PaymentPage): Promise<void> {
  const { reference } = page;
  if (reference === null || page.is_closing) return closePage(pool, opened, page);
  const read = await askProvider({ pool }, opened, (provider) => provider.readPaymentPage(reference));
  await record(pool, opened, { page, read });
}

/** Reads a page at once, if it is open. Throws ProviderError. */
export async function readPageNow(
  { pool, providerOf }: Reader,
  environment_id: number,
  id: string,
): Promise<void> {
  const page = await findPaymentPage(pool, environment_id, id);
  if (page === null || page.reference === null) return;
  const opened = await providerOf(page);
  if (opened !== null) await readPage(pool, opened, page);
}

type Read = { page: PaymentPage; read: ProviderPage };

async function record(pool: Pool, opened: OpenedProvider, { page, read }: Read): Promise<void> {
  const { status, intent } = read;
  switch (outcomeOf({ status, intent_status: intent?.status ?? null })) {
    case 'open':
      return putOffPaymentPage(pool, page);
    case 'under_way':
      return notePageUnderWay(pool, page, intent!.reference);
    case 'over':
      await endPaymentPage(pool, page, { intent_reference: intent?.reference ?? null, payment_id: null });
      return;
    case 'paid':
      return recordPayment(pool, opened, { page, intent: intent! });
  }
}

/** Records the payment of a page, once, and the method that its payer has saved. */
async function recordPayment(
  pool: Pool,
  opened: OpenedProvider,
  { page, intent }: { page: PaymentPage; intent: ProviderIntent },
): Promise<void> {
  const { environment_id, id, customer_id, provider_id, invoice_id } = page;
  const method = page.saves_method ? await savedMethod(pool, opened, intent) : null;
  await transaction(pool, async (db) => {
    await lockCustomer(db, environment_id, customer_id);
    // Another process may have recorded it meanwhile.
    if ((await findPaymentPage(db, environment_id, id)) === null) return;
    const { reference, amount } = intent;
    const money = { customer_id, invoice_id, amount, reference, by: id };
    // The comparison of a night may have found the charge first.
    const payment_id =
      (await paymentOfCharge(db, { environment_id, reference })) ??
      (await receiveMoney(db, environment_id, money)).payment_id;
    await endPaymentPage(db, page, { intent_reference: reference, payment_id });
    if (method !== null)
      await insertMethod(db, environment_id, { ...method, id: newId('pmd'), customer_id, provider_id });
  });
}

async function savedMethod(
  pool: Pool,
  opened: OpenedProvider,
  { method_reference }: ProviderIntent,
): Promise<ProviderMethod | null> {
  if (method_reference === null) return null;
  return askProvider({ pool }, opened, (provider) => provider.readMethod(method_reference));
}
