import { transaction, type Act } from '../db/connection/pool.ts';
import { countPages, insertPage, notePageMade } from '../db/collection/pages.ts';
import { findReference, keepReference } from '../db/collection/provider-customers.ts';
import { findCustomer, lockNamedCustomer } from '../db/customers/customers.ts';
import { PAGES_MAX } from '../domain/collection/payment-method.ts';
import { conflict, rateLimited } from '../domain/money/errors.ts';
import { newId } from '../keys/ids.ts';
import type { Customer } from '../objects/customer.ts';
import { askProvider, openProvider, type Collector, type OpenedProvider } from './opened.ts';
import { ProviderError } from './provider.ts';
import { unanswered } from './providers.ts';

const RETRY_SECONDS = 60;

/** A page for a customer, by its external id or our `cus_` id. */
type PageRequest = { environment_id: number; customer_id: string; return_url: string; act: Act; by: string };

/**
 * Makes a page of the provider on which a customer saves a method; null if the customer does not exist. Throws conflict
 * `no_payment_provider`, `key_refused`, `provider_refused`, rate_limited beyond PAGES_MAX in an hour, internal_error
 * `unavailable`.
 */
export async function createMethodPage(
  collector: Collector,
  { environment_id, customer_id, return_url, act, by }: PageRequest,
): Promise<{ url: string; expires_at: string } | null> {
  const { pool } = collector;
  const customer = await findCustomer(pool, environment_id, customer_id);
  if (customer === null) return null;
  const opened = await openProvider(collector, environment_id);
  if (opened === null) throw conflict(null, 'no_payment_provider', 'the environment has no payment provider');
  return answered(async () => {
    const customer_reference = await referenceOf(collector, opened, customer);
    const id = await transaction(
      pool,
      async (db) => {
        await lockNamedCustomer(db, environment_id, customer.id);
        if ((await countPages(db, environment_id, customer.id)) >= PAGES_MAX)
          throw rateLimited(RETRY_SECONDS);
        const page = { id: newId('pms'), customer_id: customer.id, provider_id: opened.access.id };
        await insertPage(db, environment_id, { ...page, created_by: by });
        return page.id;
      },
      { act },
    );
    const { currency } = customer;
    const made = await askProvider(collector, opened, (provider) =>
      provider.createMethodPage({ key: id, customer_reference, currency, return_url }),
    );
    await notePageMade(pool, environment_id, { id, ...made });
    return { url: made.url, expires_at: made.expires_at };
  });
}

/** The id of a customer at the provider, made there before its first page. */
async function referenceOf(
  collector: Collector,
  opened: OpenedProvider,
  { id: customer_id, name, email }: Customer,
): Promise<string> {
  const { environment_id, id: provider_id } = opened.access;
  const stored = await findReference(collector.pool, environment_id, { provider_id, customer_id });
  if (stored !== null) return stored;
  const reference = await askProvider(collector, opened, (provider) =>
    provider.createCustomer({ customer_id, name, email }),
  );
  return keepReference(collector.pool, environment_id, { provider_id, customer_id, reference });
}

/** Errors of the provider as the caller sees them. */
async function answered<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'unreachable') throw unanswered();
    const reason = error.kind === 'key_refused' ? 'key_refused' : 'provider_refused';
    throw conflict(null, reason, `the payment provider refused: ${error.message}`);
  }
}
