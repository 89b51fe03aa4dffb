import { eraseChanges } from '../../db/feed/erased-data.ts';
import { eraseAnswers } from '../../db/webhooks/tries.ts';
import {
  deleteCustomer,
  hasRunningSubscription,
  lockEvents,
  usesOfCustomer,
} from '../../db/customers/customer-deletion.ts';
import { lockedCustomer, setCurrency } from '../../db/customers/customers.ts';
import { hasNodes, settle } from '../../db/events/settle.ts';
import type { Customer } from '../../objects/customer.ts';
import type { Db } from '../../db/connection/pool.ts';
import {
  BillingError,
  CUSTOMER_USES,
  type CustomerUses,
  type ErrorDetail,
} from '../../domain/money/errors.ts';

/** Each kind of use is a reason of a refusal. */
const SENTENCES: Readonly<Record<keyof CustomerUses, string>> = {
  has_subscriptions: 'the customer has subscriptions',
  has_events: 'the customer has events',
  has_credit_grants: 'the customer has credit grants',
  has_invoices: 'the customer has invoices',
  has_invoice_items: 'the customer has invoice items',
  has_balance_entries: 'the customer has balance entries',
  has_discounts: 'the customer has discounts',
  has_pricing_plans: 'the customer has custom plans',
  has_payment_methods: 'the customer has payment methods, or a page on which it saves one',
};

/**
 * Deletes a customer, in the caller's transaction. `id` is the external id or our `cus_` id, `by` the key or session.
 * Returns null if the customer does not exist. Throws conflict `invalid_state`, with a further reason for each kind of
 * use, if anything is stored of it.
 */
export async function removeCustomer(
  db: Db,
  environment_id: number,
  { id, by }: { id: string; by: string },
): Promise<Customer | null> {
  const customer = await lockedCustomer(db, environment_id, id);
  if (customer === null) return null;
  const refuse = async () =>
    refuseUses(
      { param: null, reason: 'invalid_state', message: 'a customer in use cannot be deleted' },
      await usesOfCustomer(db, environment_id, customer.id),
    );
  // Before the lock too: a deletion that is refused does not hold up the storing of events.
  await refuse();
  await lockEvents(db);
  await settle(db, await hasNodes(db));
  await refuse();
  await deleteCustomer(db, environment_id, { id: customer.id, by });
  await eraseChanges(db, environment_id, customer.id);
  await eraseAnswers(db, environment_id, customer.id);
  return customer;
}

/**
 * Changes the currency of a customer; the caller holds the customer's lock. Throws conflict `invalid_state`, with a
 * further reason for each kind, if anything is counted in the present currency: an invoice, an invoice item, a balance
 * entry, a discount, a custom plan, or a subscription that has not ended.
 */
export async function changeCurrency(
  db: Db,
  environment_id: number,
  customer: { id: string; currency: string },
): Promise<void> {
  const uses = await usesOfCustomer(db, environment_id, customer.id);
  const has_subscriptions = await hasRunningSubscription(db, environment_id, customer.id);
  const message =
    'currency cannot change while the customer has an invoice, an invoice item, a balance entry, a discount, a custom plan, or a subscription that has not ended';
  // Events and credit grants are counted in units, and a payment method pays in any currency.
  refuseUses(
    { param: 'currency', reason: 'invalid_state', message },
    { ...uses, has_subscriptions, has_events: false, has_credit_grants: false, has_payment_methods: false },
  );
  await setCurrency(db, environment_id, customer);
}

function refuseUses(refusal: ErrorDetail, uses: CustomerUses): void {
  const { param } = refusal;
  const details = CUSTOMER_USES.filter((kind) => uses[kind]).map((reason): ErrorDetail => ({
    param,
    reason,
    message: SENTENCES[reason],
  }));
  if (details.length > 0) throw new BillingError('conflict', [refusal, ...details]);
}
