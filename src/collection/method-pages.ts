import { transaction, type Act } from '../db/connection/pool.ts';
import { countPages, insertPage, notePageMade } from '../db/collection/pages.ts';
import { findCustomer, lockNamedCustomer } from '../db/customers/customers.ts';
import { PAGES_MAX } from '../domain/collection/payment-method.ts';
import { rateLimited } from '../domain/money/errors.ts';
import { newId } from '../keys/ids.ts';
import { answered } from './answered.ts';
import { askProvider, type Collector } from './opened.ts';
import { providerOfPages, referenceOf } from './provider-of-pages.ts';

/** Wait of a customer who has had PAGES_MAX pages in an hour. */
export const PAGES_RETRY_SECONDS = 60;

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
  const opened = await providerOfPages(collector, environment_id);
  return answered(async () => {
    const customer_reference = await referenceOf(collector, opened, customer);
    const id = await transaction(
      pool,
      async (db) => {
        await lockNamedCustomer(db, environment_id, customer.id);
        if ((await countPages(db, environment_id, customer.id)) >= PAGES_MAX)
          throw rateLimited(PAGES_RETRY_SECONDS);
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
