import type { Charge } from '../../domain/pricing/charge.ts';
import { eventIdOfUuid } from '../events/event-id.ts';
import { readEventPage, type EventPage, type PlacedEvent } from '../events/event-list.ts';
import { SPANS_OF_LINE } from '../invoicing/line-spans.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import type { Span } from '../../domain/time/span.ts';
import { isOfSeries, OF_EVENT, passes, type BilledSeries } from './series.ts';
import { aggregateOf, heldEvents, IN_SPAN, spansOf, type HeldEvents, type SpanSet } from './usage.ts';

/**
 * The selection of the events that a line billed. The line of a flat charge or of an item has no spans, and that of an
 * item no charge either.
 */
export type BilledLine = Pick<Charge, 'event_name' | 'filters' | 'aggregation'> &
  BilledSeries & {
    environment_id: number;
    customer_key: string;
    spans: Span[];
  };

/** SQL: the groups with lines of their own in the charge and full period of the line `l`. */
const GROUPS_OF_LINE = `(
  select coalesce(jsonb_agg(g.series), '[]') from line_groups g
  where g.environment_id = l.environment_id and g.subscription_id = l.subscription_id and g.charge_id = l.charge_id
    and g.full_period_start = l.full_period_start)`;

/**
 * A line of an invoice in any status; a line of a void invoice keeps its spans. Null if the invoice has no such line.
 */
export async function findBilledLine(
  db: Db,
  environment_id: number,
  key: { invoice_id: string; line_item_id: string },
): Promise<BilledLine | null> {
  const { rows } = await db.query<BilledLine>(
    `select l.environment_id, c.key as customer_key, h.event_name, h.filters, h.aggregation, h.pricing, h.group_by,
       l.series, ${GROUPS_OF_LINE} as own, ${SPANS_OF_LINE} as spans
     from line_items l
     join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     left join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
     where l.environment_id = $1 and l.invoice_id = $2 and l.id = $3`,
    [environment_id, key.invoice_id, key.line_item_id],
  );
  return rows[0] ?? null;
}

/**
 * Events that a line billed, without skipped events (billing.md 2), in the order of listEvents. The order comes from
 * the index events_customer, between the spans' earliest and latest instants, so that a page costs no more at a million
 * events. `offset 0` keeps the planner from joining the spans, which would need a sort.
 */
export async function listLineEvents(db: Db, line: BilledLine, page: EventPage): Promise<PlacedEvent[]> {
  const { spans, filters, aggregation } = line;
  if (spans.length === 0) return [];
  const conditions = (parameter: Parameter) => {
    const { value } = aggregateOf(aggregation, parameter);
    return [
      `e.environment_id = ${parameter(line.environment_id)} and e.customer_key = ${parameter(line.customer_key)}`,
      `e.event_name = ${parameter(line.event_name)}`,
      passes(filters, OF_EVENT, parameter),
      isOfSeries(line, parameter),
      `exists (select 1 from span where ${IN_SPAN} offset 0)`,
      ...(value === null ? [] : [`(${value}) is not null`]),
    ];
  };
  const from = spans.map(({ timestamp_from }) => timestamp_from).sort()[0];
  const to = spans
    .map(({ timestamp_to }) => timestamp_to)
    .sort()
    .at(-1);
  const commonTables = (parameter: Parameter) => spansOf([oneSet(line)], parameter);
  return readEventPage(db, { commonTables, conditions, from, to }, page);
}

function oneSet({ customer_key, spans }: Pick<BilledLine, 'customer_key' | 'spans'>): SpanSet {
  return { set_id: 0, customer_key, spans };
}

/** Number of a charge's events in the given spans, and the ids of the newest, at most `limit`. */
export async function newestEventsIn(
  db: Db,
  selection: HeldEvents,
  limit: number,
): Promise<{ count: number; event_ids: string[] }> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ key_hash: string; total: number }>(
    `with ${spansOf(selection.sets, parameter)}
     select e.key_hash, (count(*) over ())::integer as total ${heldEvents(selection, parameter)}
     order by e.timestamp desc, e.id desc limit ${parameter(limit)}`,
    values,
  );
  return { count: rows[0]?.total ?? 0, event_ids: rows.map(({ key_hash }) => eventIdOfUuid(key_hash)) };
}
