import type { Charge } from '../../domain/pricing/charge.ts';
import type { CutOff, Span } from '../../domain/time/span.ts';
import { bucketsFrom } from '../events/partitions.ts';
import { HAS_NODES, settle } from '../events/settle.ts';
import type { Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { isOfSeries, OF_EVENT, passes, textOf, type BilledSeries } from './series.ts';

/**
 * Takes a cut-off for each subscription: stores the statement's own snapshot. An event that commits later is late,
 * whenever it was sent. The caller holds the subscriptions' locks, so that a later cut-off includes everything that an
 * earlier one includes.
 */
export async function takeCutOffs(
  db: Db,
  environment_id: number,
  subscription_ids: readonly string[],
): Promise<Map<string, CutOff>> {
  if (subscription_ids.length === 0) return new Map();
  const { rows } = await db.query<CutOff & { subscription_id: string; has_nodes: boolean }>(
    `insert into cut_offs (environment_id, subscription_id, epoch, snapshot)
     select $1, subscription_id, (select max(epoch) from epochs), pg_current_snapshot()
     from unnest($2::text[]) as subscription_id
     returning subscription_id, id, epoch, snapshot::text, ${HAS_NODES} as has_nodes`,
    [environment_id, subscription_ids],
  );
  await settle(db, rows[0]!.has_nodes);
  return new Map(rows.map(({ subscription_id, has_nodes: _, ...cut_off }) => [subscription_id, cut_off]));
}

/** The cut-offs that were taken last for subscriptions. */
export async function lastCutOffs(
  db: Db,
  environment_id: number,
  subscription_ids: readonly string[],
): Promise<Map<string, CutOff>> {
  if (subscription_ids.length === 0) return new Map();
  const { rows } = await db.query<CutOff & { subscription_id: string }>(
    `select distinct on (subscription_id) subscription_id, id::text as id, epoch, snapshot::text as snapshot
     from cut_offs where environment_id = $1 and subscription_id = any($2) order by subscription_id, cut_offs.id desc`,
    [environment_id, subscription_ids],
  );
  return new Map(rows.map(({ subscription_id, ...cut_off }) => [subscription_id, cut_off]));
}

/**
 * SQL: true if the span `span` holds the event `e`. Shared by bills, a line's events and billing status; the invariants
 * have their own copy.
 */
export const IN_SPAN = `
  e.timestamp >= span.timestamp_from and e.timestamp < span.timestamp_to
    and coalesce(e.created_at >= span.stored_from, true) and coalesce(e.created_at < span.stored_to, true)
    and event_in_cut_off(e.epoch, e.created_xid, span.up_to_epoch, span.up_to_snapshot)
    and (span.after_snapshot is null
      or not event_in_cut_off(e.epoch, e.created_xid, span.after_epoch, span.after_snapshot))`;

/** Spans of a customer whose events are counted together. */
export type SpanSet = { set_id: number; customer_key: string; spans: readonly Span[] };

/**
 * SQL: a common table `span` of these spans, for heldEvents. Its condition is always true, and the planner expects that
 * it leaves one span. Else it would expect a hundred, and rather read the whole table than look up the events of each;
 * and by a limit that is a parameter it would plan the statement each time.
 */
export function spansOf(sets: readonly SpanSet[], parameter: Parameter): string {
  const rows = sets.flatMap(({ set_id, customer_key, spans }) =>
    spans.map(({ after, up_to, ...bounds }) => ({
      set_id,
      customer_key,
      after_epoch: after?.epoch ?? null,
      after_snapshot: after?.snapshot ?? null,
      up_to_epoch: up_to.epoch,
      up_to_snapshot: up_to.snapshot,
      ...bounds,
    })),
  );
  return `span as materialized (
    select * from jsonb_to_recordset(${parameter(JSON.stringify(rows))}) as span(set_id integer, customer_key bigint,
      after_epoch integer, after_snapshot pg_snapshot, up_to_epoch integer, up_to_snapshot pg_snapshot,
      timestamp_from timestamptz, timestamp_to timestamptz, stored_from timestamptz, stored_to timestamptz)
    where set_id + 0 = set_id)`;
}

/** The events of a charge that sets of spans hold. */
export type HeldEvents = {
  environment_id: number;
  charge: Pick<Charge, 'event_name' | 'filters'>;
  sets: readonly SpanSet[];
  /** The series whose events are read; absent for all. */
  billed?: BilledSeries;
};

/**
 * SQL: the events `e` of a charge within the spans of the common table `span`, one index scan of events_customer for
 * each. `joined` is joined to the spans before. The bounds of all spans are values, because of two instants of a table
 * the planner expects that a ninth of all events lie between them.
 */
export function heldEvents(selection: HeldEvents, parameter: Parameter, joined = ''): string {
  const { environment_id, charge, sets, billed } = selection;
  return `
    from span ${joined}
    join events e on e.customer_key = span.customer_key and e.environment_id = ${parameter(environment_id)}
      and ${withinBounds(sets, parameter)} and e.event_name = ${parameter(charge.event_name)} and ${IN_SPAN}
      and ${passes(charge.filters, OF_EVENT, parameter)}
      and ${billed === undefined ? 'true' : isOfSeries(billed, parameter)}`;
}

/** SQL: the event `e` lies between the first and the last instant of all spans. */
function withinBounds(sets: readonly SpanSet[], parameter: Parameter): string {
  const spans = sets.flatMap((set) => set.spans);
  const [first] = spans.map(({ timestamp_from }) => timestamp_from).sort();
  const last = spans
    .map(({ timestamp_to }) => timestamp_to)
    .sort()
    .at(-1);
  if (first === undefined) return 'false';
  return `${bucketsFrom(first, parameter)} and e.timestamp >= ${parameter(first)} and e.timestamp < ${parameter(last)}`;
}

/**
 * SQL: an aggregation's quantity over the events `e`, and the value per event; a null value means that the event is
 * skipped (billing.md 2). A count has no value, because it skips nothing.
 */
export function aggregateOf(
  aggregation: Charge['aggregation'],
  parameter: Parameter,
): { quantity: string; value: string | null } {
  if (aggregation.type === 'count') return { quantity: 'count(*)', value: null };
  const property = `${parameter(aggregation.property)}::text`;
  const number = `event_number(e.properties -> ${property})`;
  switch (aggregation.type) {
    case 'sum':
    case 'max':
      return { quantity: `${aggregation.type}(${number})`, value: number };
    case 'unique':
      return { quantity: `count(distinct ${textOf(property)})`, value: textOf(property) };
    case 'latest':
      return {
        quantity: `(array_agg(${number} order by e.timestamp desc, e.id desc) filter (where ${number} is not null))[1]`,
        value: number,
      };
  }
}

/** SQL: a quantity as it is billed and shown: never below 0, canonical. */
export function shownQuantity(quantity: string): string {
  return `trim_scale(greatest(coalesce(${quantity}, 0), 0)::numeric)::text`;
}

const LAST_ID = '9223372036854775807';

/** A cut-off for reads that bill nothing: taken now, not stored, with an id above all stored ones. */
export async function cutOffNow(db: Db): Promise<CutOff> {
  const { rows } = await db.query<CutOff & { has_nodes: boolean }>(
    `select $1::text as id, max(epoch) as epoch, pg_current_snapshot()::text as snapshot,
       ${HAS_NODES} as has_nodes from epochs`,
    [LAST_ID],
  );
  const { has_nodes, ...cut_off } = rows[0]!;
  await settle(db, has_nodes);
  return cut_off;
}
