import type { Pricing, PricingModel } from '../../../src/domain/pricing/definitions.ts';

/** Objects of the API, as far as the pages read them. Money and quantities are decimal strings, instants are RFC 3339 in UTC. */

export type List<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };

export type Environment = 'test' | 'live';

/** Settings of the dashboard, readable once signed in. */
export type Dashboard = {
  session_id: string;
  account: { name: string; currency: string };
  temporal_ui_url: string | null;
  temporal_namespace: string;
  /** Filters for the workflow list of the Temporal UI. */
  workflow_lists: readonly { name: string; query: string }[];
};

export type Session = {
  id: string;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  is_current: boolean;
};

export type BillingStatus = 'billed' | 'pending' | 'late' | 'too_late' | 'trial' | 'unrated';

export type Home = {
  /** Why live invoices wait; null if they do not. */
  numbering_halt: string | null;
  steps: Record<'key' | 'customer' | 'plan' | 'subscription' | 'event' | 'invoice', boolean>;
  /** 30 days, oldest first. */
  events_by_day: { day: string; count: string }[];
  invoices_by_status: Record<Invoice['status'], number>;
  /** Percent of the events of 30 days: a greater share of unrated events raises an alarm. */
  unrated_alarm_percent: number;
  attention: { subscription_id: string; customer_id: string; reason: string }[];
  /** Customers that batch jobs go on without: how many, and the oldest by job. */
  set_aside: { customers: number; data: CustomerSetAside[] };
};

export type CustomerSetAside = {
  customer_id: string;
  job: 'rollup' | 'expired_credit';
  reason: string;
  failed_at: string;
};

/** Events of each day by billing status; `day` is its midnight. */
export type UsageReport = {
  from: string;
  to: string;
  data: (Record<BillingStatus, number> & { day: string; accepted: number })[];
};

/** Names of events that no charge counts, the most frequent first. */
export type UnratedNames = { data: { event_name: string; events: number }[] };

export type ApiKey = {
  id: string;
  name: string;
  kind: 'full' | 'events_only';
  last_four: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
};

export type Account = {
  id: string;
  name: string;
  currency: string;
  tax_rate: string;
  address: string | null;
  invoice_footer: string | null;
  created_at: string;
};

export type UsageEvent = {
  id: string;
  event_name: string;
  customer_id: string;
  idempotency_key: string;
  timestamp: string;
  properties: Record<string, unknown>;
  created_at: string;
};

export type EventBilling = {
  charge_id: string | null;
  subscription_id: string | null;
  status: BillingStatus;
  reason: string | null;
  invoice_id: string | null;
  line_item_id: string | null;
};

export type EventWithBilling = UsageEvent & { billing: EventBilling[] };

export type Customer = {
  id: string;
  external_id: string;
  name: string | null;
  email: string | null;
  currency: string;
  tax_rate: string;
  metadata: Record<string, unknown>;
  credit_remaining: number;
  /** The present time of a test customer; null while it is real time. */
  test_clock: string | null;
  created_at: string;
};

/** With `group_by`, `group` is the day, the hour or the property's value. */
export type Usage = {
  event_name: string;
  charge_id: string;
  aggregation: Aggregation;
  group: string | null;
  quantity: string;
};

export type Aggregation = { type: 'count' | 'sum' | 'max' | 'unique' | 'latest'; property?: string };

export type Tier = Extract<Pricing, { tiers: unknown }>['tiers'][number];

export type Charge = Pricing & {
  id: string;
  event_name: string;
  name: string | null;
  unit_name: string | null;
  aggregation: Aggregation;
  filters: Record<string, unknown[]> | null;
};

export type Plan = {
  id: string;
  name: string;
  currency: string;
  interval: 'day' | 'week' | 'month' | 'year';
  interval_count: number;
  pricing_model: PricingModel | null;
  charges: Charge[];
  metadata: Record<string, unknown>;
  created_at: string;
};

export type Subscription = {
  id: string;
  customer_id: string;
  plan_id: string;
  status: 'pending' | 'trialing' | 'active' | 'canceled';
  start_date: string;
  trial_end_date: string | null;
  billing_anchor: string | null;
  current_period_start: string;
  current_period_end: string;
  cancel_at: string | null;
  canceled_at: string | null;
  /** Why the subscription needs a person; null if it needs none. */
  attention: string | null;
  /** While `attention` is set: the end of the first period that is due and not billed. */
  unbilled_since: string | null;
  workflow_id: string;
  created_at: string;
};

export type PricedTier = {
  up_to: string | null;
  quantity: string;
  unit_amount: string;
  flat_amount: string;
  amount: string;
};

export type UpcomingLineItem = {
  type: 'flat' | 'usage' | 'late_usage';
  charge_id: string;
  event_name: string;
  description: string;
  pricing_model: PricingModel;
  aggregation: Aggregation | null;
  quantity: string;
  skipped_events: number;
  credits_applied: string;
  billable_quantity: string;
  tiers: PricedTier[] | null;
  amount: string;
  period_start: string;
  period_end: string;
};

export type LineItem = UpcomingLineItem & { id: string };

export type Bill = {
  customer_id: string;
  subscription_id: string;
  plan_id: string;
  currency: string;
  period_start: string;
  period_end: string;
  subtotal: string;
  tax: { rate: string; amount: string };
  total: string;
  credits_applied: string;
};

export type UpcomingInvoice = Bill & { line_items: UpcomingLineItem[] };

export type Invoice = Bill & {
  id: string;
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'void';
  payment_status: 'unpaid' | 'paid' | 'void';
  line_items: LineItem[];
  amount_due: string;
  amount_paid: string;
  replaces: string | null;
  replaced_by: string | null;
  created_at: string;
  issued_at: string | null;
  paid_at: string | null;
  voided_at: string | null;
  void_reason: string | null;
  payment_reference: string | null;
  /** Seller and customer: of an issued invoice as they were at the issue, of a draft as they are now. */
  seller: { name: string; address: string | null; footer: string | null };
  customer: { external_id: string; name: string | null; email: string | null };
};

/** One difference between an invoice and its period billed again now. */
export type InvoiceChange = {
  line_item: Pick<LineItem, 'type' | 'charge_id' | 'event_name' | 'period_start' | 'period_end'> | null;
  field: string;
  before: string | null;
  after: string | null;
};

export type RegenerationPreview = {
  current: Invoice;
  proposed: Invoice;
  changes: InvoiceChange[];
  events_added: { charge_id: string; period_start: string; count: number; event_ids: string[] }[];
};

export type Regeneration = {
  id: string;
  status: 'pending' | 'done' | 'refused';
  invoice_id: string;
  new_invoice_id: string | null;
  reason: string | null;
  refusal: string | null;
  requested_at: string;
  finished_at: string | null;
};

/** Result of moving a test customer's clock; `stopped` are the customer's subscriptions that need a person afterwards. */
export type TestClock = {
  customer_id: string;
  now: string;
  invoices: Invoice[];
  stopped: Subscription[];
};

export type CreditGrant = {
  id: string;
  customer_id: string;
  amount: number;
  remaining: number;
  status: 'active' | 'depleted' | 'expired' | 'voided';
  expires_at: string | null;
  rollover: boolean;
  created_at: string;
  ledger: {
    type: 'granted' | 'drawn' | 'returned' | 'expired' | 'voided';
    amount: number;
    invoice_id: string | null;
    line_item_id: string | null;
    created_at: string;
  }[];
};

/** What a charge costs for a quantity, computed by the server's pricing code. */
export type Price = {
  quantity: string;
  billable_quantity: string;
  amount: string;
  tiers: PricedTier[] | null;
};
