import { isDeepStrictEqual } from 'node:util';
import { type ComposedLine, keyOfLine, type OtherLine } from '../../domain/line-item.ts';
import { type Series, seriesOf } from '../../domain/series.ts';
import type { Span } from '../../domain/span.ts';
import { newId } from '../../ids.ts';
import type { Db } from '../connection/pool.ts';

/** A line item as the API shows it (contract.md 4). */
export type LineItem = Omit<ComposedLine, 'full_period_start'> & { id: string; invoice_id: string };

const MEMBERS = `l.id, l.invoice_id, l.type, l.charge_id, l.series -> 'price_index' as price_index,
  nullif(l.series -> 'group', 'null') as "group", (l.series ->> 'others')::boolean as others,
  case when l.type = 'item' then jsonb_build_object('id', x.id, 'unit_amount', trim_scale(x.unit_amount)::text) end
    as invoice_item,
  l.event_name, l.description, l.pricing_model, l.aggregation, trim_scale(l.quantity)::text as quantity,
  l.skipped_events, trim_scale(l.credits_applied)::text as credits_applied,
  trim_scale(l.billable_quantity)::text as billable_quantity, l.tiers, l.amount::text as amount, l.period_start,
  l.period_end`;

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

type LineRow = ComposedLine & { id: string; position: number };

/**
 * Makes `lines` the lines of a draft, and returns them as they are stored, in the same order. A line of the same charge, series and full
 * period, or of the same invoice item, keeps its id; what is stored already is not written. The caller holds the lock of the subscription.
 */
export async function writeLines(
  db: Db,
  key: InvoiceKey,
  lines: readonly ComposedLine[],
): Promise<LineItem[]> {
  const stored = await linesOfDraft(db, key);
  const stored_by_key = new Map(stored.map((line) => [keyOfLine(line), line]));
  const storedOf = (line: ComposedLine) => stored_by_key.get(keyOfLine(line));
  const rows = lines.map((line, position) => ({ ...line, position, id: storedOf(line)?.id ?? newId('li') }));
  const kept = new Set(rows.map(({ id }) => id));
  const gone = stored.filter(({ id }) => !kept.has(id));
  const changed = rows.filter((row) => {
    const old = storedOf(row);
    return old !== undefined && !isDeepStrictEqual(changeable(row), changeable(old));
  });
  const added = rows.filter((row) => storedOf(row) === undefined);
  if (gone.length + changed.length + added.length === 0)
    return stored.map(({ position: _, full_period_start: __, ...line }) => line);
  await deleteLines(db, key, gone);
  await updateLines(db, key, changed);
  await insertRows(db, key, added);
  return readLines(db, key.environment_id, [key.invoice_id]);
}

/** Stores the lines of a new draft, and returns them with their ids. */
export async function insertLines(
  db: Db,
  key: InvoiceKey,
  lines: readonly ComposedLine[],
): Promise<{ id: string }[]> {
  const rows = lines.map((line, position) => ({ ...line, position, id: newId('li') }));
  await insertRows(db, key, rows);
  return rows;
}

/** The fields of a line that may change while its invoice is a draft. */
function changeable(line: LineRow) {
  const {
    position,
    description,
    quantity,
    skipped_events,
    credits_applied,
    billable_quantity,
    tiers,
    amount,
  } = line;
  return {
    position,
    description,
    quantity,
    skipped_events,
    credits_applied,
    billable_quantity,
    tiers,
    amount,
  };
}

async function linesOfDraft(
  db: Db,
  { environment_id, invoice_id }: InvoiceKey,
): Promise<(LineItem & LineRow)[]> {
  const { rows } = await db.query<LineItem & LineRow>(
    `select ${MEMBERS}, l.full_period_start, l.position from line_items l
     left join invoice_items x on x.environment_id = l.environment_id and x.id = l.invoice_item_id
     where l.environment_id = $1 and l.invoice_id = $2 order by l.position`,
    [environment_id, invoice_id],
  );
  return rows;
}

async function deleteLines(
  db: Db,
  { environment_id }: InvoiceKey,
  gone: readonly { id: string }[],
): Promise<void> {
  if (gone.length === 0) return;
  const ids = gone.map(({ id }) => id);
  await db.query('delete from line_items where environment_id = $1 and id = any($2)', [environment_id, ids]);
}

async function updateLines(
  db: Db,
  { environment_id }: InvoiceKey,
  changed: readonly LineRow[],
): Promise<void> {
  if (changed.length === 0) return;
  const rows = changed.map((line) => ({ id: line.id, ...changeable(line) }));
  await db.query(
    `update line_items l set position = line.position, description = line.description, quantity = line.quantity,
       skipped_events = line.skipped_events, credits_applied = line.credits_applied,
       billable_quantity = line.billable_quantity, tiers = nullif(line.tiers, 'null'), amount = line.amount
     from jsonb_to_recordset($2) as line(id text, position integer, description text, quantity numeric,
       skipped_events integer, credits_applied numeric, billable_quantity numeric, tiers jsonb, amount numeric)
     where l.environment_id = $1 and l.id = line.id`,
    [environment_id, JSON.stringify(rows)],
  );
}

async function insertRows(db: Db, key: InvoiceKey, lines: readonly LineRow[]): Promise<void> {
  if (lines.length === 0) return;
  const { environment_id, subscription_id, invoice_id } = key;
  const rows = lines.map((line) => ({
    ...line,
    series: seriesOf(line),
    invoice_item_id: line.invoice_item?.id ?? null,
  }));
  await db.query(
    `insert into line_items (environment_id, id, subscription_id, invoice_id, position, type, charge_id, series,
       invoice_item_id, event_name, description, pricing_model, aggregation, quantity, skipped_events, credits_applied,
       billable_quantity, tiers, amount, period_start, period_end, full_period_start)
     select $1, id, $2, $3, position, type, charge_id, series, invoice_item_id, event_name, description, pricing_model,
       nullif(aggregation, 'null'), quantity, skipped_events, credits_applied, billable_quantity, nullif(tiers, 'null'),
       amount, period_start, period_end, full_period_start
     from jsonb_to_recordset($4) as line(id text, position integer, type text, charge_id text, series jsonb,
       invoice_item_id text, event_name text, description text, pricing_model text, aggregation jsonb, quantity numeric,
       skipped_events integer, credits_applied numeric, billable_quantity numeric, tiers jsonb, amount numeric,
       period_start timestamptz, period_end timestamptz, full_period_start timestamptz)`,
    [environment_id, subscription_id, invoice_id, JSON.stringify(rows)],
  );
}

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

/** SQL: an array of Span in stored order, from the rows of SPAN_ROWS. */
const SPANS = `jsonb_agg(jsonb_build_object(
    'after', case when a.id is not null
      then jsonb_build_object('id', a.id::text, 'epoch', a.epoch, 'snapshot', a.snapshot::text) end,
    'up_to', jsonb_build_object('id', u.id::text, 'epoch', u.epoch, 'snapshot', u.snapshot::text),
    'timestamp_from', instant_text(s.timestamp_from), 'timestamp_to', instant_text(s.timestamp_to),
    'stored_from', instant_text(s.stored_from), 'stored_to', instant_text(s.stored_to)) order by s.position)`;

const SPAN_ROWS = `line_item_spans s
  join cut_offs u on u.environment_id = s.environment_id and u.id = s.up_to_cut_off_id
  left join cut_offs a on a.environment_id = s.environment_id and a.id = s.after_cut_off_id`;

/** SQL: the spans of the line `l`; empty for a flat charge or an item. */
export const SPANS_OF_LINE = `(
  select coalesce(${SPANS}, '[]') from ${SPAN_ROWS}
  where s.environment_id = l.environment_id and s.line_item_id = l.id)`;

/** The lines of the given full periods on invoices that are not void, without those that hold no events: flat charges and items. */
export async function usageLines(
  db: Db,
  key: { environment_id: number; subscription_id: string },
  full_period_starts: readonly string[],
): Promise<UsageLine[]> {
  const { rows } = await db.query<UsageLine>(
    `with held as materialized (
       select s.line_item_id, ${SPANS} as spans from ${SPAN_ROWS}
       where s.environment_id = $1 and s.line_item_id in (
         select id from line_items where environment_id = $1 and subscription_id = $2 and full_period_start = any($3))
       group by s.line_item_id
     )
     select l.id, l.invoice_id, l.charge_id, l.series, l.full_period_start, trim_scale(l.quantity)::text as quantity,
       trim_scale(l.billable_quantity)::text as billable_quantity, l.amount::text as amount,
       case i.status when 'draft' then trim_scale(l.credits_applied)::text else '0' end as provisional_credit,
       l.skipped_events, (l.charge_id, l.full_period_start, l.series) in (
         select v.charge_id, v.full_period_start, v.series
         from line_items v join invoices vi on vi.environment_id = v.environment_id and vi.id = v.invoice_id
         where v.environment_id = $1 and v.subscription_id = $2 and v.full_period_start = any($3)
           and v.type in ('usage', 'late_usage')
           and vi.status = 'void') as has_void_line,
       coalesce(held.spans, '[]') as spans
     from line_items l
     left join held on held.line_item_id = l.id
     join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
     where l.environment_id = $1 and l.subscription_id = $2 and l.full_period_start = any($3)
       and l.type in ('usage', 'late_usage')
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

type SpansKey = { environment_id: number; invoice_id: string };

/** Spans of a line, by its id. */
export type HeldSpans = { line_item_id: string; spans: readonly Span[] };

/** Replaces the spans of a draft's lines. */
export async function writeSpans(db: Db, key: SpansKey, held: readonly HeldSpans[]): Promise<void> {
  await db.query(
    `delete from line_item_spans s using line_items l
     where l.environment_id = $1 and l.invoice_id = $2 and s.environment_id = $1 and s.line_item_id = l.id`,
    [key.environment_id, key.invoice_id],
  );
  await insertSpans(db, key, held);
}

/** Stores the spans of a new draft's lines. */
export async function insertSpans(
  db: Db,
  { environment_id }: SpansKey,
  held: readonly HeldSpans[],
): Promise<void> {
  const rows = held.flatMap(({ line_item_id, spans }) =>
    spans.map(({ after, up_to, ...bounds }, position) => ({
      line_item_id,
      position,
      after_id: after?.id ?? null,
      up_to_id: up_to.id,
      ...bounds,
    })),
  );
  if (rows.length === 0) return;
  await db.query(
    `insert into line_item_spans (environment_id, line_item_id, position, after_cut_off_id, up_to_cut_off_id,
       timestamp_from, timestamp_to, stored_from, stored_to)
     select $1, line_item_id, position, after_id, up_to_id, timestamp_from, timestamp_to, stored_from, stored_to
     from jsonb_to_recordset($2) as s(line_item_id text, position integer, after_id bigint, up_to_id bigint,
       timestamp_from timestamptz, timestamp_to timestamptz, stored_from timestamptz, stored_to timestamptz)`,
    [environment_id, JSON.stringify(rows)],
  );
}
