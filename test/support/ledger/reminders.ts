import type { Pool } from '../../../src/db/connection/pool.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import { remindAll, remindAtClock } from '../../../src/emails/remind.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import * as given from './billing.ts';

/** A customer with an address, and three calls on each invoice. */
export async function aPayer(
  pool: Pool,
  { timezone = 'UTC', address = 'ada@acme.com' } = {},
): Promise<given.TestCustomer> {
  const customer = await given.aCustomer(pool, { timezone });
  await pool.query('update customers set billing_emails = $2 where id = $1', [
    customer.id,
    JSON.stringify([address]),
  ]);
  await given.post(pool, customer, given.january(3));
  return customer;
}

/** An open invoice of 3.00 that is due on a day, which was issued a month before. */
export async function anOwedInvoice(
  pool: Pool,
  customer: given.TestCustomer,
  due_date: string,
): Promise<Invoice> {
  const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
  const invoice = await given.bill(pool, given.stepOf(await given.aSubscription(pool, customer, plan)));
  await pool.query(
    `update invoices set due_date = $2::date, due_at = $2::date + interval '1 day',
       issued_at = $2::date - interval '30 days' where id = $1`,
    [invoice.id, due_date],
  );
  return invoice;
}

/** Has payers of live data reminded on these days. */
export async function useSteps(pool: Pool, reminder_days: readonly number[]): Promise<void> {
  await pool.query('update environments set reminder_days = $2 where id = $1', [
    given.LIVE,
    JSON.stringify(reminder_days),
  ]);
}

/** The day that many days from today, in a time zone. */
export async function dayFromNow(pool: Pool, days: number, timezone = 'UTC'): Promise<string> {
  const { rows } = await pool.query<{ day: string }>(
    'select ((now() at time zone $2)::date + $1::integer)::text as day',
    [days, timezone],
  );
  return rows[0]!.day;
}

/** Looks for reminders as the worker does each minute; a failure fails the test. */
export async function sweep(pool: Pool): Promise<void> {
  await remindAll({
    pool,
    signal: new AbortController().signal,
    report: (_, error) => {
      throw error;
    },
  });
}

/** Moves the test clock of a customer, and reminds as an advance does. */
export async function moveTo(pool: Pool, { id }: given.TestCustomer, instant: string): Promise<void> {
  await pool.query('update customers set test_clock = $2 where id = $1', [id, instant]);
  await transaction(pool, (db) => remindAtClock(db, { environment_id: given.LIVE, customer_id: id }));
}

/** A provider, at which a payer is. */
async function aProvider(pool: Pool, customer: given.TestCustomer): Promise<unknown[]> {
  const of_provider = [given.LIVE, 'pp_acme'];
  await pool.query(
    `insert into payment_providers (environment_id, id, kind, account, secret_key, key_last_four, webhook_url, created_by)
     values ($1, $2, 'stripe', 'acct_acme', '\\x00', '0000', '', 'key_1')`,
    of_provider,
  );
  await pool.query(
    `insert into provider_customers (environment_id, provider_id, customer_id, reference) values ($1, $2, $3, 'cus_1')`,
    [...of_provider, customer.id],
  );
  return of_provider;
}

/** A page on which a payer has paid an invoice by a debit that takes days. */
export async function aDebit(pool: Pool, customer: given.TestCustomer, invoice_id: string): Promise<void> {
  await pool.query(
    `insert into payment_pages (environment_id, id, invoice_id, customer_id, amount, currency, saves_method, provider_id,
       reference, url, intent_reference, created_by, expires_at, next_read_at)
     values ($1, 'pys_first', $4, $3, 3, 'USD', false, $2, 'cs_1', 'https://example.com/', 'pi_1', 'key_1', now(), now())`,
    [...(await aProvider(pool, customer)), customer.id, invoice_id],
  );
}

/** An attempt to charge an invoice that the provider has not answered yet. */
export async function anOpenAttempt(
  pool: Pool,
  customer: given.TestCustomer,
  invoice_id: string,
): Promise<void> {
  const of_provider = await aProvider(pool, customer);
  await pool.query(
    `insert into payment_methods (environment_id, id, customer_id, provider_id, reference, type, label, is_default)
     values ($1, 'pmd_visa', $3, $2, 'pm_visa', 'card', 'Visa 4242', true)`,
    [...of_provider, customer.id],
  );
  await pool.query(
    `insert into payment_attempts (environment_id, id, invoice_id, customer_id, number, amount, currency, provider_id,
       payment_method_id, by, created_by, status)
     values ($1, 'pat_first', $4, $3, 1, 3, 'USD', $2, 'pmd_visa', 'person', 'key_1', 'pending')`,
    [...of_provider, customer.id, invoice_id],
  );
}
