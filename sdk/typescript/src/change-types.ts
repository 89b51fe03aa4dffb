import type { components } from './schema.ts';

/**
 * The types of the feed of changes, written by hand until docs/openapi.json has `ChangeType` and `FeedChange`; then this file is replaced by
 * their names.
 */
type Schemas = components['schemas'];

/** The object that a change of each type carries, as GET answers it. */
type Objects = {
  customer: Schemas['Customer'] | Schemas['DeletedCustomer'];
  pricing_plan: Schemas['PricingPlan'];
  subscription: Schemas['Subscription'];
  invoice: Schemas['Invoice'];
  invoice_item: Schemas['InvoiceItem'] | Schemas['DeletedInvoiceItem'];
  payment: Schemas['Payment'];
  credit_note: Schemas['CreditNote'];
  credit_grant: Omit<Schemas['CreditGrant'], 'ledger'>;
  balance_entry: Schemas['BalanceEntry'];
  account: Schemas['Account'];
  api_key: ChangedApiKey;
  webhook_endpoint: ChangedWebhookEndpoint | DeletedWebhookEndpoint;
  usage: UsageNotice;
  feed: FeedRestoration;
};

type Verbs = {
  customer: 'created' | 'updated' | 'redacted' | 'deleted';
  pricing_plan: 'created';
  subscription:
    | ('created' | 'started' | 'trial_ended' | 'renewed' | 'updated')
    | ('canceled' | 'needs_attention' | 'recovered');
  invoice: 'drafted' | 'issued' | 'paid' | 'updated' | 'overdue' | 'voided';
  invoice_item: 'created' | 'updated' | 'deleted';
  payment: 'recorded' | 'reversed';
  credit_note: 'issued' | 'voided';
  credit_grant: 'created' | 'updated' | 'depleted' | 'expired' | 'voided';
  balance_entry: 'created';
  account: 'updated';
  api_key: 'created' | 'revoked';
  webhook_endpoint: 'created' | 'updated' | 'paused' | 'resumed' | 'parked' | 'deleted';
  usage: 'unrated' | 'late';
  feed: 'restored';
};

export type ChangedApiKey = {
  id: string;
  object: 'api_key';
  livemode: boolean;
  created_at: string;
  name: string;
  kind: 'full' | 'events_only';
  last_four: string;
  expires_at: string | null;
  revoked_at: string | null;
};

export type ChangedWebhookEndpoint = {
  id: string;
  object: 'webhook_endpoint';
  livemode: boolean;
  created_at: string;
  url: string;
  types: string[] | null;
  description: string | null;
  payload: 'full' | 'thin';
  status: 'active' | 'paused' | 'parked';
  status_reason: string | null;
  failing_since: string | null;
  delivered_up_to: number | null;
  previous_secret_until: string | null;
};

export type DeletedWebhookEndpoint = { id: string; object: 'webhook_endpoint'; deleted: true };

/** New events of a customer and name that no charge counts, or that arrived late: their number, and the range of their timestamps. */
export type UsageNotice = {
  object: 'usage_notice';
  customer_id: string;
  event_name: string;
  status: string;
  reason: string | null;
  events: number;
  from: string;
  to: string;
};

/** The feed goes on after a restore of the database: read the lists again. */
export type FeedRestoration = { object: 'feed_restoration'; last_sequence: number };

export type ObjectType = keyof Objects;
export type ChangeType = { [Type in ObjectType]: `${Type}.${Verbs[Type]}` }[ObjectType];

type ChangeOf<Type extends ObjectType> = {
  id: string;
  object: 'change';
  livemode: boolean;
  created_at: string;
  /** The version of the object: keep the greatest of each object, drop smaller ones. */
  sequence: number;
  type: `${Type}.${Verbs[Type]}`;
  object_type: Type;
  object_id: string;
  /** The `external_id` of the customer concerned. */
  customer_id: string | null;
  /** The key or session whose request did it; null for what Tidemark does by itself. */
  actor: string | null;
  /** The object as GET answers it; null if it is above 256 KB, gone, redacted since, or if the endpoint sends thin payloads. */
  data: Objects[Type] | null;
};

/** A change of the feed; `object_type` says what `data` is. */
export type FeedChange = { [Type in ObjectType]: ChangeOf<Type> }[ObjectType];

/** A change as an endpoint receives it; `timestamp` is its `created_at`. */
export type WebhookChange = (FeedChange | WebhookTest) & { timestamp: string };

/** The change that `POST /v1/webhook-endpoints/{id}/test` sends; it is in no feed. */
export type WebhookTest = Omit<ChangeOf<'webhook_endpoint'>, 'type' | 'sequence'> & {
  type: 'webhook_endpoint.test';
  sequence: null;
};

/** A page of GET /v1/changes. */
export type ChangePage = {
  object: 'list';
  data: FeedChange[];
  has_more: boolean;
  next_after: number;
  oldest_sequence: number | null;
  newest_sequence: number | null;
};
