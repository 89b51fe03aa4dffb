import type { Pool } from '../../../src/db/connection/pool.ts';
import { newId } from '../../../src/keys/ids.ts';

/**
 * Stores a payment method of a customer, by its external id, at a provider that nobody asks, and returns the id. The
 * environment has no other provider.
 */
export async function aStoredMethod(pool: Pool, external_id: string): Promise<string> {
  const [provider_id, id, reference] = [newId('pp'), newId('pmd'), newId('pms')];
  await pool.query(
    `insert into payment_providers (environment_id, id, kind, account, secret_key, key_last_four, webhook_url, created_by)
     select environment_id, $2, 'stripe', 'acct_1', '', '0000', 'http://localhost', 'key_1' from customers
     where external_id = $1
     on conflict do nothing`,
    [external_id, provider_id],
  );
  await pool.query(
    `insert into provider_customers (environment_id, provider_id, customer_id, reference)
     select c.environment_id, p.id, c.id, $2 from customers c join payment_providers p using (environment_id)
     where c.external_id = $1`,
    [external_id, reference],
  );
  await pool.query(
    `insert into payment_methods (environment_id, id, customer_id, provider_id, reference, type, label, is_default)
     select k.environment_id, $1, k.customer_id, k.provider_id, $2, 'card', 'Visa 4242', true
     from provider_customers k where k.reference = $2`,
    [id, reference],
  );
  return id;
}

/** Stores a page that has ended, on which an invoice was to be paid, of a customer with a method, and returns its id. */
export async function aStoredPage(pool: Pool, invoice_id: string): Promise<string> {
  const id = newId('pys');
  await pool.query(
    `insert into payment_pages (environment_id, id, customer_id, provider_id, invoice_id, amount, currency, saves_method,
       status, expires_at, created_by)
     select i.environment_id, $1, i.customer_id, k.provider_id, i.id, i.total, i.currency, false, 'expired', now(), 'key_1'
     from invoices i join provider_customers k using (environment_id, customer_id) where i.id = $2`,
    [id, invoice_id],
  );
  return id;
}
