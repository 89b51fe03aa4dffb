import { changesOf, type Change } from '../domain/invoice-changes.ts';
import { type Series, seriesKey } from '../domain/series.ts';
import { withoutSpans } from '../domain/span.ts';
import type { BillingSettings } from './draft.ts';
import { chargesOf } from '../db/subscriptions/charges.ts';
import { findInvoice, type Invoice } from '../db/invoicing/invoices.ts';
import { newestEventsIn } from '../db/usage/line-item-events.ts';
import { lineGroups } from '../db/invoicing/line-groups.ts';
import { usageLines, fullPeriodStartsOf, type UsageLine } from '../db/invoicing/line-items.ts';
import { replaceInvoice } from './regenerate.ts';
import { lockCustomerAndSubscription, readSubscription } from '../db/subscriptions/subscription-context.ts';
import type { Db } from '../db/connection/pool.ts';

export const ADDED_EVENTS_SHOWN_MAX = 100;

/** Events that the new line would hold and the current invoice's line does not; `event_ids` are the newest of them. */
export type AddedEvents = Series & {
  charge_id: string;
  period_start: string;
  count: number;
  event_ids: string[];
};

/** The changes that regenerating an invoice would make. */
export type RegenerationPreview = {
  object: 'regeneration_preview';
  current: Invoice;
  proposed: Invoice;
  changes: Change[];
  events_added: AddedEvents[];
};

/**
 * Dry run: regenerates with the production code and returns the differences. The caller must roll the transaction back. Throws conflict
 * `invalid_state` if the invoice cannot be replaced.
 */
export async function previewRegeneration(
  db: Db,
  environment_id: number,
  invoice_id: string,
  settings: BillingSettings,
): Promise<RegenerationPreview> {
  const { subscription_id } = (await findInvoice(db, environment_id, invoice_id))!;
  const key = { environment_id, subscription_id };
  const subscription = (await lockCustomerAndSubscription(db, environment_id, subscription_id))!;
  const current = (await findInvoice(db, environment_id, invoice_id))!;
  const before = await linesOf(db, key, current);
  const new_id = await replaceInvoice(db, { subscription, old: current, reason: null }, settings);
  const proposed = (await findInvoice(db, environment_id, new_id))!;
  const after = await linesOf(db, key, proposed);
  return {
    object: 'regeneration_preview',
    current,
    // The dry run's number is rolled back; only a real regeneration gives a final number.
    proposed: { ...proposed, number: null },
    changes: changesOf(current, proposed),
    events_added: await addedEvents(db, key, before, after),
  };
}

type SubscriptionKey = { environment_id: number; subscription_id: string };

async function linesOf(db: Db, key: SubscriptionKey, invoice: Invoice): Promise<UsageLine[]> {
  const lines = await usageLines(db, key, await fullPeriodStartsOf(db, key.environment_id, invoice.id));
  return lines.filter(({ invoice_id }) => invoice_id === invoice.id);
}

async function addedEvents(
  db: Db,
  key: SubscriptionKey,
  before: readonly UsageLine[],
  after: readonly UsageLine[],
): Promise<AddedEvents[]> {
  const { environment_id, subscription_id } = key;
  const { customer_key, plan_id } = (await readSubscription(db, environment_id, subscription_id))!;
  const charges = await chargesOf(db, environment_id, plan_id);
  const groups = await lineGroups(db, key, [...new Set(after.map((line) => line.full_period_start))]);
  const added: AddedEvents[] = [];
  for (const line of after) {
    const held = before.filter((old) => isSameLine(old, line)).flatMap(({ spans }) => spans);
    const spans = line.spans.flatMap((span) => withoutSpans(span, held));
    const charge = charges.find(({ id }) => id === line.charge_id)!;
    const own = groups.filter((group) => isSameCharge(group, line)).map(({ series }) => series);
    const billed = { pricing: charge.pricing, group_by: charge.group_by, series: line.series, own };
    const added_events = { environment_id, customer_key, charge, spans, billed };
    const events = await newestEventsIn(db, added_events, ADDED_EVENTS_SHOWN_MAX);
    if (events.count === 0) continue;
    added.push({
      charge_id: line.charge_id,
      ...line.series,
      period_start: line.full_period_start,
      ...events,
    });
  }
  return added;
}

function isSameLine(a: UsageLine, b: UsageLine): boolean {
  return isSameCharge(a, b) && seriesKey(a.series) === seriesKey(b.series);
}

type OfCharge = Pick<UsageLine, 'charge_id' | 'full_period_start'>;

function isSameCharge(a: OfCharge, b: OfCharge): boolean {
  return a.charge_id === b.charge_id && a.full_period_start === b.full_period_start;
}
