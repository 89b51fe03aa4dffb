import { isDeepStrictEqual } from 'node:util';
import { groupedBy } from '../../domain/money/grouped.ts';
import type { ComposedLine } from '../../domain/lines/line-item.ts';
import { keyOfLine } from '../../domain/lines/line-key.ts';
import { seriesOf } from '../../domain/pricing/series.ts';
import { newId } from '../../keys/ids.ts';
import type { Db } from '../connection/pool.ts';

/** A line item as the API shows it (contract.md 4). */
export type LineItem = Omit<ComposedLine, 'full_period_start'> & { id: string; invoice_id: string };

/**
 * SQL: the group of the line `l`, in the order of `group_by`: jsonb has an order of its own, json keeps the one that it
 * is given.
 */
const GROUP = `case when l.series -> 'group' <> 'null' then (
    select json_object_agg(g.name, l.series -> 'group' -> g.name order by g.place)
    from charges h cross join lateral jsonb_array_elements_text(h.group_by) with ordinality as g(name, place)
    where h.environment_id = l.environment_id and h.id = l.charge_id) end`;

const MEMBERS = `l.id, l.invoice_id, l.type, l.charge_id, l.series -> 'price_index' as price_index,
  ${GROUP} as "group", (l.series ->> 'others')::boolean as others,
  case when l.type = 'item' then jsonb_build_object('id', l.invoice_item_id,
    'unit_amount', trim_scale(l.unit_amount)::text) end as invoice_item,
  l.event_name, l.description, l.pricing_model, l.aggregation, trim_scale(l.quantity)::text as quantity,
  l.skipped_events, trim_scale(l.credits_applied)::text as credits_applied,
  trim_scale(l.billable_quantity)::text as billable_quantity, l.tiers, l.amount::text as amount, l.period_start,
  l.period_end, l.discounts, l.amount_before::text as amount_before, l.stretches,
  l.billed_before::text as billed_before`;

/** The lines of the given invoices, in the order in which each invoice prints them. */
export async function readLines(
  db: Db,
  environment_id: number,
  invoice_ids: readonly string[],
): Promise<LineItem[]> {
  const { rows } = await db.query<LineItem>(
    `select ${MEMBERS} from line_items l
     where l.environment_id = $1 and l.invoice_id = any($2) order by l.invoice_id, l.position`,
    [environment_id, invoice_ids],
  );
  return rows;
}

/** A line as it is stored, with its place on the invoice and the start of its full period. */
export type StoredLine = LineItem & ComposedLine & { position: number };

/** The lines that an invoice is to have; `stored` are those that it has, none of a new draft. */
export type DraftLines = {
  subscription_id: string;
  invoice_id: string;
  stored: readonly StoredLine[];
  lines: readonly ComposedLine[];
};

type LineRow = ComposedLine & { id: string; position: number; subscription_id: string; invoice_id: string };

/**
 * Makes `lines` the lines of each draft, and returns them as they are stored, by invoice id, in order. A line of the
 * same charge, series and full period, or of the same invoice item, keeps its id; what is stored already is not
 * written. The caller holds the locks of the subscriptions.
 */
export async function writeLines(
  db: Db,
  environment_id: number,
  drafts: readonly DraftLines[],
): Promise<Map<string, StoredLine[]>> {
  const changes = drafts.map(changesOfLines);
  const kept_lines = changes.flatMap((change) => change.kept);
  const written = [...kept_lines, ...(await storeChanges(db, environment_id, changes))];
  const by_invoice = groupedBy(written, ({ invoice_id }) => invoice_id);
  return new Map(
    drafts.map(({ invoice_id }) => [
      invoice_id,
      (by_invoice.get(invoice_id) ?? []).sort((a, b) => a.position - b.position),
    ]),
  );
}

/** Stored lines that stay as they are or go, and lines to write. */
type LineChanges = { kept: StoredLine[]; gone: StoredLine[]; changed: LineRow[]; added: LineRow[] };

function changesOfLines({ subscription_id, invoice_id, stored, lines }: DraftLines): LineChanges {
  const stored_by_key = new Map(stored.map((line) => [keyOfLine(line), line]));
  const changes: LineChanges = { kept: [], gone: [], changed: [], added: [] };
  for (const [position, line] of lines.entries()) {
    const key = keyOfLine(line);
    const old = stored_by_key.get(key);
    stored_by_key.delete(key);
    const row = { ...line, position, id: old?.id ?? newId('li'), subscription_id, invoice_id };
    if (old === undefined) changes.added.push(row);
    else if (isDeepStrictEqual(changeable(row), changeable(old))) changes.kept.push(old);
    else changes.changed.push(row);
  }
  changes.gone.push(...stored_by_key.values());
  return changes;
}

/** The fields of a line that may change while its invoice is a draft. */
function changeable(line: Omit<ComposedLine, 'full_period_start'> & { position: number }) {
  const {
    position,
    description,
    quantity,
    skipped_events,
    credits_applied,
    billable_quantity,
    tiers,
    amount,
    period_end,
    discounts,
    amount_before,
    stretches,
    billed_before,
    invoice_item,
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
    period_end,
    discounts,
    amount_before,
    stretches,
    billed_before,
    unit_amount: invoice_item?.unit_amount ?? null,
  };
}

/** SQL: the lines `l` as StoredLine has them. */
const STORED = `${MEMBERS}, l.full_period_start, l.position`;

/** The lines of drafts. */
export async function storedLines(
  db: Db,
  environment_id: number,
  invoice_ids: readonly string[],
): Promise<StoredLine[]> {
  if (invoice_ids.length === 0) return [];
  const { rows } = await db.query<StoredLine>(
    `select ${STORED} from line_items l where l.environment_id = $1 and l.invoice_id = any($2)`,
    [environment_id, invoice_ids],
  );
  return rows;
}

/** Deletes, changes and adds lines in one statement; returns the lines that were changed or added. */
async function storeChanges(
  db: Db,
  environment_id: number,
  changes: readonly LineChanges[],
): Promise<StoredLine[]> {
  const gone = changes.flatMap((change) => change.gone.map(({ id }) => id));
  const changed = changes.flatMap((change) =>
    change.changed.map((line) => ({ id: line.id, ...changeable(line) })),
  );
  const added = changes.flatMap((change) => change.added.map(columnsOf));
  if (gone.length + changed.length + added.length === 0) return [];
  const { rows } = await db.query<StoredLine>(
    `with gone as (
       delete from line_items where environment_id = $1 and id = any($2)
     ), changed as (
       update line_items l set position = line.position, description = line.description, quantity = line.quantity,
         skipped_events = line.skipped_events, credits_applied = line.credits_applied,
         billable_quantity = line.billable_quantity, tiers = nullif(line.tiers, 'null'), amount = line.amount,
         period_end = line.period_end, discounts = line.discounts, amount_before = line.amount_before,
         stretches = nullif(line.stretches, 'null'), billed_before = line.billed_before, unit_amount = line.unit_amount
       from jsonb_to_recordset($3) as line(id text, position integer, description text, quantity numeric,
         skipped_events integer, credits_applied numeric, billable_quantity numeric, tiers jsonb, amount numeric,
         period_end timestamptz, discounts jsonb, amount_before numeric, stretches jsonb, billed_before numeric,
         unit_amount numeric)
       where l.environment_id = $1 and l.id = line.id returning l.*
     ), added as (
       insert into line_items (environment_id, id, subscription_id, invoice_id, position, type, charge_id, series,
         invoice_item_id, event_name, description, pricing_model, aggregation, quantity, skipped_events,
         credits_applied, billable_quantity, tiers, amount, unit_amount, period_start, period_end, discounts,
         amount_before, stretches, billed_before, full_period_start)
       select $1, id, subscription_id, invoice_id, position, type, charge_id, series, invoice_item_id, event_name,
         description, pricing_model, nullif(aggregation, 'null'), quantity, skipped_events, credits_applied,
         billable_quantity, nullif(tiers, 'null'), amount, unit_amount, period_start, period_end, discounts,
         amount_before, nullif(stretches, 'null'), billed_before, full_period_start
       from jsonb_to_recordset($4) as line(id text, subscription_id text, invoice_id text, position integer, type text,
         charge_id text, series jsonb, invoice_item_id text, event_name text, description text, pricing_model text,
         aggregation jsonb, quantity numeric, skipped_events integer, credits_applied numeric,
         billable_quantity numeric, tiers jsonb, amount numeric, unit_amount numeric, period_start timestamptz,
         period_end timestamptz, discounts jsonb, amount_before numeric, stretches jsonb, billed_before numeric,
         full_period_start timestamptz)
       returning *
     )
     select ${STORED} from (select * from changed union all select * from added) as l`,
    [environment_id, gone, JSON.stringify(changed), JSON.stringify(added)],
  );
  return rows;
}

function columnsOf(line: LineRow) {
  const { id: invoice_item_id = null, unit_amount = null } = line.invoice_item ?? {};
  return { ...line, series: seriesOf(line), invoice_item_id, unit_amount };
}
