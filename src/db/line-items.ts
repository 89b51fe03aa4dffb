import { newId } from '../ids.ts';
import type { ComposedLine } from '../domain/invoice.ts';
import type { Quantity, Span } from './usage.ts';
import type { Db } from './pool.ts';

/** A line item as the interface shows it (contract.md 4). */
export type LineItem = ComposedLine & { id: string; invoice_id: string };

const MEMBERS = `id, invoice_id, type, charge_id, event_name, description, pricing_model, aggregation,
  trim_scale(quantity)::text as quantity, skipped_events, trim_scale(credits_applied)::text as credits_applied,
  trim_scale(billable_quantity)::text as billable_quantity, tiers, amount::text as amount, period_start, period_end`;

/** The lines of some invoices, in the order in which each invoice prints them. */
export async function readLines(
  db: Db,
  environment_id: number,
  invoice_ids: readonly string[],
): Promise<LineItem[]> {
  const { rows } = await db.query<LineItem>(
    `select ${MEMBERS} from line_items where environment_id = $1 and invoice_id = any($2) order by invoice_id, position`,
    [environment_id, invoice_ids],
  );
  return rows;
}

/** Writes an invoice's lines; a line that is there already keeps its id. */
export async function writeLines(
  db: Db,
  key: { environment_id: number; invoice_id: string; subscription_id: string; whole_start: string },
  lines: readonly ComposedLine[],
): Promise<void> {
  const rows = lines.map((line, position) => ({
    ...line,
    id: newId('li'),
    position,
    tiers: line.tiers,
    aggregation: line.aggregation,
  }));
  await db.query(
    `insert into line_items (environment_id, id, invoice_id, position, type, charge_id, event_name, description, pricing_model,
       aggregation, quantity, skipped_events, credits_applied, billable_quantity, tiers, amount, period_start, period_end,
       whole_start, subscription_id)
     select $1, id, $2, position, type, charge_id, event_name, description, pricing_model, nullif(aggregation, 'null'), quantity,
       skipped_events, credits_applied, billable_quantity, nullif(tiers, 'null'), amount, period_start, period_end, $4, $5
     from jsonb_to_recordset($3) as line(id text, position integer, type text, charge_id text, event_name text,
       description text, pricing_model text, aggregation jsonb, quantity numeric, skipped_events integer,
       credits_applied numeric, billable_quantity numeric, tiers jsonb, amount numeric, period_start timestamptz,
       period_end timestamptz)
     on conflict (environment_id, invoice_id, charge_id, whole_start) do update set description = excluded.description,
       quantity = excluded.quantity, skipped_events = excluded.skipped_events, credits_applied = excluded.credits_applied,
       billable_quantity = excluded.billable_quantity, tiers = excluded.tiers, amount = excluded.amount`,
    [key.environment_id, key.invoice_id, JSON.stringify(rows), key.whole_start, key.subscription_id],
  );
}

/** What a line of a draft holds: enough to price it again, and to count again what was counted. */
export type HeldLine = Quantity & { line_item_id: string; charge_id: string; spans: Span[] };

/** What the line `l` holds, as an array of Span in the order of its spans; empty for a flat line. */
export const SPANS_OF_LINE = `(
  select coalesce(jsonb_agg(jsonb_build_object(
      'after', case when a.id is not null
        then jsonb_build_object('id', a.id::text, 'epoch', a.epoch, 'snapshot', a.snapshot::text) end,
      'up_to', jsonb_build_object('id', u.id::text, 'epoch', u.epoch, 'snapshot', u.snapshot::text),
      'timestamp_from', ${instant('s.timestamp_from')}, 'timestamp_to', ${instant('s.timestamp_to')},
      'stored_from', ${instant('s.stored_from')}, 'stored_to', ${instant('s.stored_to')}) order by s.position), '[]')
  from line_item_spans s
  join cut_offs u on u.environment_id = s.environment_id and u.id = s.up_to_cut_off_id
  left join cut_offs a on a.environment_id = s.environment_id and a.id = s.after_cut_off_id
  where s.environment_id = l.environment_id and s.line_item_id = l.id)`;

/** An instant within JSON, spelled as everywhere. */
function instant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export async function readHeldLines(db: Db, environment_id: number, invoice_id: string): Promise<HeldLine[]> {
  const { rows } = await db.query<HeldLine>(
    `select l.id as line_item_id, l.charge_id, trim_scale(l.quantity)::text as quantity, l.skipped_events,
       ${SPANS_OF_LINE} as spans
     from line_items l
     where l.environment_id = $1 and l.invoice_id = $2
     order by l.position`,
    [environment_id, invoice_id],
  );
  return rows;
}

/** Replaces what the lines of an invoice hold. A flat line holds no events and has no span. */
export async function writeSpans(
  db: Db,
  key: { environment_id: number; invoice_id: string },
  spans_by_charge: ReadonlyMap<string, readonly Span[]>,
): Promise<void> {
  await db.query(
    `delete from line_item_spans s using line_items l
     where l.environment_id = $1 and l.invoice_id = $2 and s.environment_id = $1 and s.line_item_id = l.id`,
    [key.environment_id, key.invoice_id],
  );
  const rows = [...spans_by_charge].flatMap(([charge_id, spans]) =>
    spans.map((span, position) => ({
      charge_id,
      position,
      after_id: span.after?.id ?? null,
      up_to_id: span.up_to.id,
      timestamp_from: span.timestamp_from,
      timestamp_to: span.timestamp_to,
      stored_from: span.stored_from,
      stored_to: span.stored_to,
    })),
  );
  await db.query(
    `insert into line_item_spans
       (environment_id, line_item_id, position, after_cut_off_id, up_to_cut_off_id, timestamp_from, timestamp_to, stored_from,
        stored_to)
     select $1, l.id, s.position, s.after_id, s.up_to_id, s.timestamp_from, s.timestamp_to, s.stored_from, s.stored_to
     from jsonb_to_recordset($3) as s(charge_id text, position integer, after_id bigint, up_to_id bigint,
       timestamp_from timestamptz, timestamp_to timestamptz, stored_from timestamptz, stored_to timestamptz)
     join line_items l on l.environment_id = $1 and l.invoice_id = $2 and l.charge_id = s.charge_id`,
    [key.environment_id, key.invoice_id, JSON.stringify(rows)],
  );
}
