import type { Charge } from '../../domain/charge.ts';
import { eventIdOfUuid } from '../events/event-id.ts';
import { readEventPage, type EventPage, type PlacedEvent } from '../events/event-list.ts';
import { SPANS_OF_LINE } from '../line-items.ts';
import type { Db } from '../pool.ts';
import type { Span } from '../../domain/span.ts';
import { AGGREGATES, HELD_EVENTS, IN_SPAN, MATCHES, SPANS, spansParameter } from './usage.ts';

/** Which events a line billed; a flat line has no spans. */
export type BilledLine = Pick<Charge, 'event_name' | 'filters' | 'aggregation'> & {
  environment_id: number;
  customer_key: string;
  spans: Span[];
};

/** A line of an invoice in any status; a line of a void invoice keeps its spans. Null if the invoice has no such line. */
export async function findBilledLine(
  db: Db,
  environment_id: number,
  key: { invoice_id: string; line_item_id: string },
): Promise<BilledLine | null> {
  const { rows } = await db.query<BilledLine>(
    `select l.environment_id, c.key as customer_key, h.event_name, h.filters, h.aggregation, ${SPANS_OF_LINE} as spans
     from line_items l
     join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
     where l.environment_id = $1 and l.invoice_id = $2 and l.id = $3`,
    [environment_id, key.invoice_id, key.line_item_id],
  );
  return rows[0] ?? null;
}

/**
 * Events that a line billed, without skipped events (billing.md 2), in the order of listEvents. The order comes from the index
 * events_customer, between the spans' earliest and latest instants, so that a page costs no more at a million events. `offset 0` keeps the
 * planner from joining the spans, which would need a sort.
 */
export async function listLineEvents(db: Db, line: BilledLine, page: EventPage): Promise<PlacedEvent[]> {
  const { spans, filters, aggregation } = line;
  if (spans.length === 0) return [];
  const conditions = [
    'e.environment_id = $1 and e.customer_key = $2 and e.event_name = $3',
    MATCHES,
    `exists (select from ${SPANS} where ${IN_SPAN} offset 0)`,
  ];
  const values: unknown[] = [line.environment_id, line.customer_key, line.event_name];
  values.push(filters === null ? null : JSON.stringify(filters), spansParameter(spans));
  if (aggregation.type !== 'count') {
    values.push(aggregation.property);
    conditions.push(`(${AGGREGATES[aggregation.type].value}) is not null`);
  }
  const from = spans.map(({ timestamp_from }) => timestamp_from).sort()[0];
  const to = spans
    .map(({ timestamp_to }) => timestamp_to)
    .sort()
    .at(-1);
  return readEventPage(db, { conditions, values, from, to, days: null }, page);
}

/** Number of a charge's events in the given spans, and the ids of the newest, at most `limit`. */
export async function newestEventsIn(
  db: Db,
  wanted: {
    environment_id: number;
    customer_key: string;
    charge: Pick<Charge, 'event_name' | 'filters'>;
    spans: readonly Span[];
    limit: number;
  },
): Promise<{ count: number; event_ids: string[] }> {
  const { environment_id, customer_key, spans, limit } = wanted;
  const { event_name, filters } = wanted.charge;
  const { rows } = await db.query<{ key_hash: string; total: number }>(
    `select e.key_hash, (count(*) over ())::integer as total ${HELD_EVENTS} order by e.timestamp desc, e.id desc limit $6`,
    [
      environment_id,
      customer_key,
      event_name,
      filters === null ? null : JSON.stringify(filters),
      spansParameter(spans),
      limit,
    ],
  );
  return { count: rows[0]?.total ?? 0, event_ids: rows.map(({ key_hash }) => eventIdOfUuid(key_hash)) };
}
