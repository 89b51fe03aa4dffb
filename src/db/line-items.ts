import type { ComposedLine, OtherLine } from '../domain/line-item.ts';
import { type Series, seriesOf } from '../domain/series.ts';
import type { Span } from '../domain/span.ts';
import { newId } from '../ids.ts';
import type { Db } from './pool.ts';

/** A line item as the API shows it (contract.md 4). */
export type LineItem = Omit<ComposedLine, 'full_period_start'> & { id: string; invoice_id: string };

const MEMBERS = `l.id, l.invoice_id, l.type, l.charge_id, l.series -> 'price_index' as price_index,
  nullif(l.series -> 'group', 'null') as "group", (l.series ->> 'others')::boolean as others,
  case when l.type = 'item' then jsonb_build_object('id', x.id, 'unit_amount', trim_scale(x.unit_amount)::text) end as invoice_item,
  l.event_name, l.description, l.pricing_model, l.aggregation, trim_scale(l.quantity)::text as quantity, l.skipped_events,
  trim_scale(l.credits_applied)::text as credits_applied, trim_scale(l.billable_quantity)::text as billable_quantity, l.tiers,
  l.amount::text as amount, l.period_start, l.period_end`;

/** The lines of the given invoices, in the order in which each invoice prints them. */
export async function readLines(
  db: Db,
  environment_id: number,
  invoice_ids: readonly string[],
): Promise<LineItem[]> {
  const { rows } = await db.query<LineItem>(
    `select ${MEMBERS} from line_items l
     left join invoice_items x on x.environment_id = l.environment_id and x.id = l.invoice_item_id
     where l.environment_id = $1 and l.invoice_id = any($2) order by l.invoice_id, l.position`,
    [environment_id, invoice_ids],
  );
  return rows;
}

type InvoiceKey = { environment_id: number; subscription_id: string; invoice_id: string };

/**
 * Makes `lines` the lines of a draft. A line of the same charge, series and full period, or of the same invoice item, keeps its id; an unchanged line
 * is not written. The caller holds the lock of the subscription.
 */
export async function writeLines(db: Db, key: InvoiceKey, lines: readonly ComposedLine[]): Promise<void> {
  const rows = lines.map(({ invoice_item, ...line }, position) => ({
    ...line,
    series: seriesOf(line),
    invoice_item_id: invoice_item?.id ?? null,
    id: newId('li'),
    position,
  }));
  const { environment_id, subscription_id, invoice_id } = key;
  await db.query(
    `with line as (
       select * from jsonb_to_recordset($4) as line(id text, position integer, type text, charge_id text, series jsonb, invoice_item_id text,
         event_name text, description text, pricing_model text, aggregation jsonb, quantity numeric, skipped_events integer,
         credits_applied numeric, billable_quantity numeric, tiers jsonb, amount numeric, period_start timestamptz,
         period_end timestamptz, full_period_start timestamptz)
     ), gone as (
       delete from line_items l
       where l.environment_id = $1 and l.invoice_id = $3 and not exists (select from line where ${SAME_LINE})
     )
     merge into line_items as l using line on l.environment_id = $1 and l.invoice_id = $3 and ${SAME_LINE}
     when matched and (l.position, l.description, l.quantity, l.skipped_events, l.credits_applied, l.billable_quantity, l.tiers, l.amount)
       is distinct from (line.position, line.description, line.quantity, line.skipped_events, line.credits_applied,
         line.billable_quantity, nullif(line.tiers, 'null'), line.amount)
     then update set position = line.position, description = line.description, quantity = line.quantity,
       skipped_events = line.skipped_events, credits_applied = line.credits_applied, billable_quantity = line.billable_quantity,
       tiers = nullif(line.tiers, 'null'), amount = line.amount
     when not matched then insert (environment_id, id, subscription_id, invoice_id, position, type, charge_id, series, invoice_item_id, event_name,
       description, pricing_model, aggregation, quantity, skipped_events, credits_applied, billable_quantity, tiers, amount,
       period_start, period_end, full_period_start)
     values ($1, line.id, $2, $3, line.position, line.type, line.charge_id, line.series, line.invoice_item_id, line.event_name, line.description,
       line.pricing_model, nullif(line.aggregation, 'null'), line.quantity, line.skipped_events, line.credits_applied,
       line.billable_quantity, nullif(line.tiers, 'null'), line.amount, line.period_start, line.period_end, line.full_period_start)`,
    [environment_id, subscription_id, invoice_id, JSON.stringify(rows)],
  );
}

/** SQL: the stored line `l` and the new one `line` are of the same charge, series and full period, or of the same invoice item. */
const SAME_LINE = `case when line.type = 'item' then l.invoice_item_id = line.invoice_item_id
  else l.charge_id = line.charge_id and l.series = line.series and l.full_period_start = line.full_period_start end`;

/** A line that counts usage, with everything that other lines of its charge and full period are priced from. */
export type UsageLine = OtherLine & {
  id: string;
  invoice_id: string;
  charge_id: string;
  series: Series;
  full_period_start: string;
  skipped_events: number;
  /** A line of the charge and full period is void, so that the lines that are not may not add up to a recount of their events. */
  has_void_line: boolean;
  spans: Span[];
};

/** SQL: the spans of the line `l`, an array of Span in stored order; empty for a flat charge or an item. */
export const SPANS_OF_LINE = `(
  select coalesce(jsonb_agg(jsonb_build_object(
      'after', case when a.id is not null
        then jsonb_build_object('id', a.id::text, 'epoch', a.epoch, 'snapshot', a.snapshot::text) end,
      'up_to', jsonb_build_object('id', u.id::text, 'epoch', u.epoch, 'snapshot', u.snapshot::text),
      'timestamp_from', instant_text(s.timestamp_from), 'timestamp_to', instant_text(s.timestamp_to),
      'stored_from', instant_text(s.stored_from), 'stored_to', instant_text(s.stored_to)) order by s.position), '[]')
  from line_item_spans s
  join cut_offs u on u.environment_id = s.environment_id and u.id = s.up_to_cut_off_id
  left join cut_offs a on a.environment_id = s.environment_id and a.id = s.after_cut_off_id
  where s.environment_id = l.environment_id and s.line_item_id = l.id)`;

/** The lines of the given full periods on invoices that are not void, without those that hold no events: flat charges and items. */
export async function usageLines(
  db: Db,
  key: { environment_id: number; subscription_id: string },
  full_period_starts: readonly string[],
): Promise<UsageLine[]> {
  const { rows } = await db.query<UsageLine>(
    `select l.id, l.invoice_id, l.charge_id, l.series, l.full_period_start, trim_scale(l.quantity)::text as quantity,
       trim_scale(l.billable_quantity)::text as billable_quantity, l.amount::text as amount,
       case i.status when 'draft' then trim_scale(l.credits_applied)::text else '0' end as provisional_credit, l.skipped_events,
       exists (
         select from line_items v join invoices vi on vi.environment_id = v.environment_id and vi.id = v.invoice_id
         where v.environment_id = l.environment_id and v.charge_id = l.charge_id and v.full_period_start = l.full_period_start
           and v.series = l.series and v.subscription_id = l.subscription_id and vi.status = 'void') as has_void_line,
       ${SPANS_OF_LINE} as spans
     from line_items l
     join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
     where l.environment_id = $1 and l.subscription_id = $2 and l.full_period_start = any($3) and l.type in ('usage', 'late_usage')
     order by l.id`,
    [key.environment_id, key.subscription_id, full_period_starts],
  );
  return rows;
}

/** The full periods, by their starts, that an invoice has lines of. */
export async function fullPeriodStartsOf(
  db: Db,
  environment_id: number,
  invoice_id: string,
): Promise<string[]> {
  const { rows } = await db.query<{ full_period_start: string }>(
    'select distinct full_period_start from line_items where environment_id = $1 and invoice_id = $2',
    [environment_id, invoice_id],
  );
  return rows.map(({ full_period_start }) => full_period_start);
}

/** The spans that the line of a charge, series and full period holds. */
export type LineSpans = {
  charge_id: string;
  series: Series;
  full_period_start: string;
  spans: readonly Span[];
};

/** Replaces the spans of a draft's lines. Throws if a span has no line on the draft: its usage would be billed again. */
export async function writeSpans(
  db: Db,
  key: { environment_id: number; invoice_id: string },
  held: readonly LineSpans[],
): Promise<void> {
  await db.query(
    `delete from line_item_spans s using line_items l
     where l.environment_id = $1 and l.invoice_id = $2 and s.environment_id = $1 and s.line_item_id = l.id`,
    [key.environment_id, key.invoice_id],
  );
  const rows = held.flatMap(({ charge_id, series, full_period_start, spans }) =>
    spans.map(({ after, up_to, ...bounds }, position) => ({
      charge_id,
      series,
      full_period_start,
      position,
      after_id: after?.id ?? null,
      up_to_id: up_to.id,
      ...bounds,
    })),
  );
  const { rowCount } = await db.query(
    `insert into line_item_spans (environment_id, line_item_id, position, after_cut_off_id, up_to_cut_off_id, timestamp_from,
       timestamp_to, stored_from, stored_to)
     select $1, l.id, s.position, s.after_id, s.up_to_id, s.timestamp_from, s.timestamp_to, s.stored_from, s.stored_to
     from jsonb_to_recordset($3) as s(charge_id text, series jsonb, full_period_start timestamptz, position integer, after_id bigint,
       up_to_id bigint, timestamp_from timestamptz, timestamp_to timestamptz, stored_from timestamptz, stored_to timestamptz)
     join line_items l on l.environment_id = $1 and l.invoice_id = $2 and l.charge_id = s.charge_id
       and l.series = s.series and l.full_period_start = s.full_period_start`,
    [key.environment_id, key.invoice_id, JSON.stringify(rows)],
  );
  if (rowCount !== rows.length)
    throw new Error(`${rowCount} of ${rows.length} spans of invoice ${key.invoice_id} have a line item`);
}
