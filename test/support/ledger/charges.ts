import { collectNext, type Collected, type Charger } from '../../../src/collection/collect.ts';
import { beginCharge } from '../../../src/collection/charge.ts';
import { stripeProvider } from '../../../src/collection/stripe/stripe.ts';
import { findAccess } from '../../../src/db/collection/providers.ts';
import { transaction, type Pool } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { newId } from '../../../src/keys/ids.ts';
import { aStripe, LIVE_KEY, type StripeStandIn } from '../servers/stripe-stand-in.ts';
import type { Behaviour } from '../servers/stripe-state.ts';
import * as given from './billing.ts';

const PROVIDER = 'pp_acme';

/** An open invoice with the payment method of its customer, here and at Stripe. */
export type Charged = {
  invoice: Invoice;
  customer: given.TestCustomer;
  method_id: string;
  method_reference: string;
};

/** Columns of an attempt that say how it ended. */
export type AttemptRow = {
  id: string;
  invoice_id: string;
  status: string;
  amount: string;
  decline_code: string | null;
  provider_reference: string | null;
  payment_id: string | null;
};

/** A ledger whose customers have methods at a Stripe that charges, for the tests of one file. Nothing runs by itself. */
export function useCharges() {
  let pool: Pool;
  let stripe: StripeStandIn;
  const outcomes: string[] = [];
  beforeEach(async () => {
    pool = await given.aLedger();
    stripe = await aStripe();
    outcomes.length = 0;
    await pool.query(
      `insert into payment_providers (environment_id, id, kind, account, secret_key, key_last_four, webhook_url, created_by)
       values ($1, $2, 'stripe', 'acct_acme', '\\x00', '0000', '', 'key_1')`,
      [given.LIVE, PROVIDER],
    );
  });
  afterEach(async () => {
    await pool.end();
    await stripe.close();
  });

  const charger = (): Charger => ({
    pool,
    providerOf: async () => ({
      access: (await findAccess(pool, given.LIVE))!,
      provider: stripeProvider({ secret_key: LIVE_KEY, api_url: stripe.url }),
      webhook_secrets: [],
    }),
    count: (outcome) => outcomes.push(outcome),
  });

  /** An open invoice of `amount`, whose customer has a default method that behaves like this when it is charged. */
  const aChargedInvoice = async (
    behaviour: Behaviour = 'succeeds',
    { amount = '100', currency = 'USD' }: { amount?: string; currency?: string } = {},
  ): Promise<Charged> => {
    const customer = await given.aCustomer(pool, { currency });
    const plan = await given.aPlan(
      pool,
      [{ pricing: { pricing_model: 'flat', flat_amount: amount } }],
      currency,
    );
    const subscription = await given.aSubscription(pool, customer, plan);
    const invoice = await given.bill(pool, given.stepOf(subscription));
    const provider = stripeProvider({ secret_key: LIVE_KEY, api_url: stripe.url });
    const reference = await provider.createCustomer({ customer_id: customer.id, name: null, email: null });
    await pool.query(
      'insert into provider_customers (environment_id, provider_id, customer_id, reference) values ($1, $2, $3, $4)',
      [...[given.LIVE, PROVIDER, customer.id, reference]],
    );
    const method = await aMethod(customer, stripe.addMethod(reference, behaviour), true);
    return { invoice, customer, ...method };
  };

  const aMethod = async (customer: given.TestCustomer, method_reference: string, is_default: boolean) => {
    const method_id = newId('pmd');
    await pool.query(
      `insert into payment_methods (environment_id, id, customer_id, provider_id, reference, type, label, is_default)
       values ($1, $2, $3, $4, $5, 'card', 'Visa 4242', $6)`,
      [given.LIVE, method_id, customer.id, PROVIDER, method_reference, is_default],
    );
    return { method_id, method_reference };
  };

  const begin = async (
    invoice: Pick<Invoice, 'id'>,
    payment_method_id: string | null = null,
  ): Promise<string> => {
    const request = { invoice_id: invoice.id, payment_method_id, by: 'key_1', request_key: null };
    const { attempt_id } = (await transaction(pool, (db) => beginCharge(db, given.LIVE, request)))!;
    if (attempt_id === null) throw new Error('a page of the invoice is open');
    return attempt_id;
  };
  const collect = (invoice: Pick<Invoice, 'id'>): Promise<Collected> =>
    collectNext(charger(), { environment_id: given.LIVE, invoice_id: invoice.id });

  return {
    pool: () => pool,
    stripe: () => stripe,
    outcomes,
    charger,
    aChargedInvoice,
    aMethod,
    begin,
    collect,
    /** Begins a charge and collects it. */
    charge: async (invoice: Pick<Invoice, 'id'>): Promise<Collected> => {
      await begin(invoice);
      return collect(invoice);
    },
    /** Attempts, the oldest first. */
    attempts: async (): Promise<AttemptRow[]> =>
      (
        await pool.query<AttemptRow>(
          `select id, invoice_id, status, amount::text as amount, decline_code, provider_reference, payment_id
           from payment_attempts order by id`,
        )
      ).rows,
    /** Payments by attempts: amount, and what of it went to the balance. */
    payments: async (): Promise<
      { invoice_id: string | null; amount: string; to_balance: string; reference: string }[]
    > =>
      (
        await pool.query(
          `select invoice_id, amount::text as amount, to_balance::text as to_balance, reference from payments
           where created_by like 'pat%' order by id`,
        )
      ).rows,
  };
}
