import { ADDED_EVENTS_SHOWN_MAX, changesOf } from '../../domain/invoice/invoice-changes.ts';
import type { UsageLine } from '../../domain/lines/scope.ts';
import { lineKey, seriesOf } from '../../domain/pricing/series.ts';
import { withoutSpans } from '../../domain/time/span.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { findInvoice } from '../../db/invoicing/invoices.ts';
import { compared } from './comparison.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { RegenerationPreview } from '../../objects/regeneration.ts';
import { newestEventsIn } from '../../db/usage/line-item-events.ts';
import { usageLines, fullPeriodStartsOf } from '../../db/invoicing/usage-lines.ts';
import { decideAll, writeDecided, type Decided } from '../close/close.ts';
import { replaceOpening, voidToReplace } from '../owed/regenerate.ts';
import { lockCustomerAndSubscription } from '../../db/subscriptions/subscription-context.ts';
import type { Db } from '../../db/connection/pool.ts';

/** Events that the new line would hold and the current invoice's line does not. */
type AddedEvents = RegenerationPreview['events_added'][number];

/**
 * Dry run: regenerates with the production code and returns the differences. The caller must roll the transaction back.
 * Throws conflict `invalid_state` if the invoice cannot be replaced.
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
  if (current.kind === 'opening') {
    const id = await replaceOpening(db, { subscription, old: current, reason: null });
    return previewOf(db, environment_id, {
      current,
      proposed: (await findInvoice(db, environment_id, id))!,
      events_added: [],
    });
  }
  const before = await linesOf(db, key, current);
  const request = await voidToReplace(db, { subscription, old: current, reason: null });
  const how = { locks: 'taken', settings } as const;
  const decided = await decideAll(db, environment_id, [request], how);
  if (decided[0]!.failure !== null) throw decided[0]!.failure;
  // Before the number is taken, for which every other invoice of the environment waits.
  const events_added = await addedEvents(db, subscription, before, decided[0]!);
  await writeDecided(db, environment_id, decided);
  const proposed = (await findInvoice(db, environment_id, decided[0]!.invoice_id!))!;
  return previewOf(db, environment_id, { current, proposed, events_added });
}

type Versions = Pick<RegenerationPreview, 'current' | 'proposed' | 'events_added'>;

async function previewOf(
  db: Db,
  environment_id: number,
  { current, proposed, events_added }: Versions,
): Promise<RegenerationPreview> {
  return {
    object: 'regeneration_preview',
    current,
    // The dry run's number is rolled back; only a real regeneration gives a final number.
    proposed: { ...proposed, number: null },
    changes: changesOf(current, proposed),
    comparison: await compared(db, environment_id, { ...proposed, id: null }, current),
    events_added,
  };
}

type SubscriptionKey = { environment_id: number; subscription_id: string };

async function linesOf(db: Db, key: SubscriptionKey, invoice: Invoice): Promise<UsageLine[]> {
  const { environment_id, subscription_id } = key;
  const starts = await fullPeriodStartsOf(db, environment_id, invoice.id);
  const keys = starts.map((full_period_start) => ({ subscription_id, full_period_start }));
  const lines = await usageLines(db, environment_id, keys);
  return lines.filter(({ invoice_id }) => invoice_id === invoice.id);
}

async function addedEvents(
  db: Db,
  { environment_id, customer_key }: Subscription,
  before: readonly UsageLine[],
  { decided, billing }: Decided,
): Promise<AddedEvents[]> {
  const { composed, spans: held_spans, groups: added_groups } = decided!.draft!;
  const { plans, groups: known_groups } = billing!;
  const charges = [...plans.values()].flat();
  const groups = [...known_groups, ...added_groups];
  const spans_by_line = new Map(held_spans!.map(({ line_key, spans }) => [line_key, spans]));
  const added: AddedEvents[] = [];
  for (const line of composed.line_items) {
    if (line.charge_id === null) continue;
    const after = {
      charge_id: line.charge_id,
      series: seriesOf(line),
      full_period_start: line.full_period_start,
    };
    const old_spans = before.filter((old) => lineKey(old) === lineKey(after)).flatMap(({ spans }) => spans);
    const spans = (spans_by_line.get(lineKey(after)) ?? []).flatMap((span) => withoutSpans(span, old_spans));
    if (spans.length === 0) continue;
    const charge = charges.find(({ id }) => id === line.charge_id)!;
    const own_groups = groups.filter((group) => isSameCharge(group, after)).map(({ series }) => series);
    const { pricing, group_by } = charge;
    const billed = { pricing, group_by, series: after.series, own: own_groups };
    const sets = [{ set_id: 0, customer_key, spans }];
    const events = await newestEventsIn(db, { environment_id, charge, sets, billed }, ADDED_EVENTS_SHOWN_MAX);
    if (events.count === 0) continue;
    added.push({
      charge_id: line.charge_id,
      ...after.series,
      period_start: line.full_period_start,
      ...events,
    });
  }
  return added;
}

type OfCharge = Pick<UsageLine, 'charge_id' | 'full_period_start'>;

function isSameCharge(a: OfCharge, b: OfCharge): boolean {
  return a.charge_id === b.charge_id && a.full_period_start === b.full_period_start;
}
