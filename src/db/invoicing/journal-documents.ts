import { decimal } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import type { JournalDocuments } from '../../objects/journal.ts';
import type { Db } from '../connection/pool.ts';
import { isPrintedIn, printedMonth, widestMonth } from './printed-month.ts';

/** A month such as 2026-10, and when it begins and is over in the time zone of the account. */
export type BookedMonth = { month: string; timezone: string; from: string; to: string };

/** Documents that differ, of a response. */
const DIFFERING_MAX = 100;

/** SQL: the invoices and credit notes that may print or be booked in a month: whether each does, and its total. */
const DOCUMENTS = `
  select i.id as object_id, i.full_number as number, i.currency, i.total as amount, i.issued_at, i.timezone,
    ${isPrintedIn('$4::jsonb', 'i.issued_at')} as is_printed, i.issued_at >= $5 and i.issued_at < $6 as is_booked
  from invoices i
  where i.environment_id = $1 and i.issued_at >= $2 and i.issued_at < $3
  union all
  select k.id, k.full_number, i.currency, -k.total, k.issued_at, i.timezone,
    ${isPrintedIn('$4::jsonb', 'k.issued_at')}, k.issued_at >= $5 and k.issued_at < $6
  from credit_notes k
  join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
  where k.environment_id = $1 and k.issued_at >= $2 and k.issued_at < $3`;

type Sum = { currency: string; documents: string; booked: string; difference: string };
type Differing = {
  object_id: string;
  number: string;
  currency: string;
  amount: string;
  issued_at: string;
  timezone: string;
};

/**
 * Adds up the totals of the documents of a month, void or not, less those of credit notes, by the day that each prints
 * and by its entry of the journal, and finds the documents in which both differ.
 */
export async function readJournalDocuments(
  db: Db,
  environment_id: number,
  { month, timezone, from, to }: BookedMonth,
): Promise<Omit<JournalDocuments, 'object'>> {
  const widest = widestMonth(month);
  const printed = printedMonth(month, await readTimezones(db, environment_id, widest));
  const values = [environment_id, widest.from, widest.to, printed, from, to];
  const { rows: sums } = await db.query<Sum>(
    `select currency, coalesce(sum(amount) filter (where is_printed), 0)::text as documents,
       coalesce(sum(amount) filter (where is_booked), 0)::text as booked,
       sum(case when is_printed = is_booked then 0 when is_booked then amount else -amount end)::text as difference
     from (${DOCUMENTS}) as d where is_printed or is_booked
     group by currency order by currency collate "C"`,
    values,
  );
  const { rows: differing } = await db.query<Differing>(
    `select object_id, number, currency, amount::text as amount, issued_at, timezone
     from (${DOCUMENTS}) as d where is_printed <> is_booked order by issued_at, object_id collate "C" limit $7`,
    [...values, DIFFERING_MAX + 1],
  );
  return {
    data: sums.map(({ currency, documents, booked, difference }) => ({
      currency,
      documents: toAmount(decimal(documents), currency),
      booked: toAmount(decimal(booked), currency),
      difference: toAmount(decimal(difference), currency),
    })),
    differing: differing.slice(0, DIFFERING_MAX).map(({ issued_at, timezone: own, ...document }) => ({
      ...document,
      printed_month: monthAt(issued_at, own),
      booked_month: monthAt(issued_at, timezone),
    })),
    has_more: differing.length > DIFFERING_MAX,
  };
}

function monthAt(instant: string, timezone: string): string {
  return dayOf(instant, timezone).slice(0, 7);
}

/** The time zones of the documents of a range. */
async function readTimezones(
  db: Db,
  environment_id: number,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const { rows } = await db.query<{ timezone: string }>(
    `select i.timezone from invoices i where i.environment_id = $1 and i.issued_at >= $2 and i.issued_at < $3
     union
     select i.timezone
     from credit_notes k join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
     where k.environment_id = $1 and k.issued_at >= $2 and k.issued_at < $3`,
    [environment_id, from, to],
  );
  return rows.map(({ timezone }) => timezone);
}
