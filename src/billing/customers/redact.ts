import { revokePortalSessionsOf } from '../../db/account/portal-sessions.ts';
import { chargesOf, chargesOfCustomer } from '../../db/subscriptions/charges.ts';
import { writeSearchTexts } from '../../db/customers/customer-search.ts';
import {
  findCustomer,
  lockedCustomer,
  updateCustomer,
  type NewCustomer,
} from '../../db/customers/customers.ts';
import type { Customer } from '../../objects/customer.ts';
import type { Db } from '../../db/connection/pool.ts';
import { insertRedaction, pendingRedactions } from '../../db/customers/redactions.ts';
import { eraseMethods } from '../../db/collection/methods.ts';
import { endPagesOf } from '../../db/collection/pages.ts';
import { closePagesOf } from '../../db/collection/payment-pages.ts';
import { eraseAtProvider } from '../../db/collection/provider-customers.ts';
import { eraseEmails } from '../../db/emails/erased-emails.ts';
import { eraseChanges } from '../../db/feed/erased-data.ts';
import { eraseAnswers } from '../../db/webhooks/tries.ts';
import { eraseTexts } from '../../db/invoicing/erased-texts.ts';
import { lockSubscriptionsOf } from '../../db/subscriptions/subscription-context.ts';
import { BillingError, conflict, invalid, type ErrorDetail } from '../../domain/money/errors.ts';
import {
  PENDING_REDACTIONS_MAX,
  propertiesReadBy,
  REDACTED_PROPERTIES_MAX,
} from '../../domain/people/redaction.ts';

/** Fields that an erasure leaves: ids, by which events and documents find the customer, and terms of its invoices. */
type KeptField =
  | 'id'
  | 'external_id'
  | 'currency'
  | 'tax_rate'
  | 'tax_treatment'
  | 'timezone'
  | 'net_days'
  | 'email_muted'
  | 'language'
  | 'reminder_days'
  | 'charge_mode';

/** All other fields that a client may write, blank: they may say who a person is. */
export const BLANK: Readonly<Omit<NewCustomer, KeptField>> = {
  name: null,
  email: null,
  address: null,
  tax_ids: [],
  buyer_reference: null,
  metadata: {},
  billing_emails: [],
};

export type RedactionRequest = {
  /** The external id or our `cus_` id. */
  id: string;
  properties: readonly string[];
  /** A key or a session. */
  by: string;
};

/**
 * Blanks a customer, and what people have written about it, in the caller's transaction, and asks the worker to remove
 * properties from the events that are stored of it (contract.md 3). Returns null if the customer does not exist. Throws
 * conflict `property_in_use` for each property that a charge of one of its subscriptions reads, ended ones too: an
 * invoice of theirs may be regenerated.
 */
export async function redactCustomer(
  db: Db,
  environment_id: number,
  { id, properties, by }: RedactionRequest,
): Promise<Customer | null> {
  const customer = await lockedCustomer(db, environment_id, id);
  if (customer === null) return null;
  if (properties.length > 0) await refuseProperties(db, environment_id, customer, properties);
  // First, so that the audit log has the erasure and no change of the customer besides.
  await insertRedaction(db, environment_id, { customer_id: customer.id, properties, by });
  await updateCustomer(db, environment_id, { ...customer, ...BLANK });
  const { external_id } = customer;
  await writeSearchTexts(db, [{ environment_id, id: customer.id, external_id, name: null, email: null }]);
  await lockSubscriptionsOf(db, environment_id, customer.id);
  await eraseTexts(db, environment_id, customer.id);
  await eraseEmails(db, environment_id, customer.id);
  await erasePayer(db, environment_id, customer.id);
  await eraseChanges(db, environment_id, customer.id);
  await eraseAnswers(db, environment_id, customer.id);
  await revokePortalSessionsOf(db, environment_id, customer.id);
  return findCustomer(db, environment_id, customer.id);
}

/** Ends how a customer pays by itself, here at once and at the payment provider soon. */
async function erasePayer(db: Db, environment_id: number, customer_id: string): Promise<void> {
  await endPagesOf(db, environment_id, { customer_id });
  await closePagesOf(db, environment_id, customer_id);
  await eraseMethods(db, environment_id, customer_id);
  await eraseAtProvider(db, environment_id, customer_id);
}

async function refuseProperties(
  db: Db,
  environment_id: number,
  { id, redaction }: Customer,
  properties: readonly string[],
): Promise<void> {
  const read = propertiesReadBy(await chargesOfCustomer(db, environment_id, id));
  const details = [...properties.entries()].flatMap(([place, name]): ErrorDetail[] =>
    read.has(name)
      ? [
          {
            param: `properties[${place}]`,
            reason: 'property_in_use',
            message: `a charge of the customer reads the property ${name}`,
          },
        ]
      : [],
  );
  if (details.length > 0) throw new BillingError('conflict', details);
  if (new Set([...(redaction?.properties ?? []), ...properties]).size > REDACTED_PROPERTIES_MAX) {
    const message = `a customer can have at most ${REDACTED_PROPERTIES_MAX} redacted properties in all`;
    throw invalid('properties', 'too_many', message);
  }
  if ((await pendingRedactions(db, environment_id, id)).length >= PENDING_REDACTIONS_MAX) {
    const message = `the customer has ${PENDING_REDACTIONS_MAX} pending redactions: send this one once their events are done`;
    throw conflict(null, 'invalid_state', message);
  }
}

/**
 * Refuses a plan for a customer whose events are being redacted of a property that a charge of it reads: what that
 * bills would change from one slice to the next. `pending` are the properties of each redaction; the caller holds the
 * customer's lock. Throws conflict `invalid_state`.
 */
export async function refuseWhileRedacting(
  db: Db,
  environment_id: number,
  plan_id: string,
  pending: readonly (readonly string[])[],
): Promise<void> {
  if (pending.length === 0) return;
  const read = propertiesReadBy(await chargesOf(db, environment_id, plan_id));
  const name = pending.flat().find((property) => read.has(property));
  if (name === undefined) return;
  const message = `a charge of the plan reads the property ${name}, which is being redacted: try again once the events are done`;
  throw conflict('plan_id', 'invalid_state', message);
}
