import { differs, isReversed, isSent, isVoided, pauseTextOf, when, type LoggedRow } from './logged-row.ts';
import {
  attemptTypes,
  disputeTypes,
  endpointType,
  grantTypes,
  issuedTypes,
  noticeType,
  notedSteps,
  refundTypes,
} from './types-of-rows.ts';

/** The types of changes of each kind of object, without the object's name before them (docs/changes.md). */
export const CHANGE_TYPES = {
  customer: ['created', 'updated', 'redacted', 'deleted'],
  pricing_plan: ['created', 'updated'],
  plan_migration: ['created', 'finished'],
  subscription: [
    'created',
    'started',
    'trial_ended',
    'renewed',
    'updated',
    'canceled',
    'needs_attention',
    'recovered',
    'renewal_coming',
    'trial_ending',
  ],
  invoice: ['drafted', 'issued', 'paid', 'updated', 'overdue', 'voided', 'sent'],
  invoice_item: ['created', 'updated', 'deleted'],
  discount: ['created', 'updated'],
  payment: ['recorded', 'reversed'],
  credit_note: ['issued', 'voided', 'sent'],
  // Also one that the server refused for good.
  email: ['failed'],
  // One that was canceled, too, has failed.
  payment_attempt: ['created', 'succeeded', 'failed', 'action_required'],
  payment_refund: ['created', 'succeeded', 'failed'],
  payment_dispute: ['created', 'updated', 'won', 'lost'],
  payment_method: ['created', 'updated', 'removed'],
  payment_provider: ['created', 'updated', 'deleted'],
  credit_grant: ['created', 'updated', 'expiring', 'depleted', 'expired', 'voided'],
  balance_entry: ['created'],
  account: ['updated'],
  api_key: ['created', 'revoked'],
  webhook_endpoint: ['created', 'updated', 'paused', 'resumed', 'parked', 'deleted'],
  // New events that no invoice counts, or that came late.
  usage: ['unrated', 'late'],
  // After a restore of the database: numbers before it may name changes that are gone.
  feed: ['restored'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ChangedObject = keyof typeof CHANGE_TYPES;

/** The names of all types, such as `invoice.issued`. */
export const CHANGE_TYPE_NAMES = Object.entries(CHANGE_TYPES).flatMap(([object, types]) =>
  types.map((type) => `${object}.${type}`),
);

/** The names that a name or a pattern such as `invoice.*` stands for; none if it is unknown. */
export function typesNamed(name: string): string[] {
  const object = name.endsWith('.*') ? name.slice(0, -1) : null;
  return CHANGE_TYPE_NAMES.filter((type) => type === name || (object !== null && type.startsWith(object)));
}

/** A row of the log: `before` is null for an insert, `after` for a delete. */
export type RowChange = { table_name: string; before: LoggedRow | null; after: LoggedRow | null };

/**
 * An object that a change of a row concerns, the part of it where an object has several rows, and the types of the
 * change, without the object's name.
 */
export type Changed = { object_type: ChangedObject; object_id: string; part: string; types: string[] };

type Rule = {
  object_type: ChangedObject;
  /** The column with the id of the object. */
  id?: string;
  /** Columns that tell rows of one object apart: each has changes of its own. */
  parts?: readonly string[];
  inserted?: (after: LoggedRow) => string[];
  updated?: (before: LoggedRow, after: LoggedRow) => string[];
  deleted?: string;
};

const OWED = ['amount_paid', 'balance_applied', 'credited'];
/** The invoice that a row belongs to, if to any. */
const OF_INVOICE: Rule = {
  object_type: 'invoice',
  id: 'invoice_id',
  inserted: ({ invoice_id }) => when(invoice_id !== null, 'updated'),
};

const RULES: Readonly<Record<string, Rule | readonly Rule[]>> = {
  customers: {
    object_type: 'customer',
    inserted: () => ['created'],
    // The log has updates of what a customer says of itself, and of its balance, which are never one.
    updated: (before, after) => when(!differs(before, after, ['balance']), 'updated'),
    deleted: 'deleted',
  },
  redactions: {
    object_type: 'customer',
    id: 'customer_id',
    inserted: () => ['redacted'],
    updated: (before, after) =>
      when(before['finished_at'] === null && after['finished_at'] !== null, 'updated'),
  },
  plans: {
    object_type: 'pricing_plan',
    inserted: () => ['created'],
    updated: (before, after) => when(differs(before, after, ['archived_at']), 'updated'),
  },
  plan_migrations: {
    object_type: 'plan_migration',
    inserted: () => ['created'],
    updated: (before, after) =>
      when(before['finished_at'] === null && after['finished_at'] !== null, 'finished'),
  },
  subscriptions: {
    object_type: 'subscription',
    inserted: (after) => ['created', ...notedSteps('pending', `${after['noted_status']}`)],
    updated: (before, after) => [
      ...notedSteps(`${before['noted_status']}`, `${after['noted_status']}`),
      ...when(before['attention'] === null && after['attention'] !== null, 'needs_attention'),
      ...when(before['billing_failed'] === true && after['billing_failed'] === false, 'recovered'),
      ...when(differs(before, after, ['noted_renewal']), 'renewal_coming'),
      ...when(differs(before, after, ['noted_trial_end']), 'trial_ending'),
      ...when(differs(before, after, ['cancel_at', 'trial_end_date', 'bill_at']), 'updated'),
    ],
  },
  plan_changes: {
    object_type: 'subscription',
    id: 'subscription_id',
    inserted: () => ['updated'],
    updated: () => ['updated'],
    deleted: 'updated',
  },
  quantity_changes: {
    object_type: 'subscription',
    id: 'subscription_id',
    inserted: () => ['updated'],
    updated: () => ['updated'],
    deleted: 'updated',
  },
  periods: {
    object_type: 'subscription',
    id: 'subscription_id',
    // The first billing period too, of which the reader makes an update. Another part begins where a period is cut.
    inserted: ({ kind, period_start, full_period_start }) =>
      period_start === full_period_start ? when(kind === 'billing', 'renewed') : ['updated'],
    updated: (before, after) =>
      when(differs(before, after, ['period_start', 'period_end', 'plan_id']), 'updated'),
  },
  invoices: {
    object_type: 'invoice',
    inserted: (after) => ['drafted', ...issuedTypes('draft', after)],
    updated: (before, after) => [
      ...issuedTypes(`${before['status']}`, after),
      ...when(before['overdue_at'] === null && after['overdue_at'] !== null, 'overdue'),
      ...when(isVoided(before, after), 'voided'),
      ...when(isSent(before, after), 'sent'),
      ...when(
        differs(before, after, [...OWED, 'replaced_by']) ||
          pauseTextOf(before) !== pauseTextOf(after) ||
          (before['status'] === 'paid' && after['status'] === 'open'),
        'updated',
      ),
    ],
  },
  // The log has updates of what an invoice shows of it alone.
  collections: { ...OF_INVOICE, updated: () => ['updated'] },
  invoice_items: {
    object_type: 'invoice_item',
    inserted: () => ['created'],
    updated: (before, after) =>
      before['deleted_at'] === null && after['deleted_at'] !== null
        ? ['deleted']
        : when(differs(before, after, ['subscription_id', 'unit_amount', 'amount']), 'updated'),
  },
  discounts: {
    object_type: 'discount',
    inserted: () => ['created'],
    updated: (before, after) => when(differs(before, after, ['until']), 'updated'),
  },
  payments: [
    {
      object_type: 'payment',
      inserted: () => ['recorded'],
      updated: (before, after) => when(isReversed(before, after), 'reversed'),
    },
    // An invoice lists its payments, also one that goes to the balance as a whole.
    {
      ...OF_INVOICE,
      updated: (before, after) => when(isReversed(before, after) && after['invoice_id'] !== null, 'updated'),
    },
  ],
  credit_notes: [
    {
      object_type: 'credit_note',
      inserted: () => ['issued'],
      updated: (before, after) => [
        ...when(isVoided(before, after), 'voided'),
        ...when(isSent(before, after), 'sent'),
      ],
    },
    { ...OF_INVOICE, updated: (before, after) => when(isVoided(before, after), 'updated') },
  ],
  emails: {
    object_type: 'email',
    updated: (before, { status }) =>
      when(before['status'] !== status && (status === 'failed' || status === 'refused'), 'failed'),
  },
  payment_attempts: {
    object_type: 'payment_attempt',
    inserted: () => ['created'],
    updated: (before, after) =>
      differs(before, after, ['status']) ? attemptTypes(`${after['status']}`) : [],
  },
  payment_refunds: {
    object_type: 'payment_refund',
    inserted: ({ status }) => ['created', ...refundTypes(`${status}`)],
    updated: (before, { status }) => (before['status'] === status ? [] : refundTypes(`${status}`)),
  },
  payment_disputes: {
    object_type: 'payment_dispute',
    inserted: ({ status }) => ['created', ...disputeTypes(`${status}`)],
    updated: (before, { status }) => {
      const ended = before['status'] === status ? [] : disputeTypes(`${status}`);
      return ended.length > 0 ? ended : ['updated'];
    },
  },
  payment_methods: {
    object_type: 'payment_method',
    inserted: () => ['created'],
    // The log has updates of what a method shows alone.
    updated: (before, { status }) => [
      status === 'removed' && before['status'] !== 'removed' ? 'removed' : 'updated',
    ],
  },
  payment_providers: {
    object_type: 'payment_provider',
    inserted: () => ['created'],
    updated: (_, { deleted_at }) => [deleted_at === null ? 'updated' : 'deleted'],
  },
  credit_grants: {
    object_type: 'credit_grant',
    inserted: () => ['created'],
    updated: (before, after) => grantTypes(before, after),
  },
  // What an expired grant lost decides its status, also where its remaining credit stays 0.
  credit_ledger: { object_type: 'credit_grant', id: 'grant_id', inserted: () => ['updated'] },
  balance_entries: { object_type: 'balance_entry', inserted: () => ['created'] },
  environments: {
    object_type: 'account',
    id: 'account_id',
    // The log has updates of settings alone.
    updated: () => ['updated'],
  },
  api_keys: {
    object_type: 'api_key',
    inserted: () => ['created'],
    updated: (before, after) =>
      when(before['revoked_at'] === null && after['revoked_at'] !== null, 'revoked'),
  },
  usage_notices: {
    object_type: 'usage',
    id: 'customer_id',
    parts: ['event_name', 'cause'],
    inserted: (after) => [noticeType(after)],
    updated: (_, after) => [noticeType(after)],
  },
  webhook_endpoints: {
    object_type: 'webhook_endpoint',
    inserted: () => ['created'],
    updated: (before, after) => [endpointType(before, after)],
  },
};

/** The tables whose changes are in the feed. */
export const TOLD_TABLES: readonly string[] = Object.keys(RULES);

/** The objects that a change of a row concerns, with their types; none if it is nothing to clients. */
export function changedBy({ table_name, ...row }: RowChange): Changed[] {
  const rules = RULES[table_name] ?? [];
  return ('object_type' in rules ? [rules] : rules).flatMap((rule) => changedAs(rule, row) ?? []);
}

function changedAs(rule: Rule, { before, after }: Omit<RowChange, 'table_name'>): Changed | null {
  const { object_type, id = 'id', parts = [] } = rule;
  const types = typesBy(rule, before, after);
  if (types.length === 0) return null;
  const row = (after ?? before)!;
  const part = JSON.stringify(parts.map((column) => row[column]));
  return { object_type, object_id: `${row[id]}`, part, types };
}

function typesBy(rule: Rule, before: LoggedRow | null, after: LoggedRow | null): string[] {
  if (after === null) return rule.deleted === undefined ? [] : [rule.deleted];
  if (before === null) return rule.inserted?.(after) ?? [];
  return rule.updated?.(before, after) ?? [];
}
