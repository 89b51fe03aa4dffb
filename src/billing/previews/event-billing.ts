import {
  statusOfCause,
  type BillingReason,
  type BillingStatus,
  type Cause,
} from '../../domain/usage/billing-cause.ts';
import {
  expectedAt,
  type InvoicesToCome,
  type WaitingEvent,
} from '../../domain/subscription/expected-invoice.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { readBilledPlaces, type BilledPlace } from '../../db/reports/billed-places.ts';
import { causesOfEvent, type EventCause } from '../../db/reports/event-billing.ts';
import { readNextStepRows } from '../../db/subscriptions/next-step-rows.ts';
import { readSubscriptions } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';

/**
 * Billing status of an event for one charge of one subscription (contract.md 2), with the names and numbers of what it
 * names.
 */
export type EventBilling = Omit<EventCause, 'cause'> &
  Omit<BilledPlace, 'full_period_end'> & {
    status: BillingStatus;
    reason: BillingReason | null;
    /**
     * The issue of the invoice that takes the event, by the customer's clock; null where nobody knows it, and unless it
     * is pending or late.
     */
    expected_at: string | null;
  };

/**
 * Billing status of an existing event, in a fixed number of statements. Never empty: an event that no charge counts has
 * one entry with the reason.
 */
export async function billingOfEvent(
  db: Db,
  { environment_id, event_id }: { environment_id: number; event_id: string },
  settings: BillingSettings,
): Promise<EventBilling[]> {
  const { late_usage_days } = settings;
  const { timestamp, charges } = await causesOfEvent(db, { environment_id, event_id, late_usage_days });
  const places = await readBilledPlaces(db, environment_id, { timestamp, charges });
  const billings = charges.map(({ cause, ...charge }, at) => {
    const { full_period_end, ...place } = places[at]!;
    const billing = { ...charge, ...place, ...statusOfCause(cause) };
    return { billing, waiting: waitingOf(cause, { ...billing, full_period_end }) };
  });
  const ids = billings.flatMap(({ billing, waiting }) => (waiting && billing.subscription_id) ?? []);
  const subscriptions = await readOwn(db, environment_id, [...new Set(ids)]);
  return billings.map(({ billing, waiting }) => {
    const of_subscription = subscriptions.get(billing.subscription_id ?? '');
    if (waiting === null || of_subscription === undefined) return { ...billing, expected_at: null };
    return { ...billing, expected_at: expectedAt(waiting, of_subscription, settings) };
  });
}

function waitingOf(cause: Cause, place: Omit<WaitingEvent, 'status'>): WaitingEvent | null {
  const { invoice_id, period_start, full_period_end } = place;
  if (cause !== 'pending' && cause !== 'late') return null;
  return { status: cause, invoice_id, period_start, full_period_end };
}

async function readOwn(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Map<string, { subscription: Subscription; to_come: InvoicesToCome }>> {
  if (ids.length === 0) return new Map();
  const subscriptions = await readSubscriptions(db, environment_id, ids);
  const rows = await readNextStepRows(db, environment_id, subscriptions);
  return new Map(
    subscriptions.map((subscription) => [
      subscription.id,
      { subscription, to_come: rows.get(subscription.id)! },
    ]),
  );
}
