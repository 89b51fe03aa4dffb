import type { Charge } from '../../domain/pricing/charge.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { aggregateOf, heldEvents, spansOf, type SpanSet } from './usage.ts';

/** A quantity from events; null if no event counts. */
export type EventsQuantity = { quantity: string | null; skipped_events: number };

/** Quantities of a charge from the events of sets of spans, by set_id; a set without events is absent. */
export async function quantitiesOfEvents(
  db: Db,
  query: { environment_id: number; charge: Charge; sets: readonly SpanSet[] },
): Promise<Map<number, EventsQuantity>> {
  if (query.sets.length === 0) return new Map();
  const { values, parameter } = createParameters();
  const { quantity, value } = aggregateOf(query.charge.aggregation, parameter);
  const skipped = value === null ? '0' : `count(*) filter (where (${value}) is null)`;
  const { rows } = await db.query<EventsQuantity & { set_id: number }>(
    `with ${spansOf(query.sets, parameter)}
     select span.set_id, trim_scale((${quantity})::numeric)::text as quantity, (${skipped})::integer as skipped_events
     ${heldEvents(query, parameter)} group by span.set_id`,
    values,
  );
  return new Map(rows.map(({ set_id, ...counted }) => [set_id, counted]));
}
