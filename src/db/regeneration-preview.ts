import { changesOf, type Change } from '../domain/invoice-changes.ts';
import { withoutSpans, type Span } from '../domain/span.ts';
import type { BillingSettings } from './billing.ts';
import { chargesOf } from './charges.ts';
import { eventIdOfUuid } from './event-id.ts';
import { findInvoice, type Invoice } from './invoices.ts';
import { heldLines, type HeldLine } from './line-items.ts';
import { replaceInvoice } from './regenerations.ts';
import { readSubscription } from './subscriptions.ts';
import { HELD_EVENTS, spansParameter } from './usage.ts';
import type { Db } from './pool.ts';

export const ADDED_EVENTS_SHOWN_MAX = 100;

/** Events that a line would hold and that the current invoice's does not; `event_ids` are the newest of them. */
export type AddedEvents = { charge_id: string; period_start: string; count: number; event_ids: string[] };

/** What regenerating an invoice would do. */
export type RegenerationPreview = {
  object: 'regeneration_preview';
  current: Invoice;
  proposed: Invoice;
  changes: Change[];
  events_added: AddedEvents[];
};

/**
 * Regenerates and tells what has changed, by the code that does it. The caller takes the transaction back, so that nothing stays.
 * Conflict `invalid_state` where the invoice cannot be replaced.
 */
export async function rehearseRegeneration(
  db: Db,
  environment_id: number,
  invoice_id: string,
  settings: BillingSettings,
): Promise<RegenerationPreview> {
  const current = (await findInvoice(db, environment_id, invoice_id))!;
  const key = { environment_id, subscription_id: current.subscription_id };
  const before = await linesOf(db, key, current);
  const new_id = await replaceInvoice(db, environment_id, { invoice_id, reason: null }, settings);
  const proposed = (await findInvoice(db, environment_id, new_id))!;
  const after = await linesOf(db, key, proposed);
  return {
    object: 'regeneration_preview',
    current,
    // The number would be given for good only by the real one.
    proposed: { ...proposed, number: null },
    changes: changesOf(current, proposed),
    events_added: await addedEvents(db, key, before, after),
  };
}

type SubscriptionKey = { environment_id: number; subscription_id: string };

async function linesOf(db: Db, key: SubscriptionKey, invoice: Invoice): Promise<HeldLine[]> {
  const { rows } = await db.query<{ whole_start: string }>(
    'select distinct whole_start from line_items where environment_id = $1 and invoice_id = $2',
    [key.environment_id, invoice.id],
  );
  const lines = await heldLines(
    db,
    key,
    rows.map(({ whole_start }) => whole_start),
  );
  return lines.filter(({ invoice_id }) => invoice_id === invoice.id);
}

async function addedEvents(
  db: Db,
  key: SubscriptionKey,
  before: readonly HeldLine[],
  after: readonly HeldLine[],
): Promise<AddedEvents[]> {
  const added: AddedEvents[] = [];
  for (const line of after) {
    const held = before.filter((old) => isSameLine(old, line)).flatMap(({ spans }) => spans);
    const spans = line.spans.flatMap((span) => withoutSpans(span, held));
    const events = await eventsIn(db, key, { charge_id: line.charge_id, spans });
    if (events.count === 0) continue;
    added.push({ charge_id: line.charge_id, period_start: line.whole_start, ...events });
  }
  return added;
}

function isSameLine(a: HeldLine, b: HeldLine): boolean {
  return a.charge_id === b.charge_id && a.whole_start === b.whole_start;
}

async function eventsIn(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
  { charge_id, spans }: { charge_id: string; spans: readonly Span[] },
): Promise<{ count: number; event_ids: string[] }> {
  const { customer_key, plan_id } = (await readSubscription(db, environment_id, subscription_id))!;
  const charge = (await chargesOf(db, environment_id, plan_id)).find(({ id }) => id === charge_id)!;
  const filters = charge.filters === null ? null : JSON.stringify(charge.filters);
  const { rows } = await db.query<{ key_hash: string; total: number }>(
    `select e.key_hash, (count(*) over ())::integer as total ${HELD_EVENTS} order by e.timestamp desc, e.id desc limit $6`,
    [environment_id, customer_key, charge.event_name, filters, spansParameter(spans), ADDED_EVENTS_SHOWN_MAX],
  );
  return { count: rows[0]?.total ?? 0, event_ids: rows.map(({ key_hash }) => eventIdOfUuid(key_hash)) };
}
