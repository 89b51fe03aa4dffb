import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { findAccount } from '../../src/db/account/accounts.ts';
import {
  findCustomer,
  insertCustomer,
  listCustomers,
  lockedCustomer,
  setTaxRate,
  updateCustomer,
  type CustomerUpdate,
} from '../../src/db/customers/customers.ts';
import type { Customer } from '../../src/objects/customer.ts';
import { listFoundCustomers, writeSearchTexts } from '../../src/db/customers/customer-search.ts';
import { changeCurrency, removeCustomer } from '../../src/billing/customers/customer-uses.ts';
import { redactCustomer } from '../../src/billing/customers/redact.ts';
import { TAX_TREATMENTS } from '../../src/domain/money/tax.ts';
import { conflict, invalid } from '../../src/domain/money/errors.ts';
import { newId } from '../../src/keys/ids.ts';
import { CustomerObject, DeletedCustomer } from '../../src/objects/customer.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/customers.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { mergePatch, patched } from '../schema/merge-patch.ts';
import { route } from '../routing/route.ts';
import {
  BillingEmails,
  checkAscending,
  checkNoneTwice,
  EmailLanguage,
  ReminderDays,
} from '../schema/email.ts';
import { ChargeMode } from '../schema/charging.ts';
import { Address, addressOf, TaxIds } from '../schema/party.ts';
import {
  Currency,
  Email,
  Identifier,
  listOf,
  Name,
  NetDays,
  orNull,
  PAGE,
  Percent,
  PRINTABLE,
  Timezone,
} from '../schema/schemas.ts';
import { exactly, Metadata, oneOf } from '../../src/objects/parts.ts';
import { parserOf } from '../schema/validation.ts';

/** Fields that a patch merges into the stored customer, with the value of a field that the customer does not have. */
const CLEARED: Omit<CustomerUpdate, 'id'> = {
  name: null,
  email: null,
  tax_treatment: 'standard',
  address: null,
  tax_ids: [],
  buyer_reference: null,
  timezone: null,
  net_days: null,
  billing_emails: [],
  email_muted: false,
  language: null,
  reminder_days: null,
  charge_mode: null,
  metadata: {},
};
const MERGED = {
  name: Name,
  email: Email,
  tax_treatment: oneOf(TAX_TREATMENTS),
  address: Address,
  tax_ids: TaxIds,
  buyer_reference: Type.String({
    ...PRINTABLE,
    description: 'What the customer wants to read on its invoices, such as the number of a purchase order.',
  }),
  timezone: Timezone,
  net_days: NetDays,
  billing_emails: BillingEmails,
  email_muted: Type.Boolean({ description: 'Whether nothing is sent by itself.' }),
  language: EmailLanguage,
  reminder_days: ReminderDays,
  charge_mode: ChargeMode,
  metadata: Metadata,
} satisfies Record<keyof typeof CLEARED, object>;

const NewCustomer = Type.Object(
  {
    external_id: Type.String({
      ...Identifier,
      description: 'Your id of the customer. It must not begin with `cus_`.',
    }),
    ...Type.Partial(Type.Object(MERGED)).properties,
    currency: Type.Optional(Currency),
    tax_rate: Type.Optional(Percent),
  },
  {
    additionalProperties: false,
  },
);

const create = route({
  method: 'post',
  path: '/v1/customers',
  operation_id: 'createCustomer',
  tag: 'Customers',
  summary: 'Create a customer, or return the existing customer if all fields sent are equal',
  body: NewCustomer,
  examples: examples.create,
  responses: { 200: CustomerObject, 201: CustomerObject },
  handle: async ({ db, caller, body }) => {
    const { environment_id } = caller;
    if (body.external_id.startsWith('cus_'))
      throw invalid('external_id', 'not_allowed', 'external_id must not begin with cus_');
    checkNoneTwice('billing_emails', body.billing_emails ?? []);
    checkAscending('reminder_days', body.reminder_days);
    const { currency } = await findAccount(db, environment_id);
    const defaults = { id: newId('cus'), currency, tax_rate: null, ...CLEARED };
    const { address: parts, ...fields } = body;
    const sent_fields = parts === undefined ? fields : { ...fields, address: addressOf(parts) };
    const created = await insertCustomer(db, environment_id, { ...defaults, ...sent_fields });
    const customer = (await findCustomer(db, environment_id, body.external_id))!;
    if (created)
      return { status: 201, body: customer, headers: { Location: `/v1/customers/${customer.id}` } };
    if (!isAsSent(customer, sent_fields)) throw externalIdTaken();
    return { status: 200, body: customer };
  },
});

function isAsSent(customer: Customer, sent_fields: { metadata?: object }): boolean {
  const { metadata, ...fields } = sent_fields;
  return (
    isDeepStrictEqual({ ...customer, ...fields }, customer) &&
    // Through JSON, as the stored metadata: JSON turns -0 into 0.
    (metadata === undefined || isDeepStrictEqual(JSON.parse(JSON.stringify(metadata)), customer.metadata))
  );
}

function externalIdTaken() {
  return conflict(
    'external_id',
    'external_id_taken',
    'external_id is already used by a customer with different fields',
  );
}

const list = route({
  method: 'get',
  path: '/v1/customers',
  operation_id: 'listCustomers',
  tag: 'Customers',
  summary: 'Customers, newest first',
  query: exactly({
    search: Type.Optional(
      Type.String({
        ...Identifier,
        description:
          'Only customers whose `external_id`, name or email contains the text, whatever its case, accents, width and blanks.',
      }),
    ),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(CustomerObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { search = null } = query;
    return listResponse(request, {
      name: 'customers',
      filters: { search },
      fetch: (page) =>
        search === null
          ? listCustomers(db, caller.environment_id, page)
          : listFoundCustomers(db, caller.environment_id, { words: search, ...page }),
      show: (customer) => customer,
    });
  },
});

const read = route({
  method: 'get',
  path: '/v1/customers/{id}',
  operation_id: 'getCustomer',
  tag: 'Customers',
  summary: 'Get a customer by id or external_id',
  examples: examples.read,
  responses: { 200: CustomerObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findCustomer(db, caller.environment_id, params['id']!));
  },
});

/** Validates the merged fields after the merge: merged metadata may be too large. */
const checkMerged = parserOf(Type.Partial(exactly(MERGED)));

const patch = route({
  method: 'patch',
  path: '/v1/customers/{id}',
  operation_id: 'updateCustomer',
  tag: 'Customers',
  summary: 'Update a customer by a JSON merge patch: null removes a value, metadata is merged',
  refusals: ['conflict'],
  body: Type.Object(
    {
      ...patched(MERGED),
      currency: Type.Optional(Currency),
      tax_rate: Type.Optional(orNull(Percent)),
    },
    { additionalProperties: false },
  ),
  examples: examples.patch,
  responses: { 200: CustomerObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id } = caller;
    checkNoneTwice('billing_emails', body.billing_emails ?? []);
    checkAscending('reminder_days', body.reminder_days);
    const customer = await lockedCustomer(db, environment_id, params['id']!);
    if (customer === null) throw notFoundError();
    const { tax_rate, currency, ...fields } = body;
    const stored = Object.fromEntries(Object.entries(customer).filter(([field]) => field in MERGED));
    const merged = { ...CLEARED, ...checkMerged(mergePatch(stored, fields)) };
    const address = addressOf(merged.address);
    const { id, external_id } = customer;
    await updateCustomer(db, environment_id, { id, ...merged, address });
    await writeSearchTexts(db, [{ environment_id, id, external_id, name: merged.name, email: merged.email }]);
    if (currency !== undefined && currency !== customer.currency)
      await changeCurrency(db, environment_id, { id, currency });
    if (tax_rate !== undefined) await setTaxRate(db, environment_id, { id, tax_rate });
    return { status: 200, body: (await findCustomer(db, environment_id, id))! };
  },
});

const remove = route({
  method: 'delete',
  path: '/v1/customers/{id}',
  operation_id: 'deleteCustomer',
  tag: 'Customers',
  summary: 'Delete a customer of which nothing else is stored',
  description:
    'A customer with subscriptions, events, credit grants, invoices, invoice items or balance entries is not deleted: 409, and `details` has a `reason` ' +
    'for each, such as `has_events`. Its `external_id` may be used again.',
  examples: examples.remove,
  responses: { 200: DeletedCustomer },
  handle: async ({ db, caller, params }) => {
    const { environment_id, actor_id: by } = caller;
    const customer = await removeCustomer(db, environment_id, { id: params['id']!, by });
    if (customer === null) throw notFoundError();
    return { status: 200, body: { id: customer.id, object: 'customer', deleted: true } };
  },
});

const PROPERTIES_MAX = 20;

const redact = route({
  method: 'post',
  path: '/v1/customers/{id}/redact',
  operation_id: 'redactCustomer',
  tag: 'Customers',
  summary: 'Erase a person: blank the customer, and remove properties from its events',
  description:
    'Blanks `name`, `email`, `billing_emails`, `address`, `tax_ids`, `buyer_reference` and `metadata`, the references of payments, the reasons of balance entries, ' +
    'reversals, voids and regenerations, and the descriptions of invoice items, which become `Item`. The named properties are removed from the events that are ' +
    'stored by then: `redaction.events` is `pending` until that is done. A property that a charge of one of the subscriptions reads, also an ' +
    'ended one, is 409 `property_in_use`. `redaction.kept` says what stays. Nothing can be undone.',
  body: exactly({
    properties: Type.Optional(
      Type.Array(Identifier, {
        maxItems: PROPERTIES_MAX,
        description: 'Names of properties of events.',
        examples: [['user_email']],
      }),
    ),
  }),
  body_may_be_absent: true,
  examples: examples.redact,
  responses: { 200: CustomerObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const redaction = { id: params['id']!, properties: body.properties ?? [], by };
    return foundOr404(await redactCustomer(db, environment_id, redaction));
  },
});

export const customerRoutes = [create, list, read, patch, redact, remove];
