import { daysOverdue } from '../../domain/invoice/age.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import type { Invoice } from '../../objects/invoice.ts';
import { STATEMENT_INVOICES_MAX, type Statement, type StatementLine } from '../../objects/statement.ts';
import type { Db } from '../connection/pool.ts';
import { PAUSE_REASON } from '../customers/collection-pauses.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { columnOf } from '../customers/customers.ts';
import { DUE } from './amount-due.ts';
import { BILLED_CUSTOMER, SELLER } from './invoices.ts';

/** A statement, and what its paper says besides: the parties as they are now. */
export type FoundStatement = Pick<
  Invoice,
  'seller' | 'customer' | 'timezone' | 'logo_sha256' | 'livemode'
> & {
  statement: Statement;
};

type Customer = Omit<FoundStatement, 'statement'> & {
  id: string;
  currency: string;
  balance: string;
  now: string;
};

type Line = Omit<StatementLine, 'days_overdue'> & { sum: string; overdue_sum: string | null };

/** The statement of a customer now, by its external id or our `cus_` id; null if the customer does not exist. */
export async function findStatement(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<FoundStatement | null> {
  const customer = await findDebtor(db, environment_id, id_or_external_id);
  if (customer === null) return null;
  const { id, currency, balance, now, ...parties } = customer;
  const today = dayOf(now, parties.timezone);
  const lines = await openInvoices(db, environment_id, { customer_id: id, today });
  const amountOf = (amount: string | null = null) => toAmount(decimal(amount ?? '0'), currency);
  return {
    ...parties,
    statement: {
      object: 'statement',
      customer_id: parties.customer.external_id,
      currency,
      as_of: now,
      amount_due: amountOf(lines[0]?.sum),
      overdue_amount: amountOf(lines[0]?.overdue_sum),
      balance: amountOf(balance),
      data: lines.map(({ sum: _, overdue_sum: __, pause_reason, ...line }) => ({
        ...line,
        days_overdue: daysOverdue(line.due_date, today),
        pause_reason,
      })),
    },
  };
}

async function findDebtor(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<Customer | null> {
  const { rows } = await db.query<Customer>(
    `select c.id, c.currency, c.balance::text as balance, ${CUSTOMER_NOW} as now,
       coalesce(c.timezone, n.timezone) as timezone, n.livemode, n.logo_sha256, ${SELLER} as seller,
       ${BILLED_CUSTOMER} as customer
     from customers c join environments n on n.id = c.environment_id
     where c.environment_id = $1 and c.${columnOf(id_or_external_id)} = $2`,
    [environment_id, id_or_external_id],
  );
  return rows[0] ?? null;
}

/** The open invoices of a customer by due date; each has the sums of all, also beyond the last one. */
async function openInvoices(
  db: Db,
  environment_id: number,
  { customer_id, today }: { customer_id: string; today: string },
): Promise<Line[]> {
  const { rows } = await db.query<Line>(
    `select i.id as invoice_id, i.full_number as number, i.issued_at, i.due_date::text as due_date,
       i.total::text as total, (${DUE})::text as amount_due, ${PAUSE_REASON} as pause_reason,
       (sum(${DUE}) over ())::text as sum,
       (sum(${DUE}) filter (where i.due_date < $3::date) over ())::text as overdue_sum
     from invoices i
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = $1 and i.customer_id = $2 and i.status = 'open'
     order by i.due_date, i.id limit ${STATEMENT_INVOICES_MAX}`,
    [environment_id, customer_id, today],
  );
  return rows;
}
