import { Type, type Static, type TSchema } from 'typebox';
import { BILLING_REASONS } from '../domain/usage/billing-cause.ts';
import { CHANGE_TYPE_NAMES, CHANGE_TYPES, type ChangedObject } from '../domain/feed/change-types.ts';
import { AccountObject } from './account.ts';
import { API_KEY } from './api-key.ts';
import { BalanceEntryObject } from './balance-entry.ts';
import { GrantObject } from './credit-grant.ts';
import { CreditNoteObject } from './credit-note.ts';
import { CustomerObject, DeletedCustomer } from './customer.ts';
import { DiscountObject } from './discount.ts';
import { EmailObject } from './email.ts';
import { InvoiceItemObject } from './invoice-item.ts';
import { InvoiceObject } from './invoice.ts';
import { deletedObject, identity, nullable, oneOf, responseObject, ResponseInstant } from './parts.ts';
import { PaymentAttemptObject } from './payment-attempt.ts';
import { PaymentDisputeObject } from './payment-dispute.ts';
import { PaymentMethodObject } from './payment-method.ts';
import { DeletedPaymentProvider, PaymentProviderObject } from './payment-provider.ts';
import { PaymentRefundObject } from './payment-refund.ts';
import { PaymentObject } from './payment.ts';
import { PlanMigrationObject } from './plan-migration.ts';
import { PlanObject } from './plan.ts';
import { SubscriptionObject } from './subscription.ts';
import { DeletedWebhookEndpoint, WebhookEndpointObject } from './webhook-endpoint.ts';

const DATA =
  'The object as GET answers it when the change is numbered: never older than the change. Null if it is above 256 KB, gone, or redacted since.';

/** A change of one kind of object; `data` has one of these shapes, or is null. */
function changeOf<Name extends ChangedObject, Data extends TSchema[]>(
  title: string,
  object_type: Name,
  ...data: [...Data]
) {
  const types = CHANGE_TYPES[object_type].map((type) => `${object_type}.${type}`);
  return responseObject(title, {
    ...identity('change'),
    sequence: Type.Integer({
      description:
        'The number in the feed of the environment, without gaps. Of two changes of an object the greater is the later.',
    }),
    type: oneOf(types),
    object_type: Type.Literal(object_type),
    object_id: Type.String(),
    customer_id: nullable(Type.String({ description: 'The `external_id` of the customer concerned.' })),
    actor: nullable(
      Type.String({ description: 'The key or user whose request did it; null for what workers do.' }),
    ),
    data: { ...Type.Union([...data, Type.Null()]), description: DATA },
  });
}

const DeletedInvoiceItem = deletedObject('DeletedInvoiceItem', 'invoice_item');
const FeedRestoration = responseObject('FeedRestoration', {
  object: Type.Literal('feed_restoration'),
  last_sequence: Type.Integer({
    description:
      'The last number that the restored database has. What came after it is gone: read the lists again.',
  }),
});
const UsageNotice = responseObject('UsageNotice', {
  object: Type.Literal('usage_notice'),
  customer_id: nullable(Type.String()),
  event_name: Type.String(),
  status: oneOf(['unrated', 'late', 'too_late']),
  reason: nullable(oneOf(BILLING_REASONS)),
  events: Type.Integer({ description: 'Of those that were stored last; the usage report has all.' }),
  from: ResponseInstant,
  to: ResponseInstant,
});
const { ledger: _, ...GRANT } = GrantObject.properties;

/** The change of each kind of object. */
export const CHANGE_OF = {
  customer: changeOf('CustomerChange', 'customer', CustomerObject, DeletedCustomer),
  pricing_plan: changeOf('PricingPlanChange', 'pricing_plan', PlanObject),
  plan_migration: changeOf('PlanMigrationChange', 'plan_migration', PlanMigrationObject),
  subscription: changeOf('SubscriptionChange', 'subscription', SubscriptionObject),
  invoice: changeOf('InvoiceChange', 'invoice', InvoiceObject),
  invoice_item: changeOf('InvoiceItemChange', 'invoice_item', InvoiceItemObject, DeletedInvoiceItem),
  discount: changeOf('DiscountChange', 'discount', DiscountObject),
  payment: changeOf('PaymentChange', 'payment', PaymentObject),
  credit_note: changeOf('CreditNoteChange', 'credit_note', CreditNoteObject),
  email: changeOf('EmailChange', 'email', EmailObject),
  payment_attempt: changeOf('PaymentAttemptChange', 'payment_attempt', PaymentAttemptObject),
  payment_refund: changeOf('PaymentRefundChange', 'payment_refund', PaymentRefundObject),
  payment_dispute: changeOf('PaymentDisputeChange', 'payment_dispute', PaymentDisputeObject),
  payment_method: changeOf('PaymentMethodChange', 'payment_method', PaymentMethodObject),
  payment_provider: changeOf(
    'PaymentProviderChange',
    'payment_provider',
    PaymentProviderObject,
    DeletedPaymentProvider,
  ),
  credit_grant: changeOf('CreditGrantChange', 'credit_grant', responseObject('ChangedCreditGrant', GRANT)),
  balance_entry: changeOf('BalanceEntryChange', 'balance_entry', BalanceEntryObject),
  account: changeOf('AccountChange', 'account', AccountObject),
  api_key: changeOf('ApiKeyChange', 'api_key', responseObject('ChangedApiKey', API_KEY)),
  webhook_endpoint: changeOf(
    'WebhookEndpointChange',
    'webhook_endpoint',
    WebhookEndpointObject,
    DeletedWebhookEndpoint,
  ),
  usage: changeOf('UsageChange', 'usage', UsageNotice),
  feed: changeOf('FeedRestoredChange', 'feed', FeedRestoration),
} as const satisfies Readonly<Record<ChangedObject, TSchema>>;

/** A change as clients read it, by its `object_type` (docs/changes.md). */
export type FeedChange = Static<(typeof CHANGE_OF)[ChangedObject]>;
export const FeedChange = Type.Unsafe<FeedChange>(
  Type.Union(Object.values(CHANGE_OF), { title: 'FeedChange' }),
);

/** The names of all types. */
export const ChangeType = oneOf(CHANGE_TYPE_NAMES, { title: 'ChangeType' });

/** A page of the feed, oldest first. */
export const FeedPage = responseObject('FeedPage', {
  object: Type.Literal('list'),
  data: Type.Array(FeedChange),
  has_more: Type.Boolean(),
  next_after: Type.Integer(),
  oldest_sequence: Type.Integer({
    description: 'The oldest number that is kept; one above the newest if none is.',
  }),
  newest_sequence: Type.Integer({ description: '0 before the first change.' }),
});
export type FeedPage = Static<typeof FeedPage>;
