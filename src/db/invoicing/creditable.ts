import type { BilledInvoice, BilledLine } from '../../domain/invoice/automatic-note.ts';
import type { CreditableInvoice } from '../../domain/invoice/credit-note.ts';
import { periodLineKey } from '../../domain/lines/line-item.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { lineKey, type Series } from '../../domain/pricing/series.ts';
import { AMOUNT_DUE } from './amount-due.ts';
import { DISCOUNT_OF_LINE } from './period-sums.ts';
import { ASKED_FULL_PERIODS, askedFullPeriods, type FullPeriodKey } from './usage-lines.ts';
import type { Db } from '../connection/pool.ts';

type Line = Omit<BilledLine, 'line_key'> & {
  charge_id: string | null;
  invoice_item_id: string | null;
  series: Series;
};

/** SQL: the lines of the invoice `i` with what the credit notes that stand take off them. */
const LINES = `(
  select jsonb_agg(jsonb_build_object('id', l.id, 'type', l.type, 'amount', l.amount::text, 'charge_id', l.charge_id,
    'series', l.series, 'invoice_item_id', l.invoice_item_id, 'full_period_start', instant_text(l.full_period_start),
    'period_end', instant_text(l.period_end), 'discount_id', ${DISCOUNT_OF_LINE}, 'credited', coalesce((
      select sum(x.amount) from credit_note_lines x
      join credit_notes k on k.environment_id = x.environment_id and k.id = x.credit_note_id and k.status = 'issued'
      where x.environment_id = l.environment_id and x.line_item_id = l.id), 0)::text) order by l.position)
  from line_items l where l.environment_id = i.environment_id and l.invoice_id = i.id)`;

/** SQL: an issued invoice `i`, and its credit notes that stand, as far as a further one depends on them. */
const CREDITABLE = `i.id, i.currency, i.subtotal::text as subtotal, trim_scale(i.tax_rate)::text as tax_rate,
  (${AMOUNT_DUE})::text as amount_due, coalesce(${LINES}, '[]') as lines, (
    select coalesce(sum(k.tax_amount), 0)::text from credit_notes k
    where k.environment_id = i.environment_id and k.invoice_id = i.id and k.status = 'issued') as tax_credited`;

type Row = Omit<CreditableInvoice, 'lines'> & { id: string; lines: Line[] };

/** Reads the amounts of an issued invoice that can be credited, beside the notes that stand. */
export async function readCreditable(
  db: Db,
  environment_id: number,
  { id }: { id: string },
): Promise<CreditableInvoice> {
  const { rows } = await db.query<Row>(
    `select ${CREDITABLE} from invoices i where i.environment_id = $1 and i.id = $2`,
    [environment_id, id],
  );
  return rows[0]!;
}

/** The issued invoices with lines of full periods, by subscription, in the order of issue. */
export async function billedInvoices(
  db: Db,
  environment_id: number,
  keys: readonly FullPeriodKey[],
): Promise<Map<string, BilledInvoice[]>> {
  const { rows } = await db.query<Row & { subscription_id: string }>(
    `select i.subscription_id, ${CREDITABLE}
     from invoices i where i.environment_id = $1 and i.status in ('open', 'paid') and i.id in (
       select l.invoice_id from ${ASKED_FULL_PERIODS}
       join line_items l on l.environment_id = $1 and l.subscription_id = asked.subscription_id
         and l.full_period_start = asked.full_period_start)
     order by i.number`,
    [environment_id, ...askedFullPeriods(keys)],
  );
  const invoices = rows.map((row) => ({ ...row, lines: row.lines.map(billedLine) }));
  return groupedBy(invoices, ({ subscription_id }) => subscription_id);
}

function billedLine({ charge_id, invoice_item_id, series, ...line }: Line): BilledLine {
  const { full_period_start, discount_id } = line;
  if (charge_id !== null) return { ...line, line_key: lineKey({ charge_id, series, full_period_start }) };
  return { ...line, line_key: invoice_item_id ?? periodLineKey({ discount_id, full_period_start }) };
}
