import type { CollectionStatus } from '../../domain/collection/schedule.ts';
import type { InvoiceStatus } from '../../domain/lines/invoice-state.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { hasCollectionStatus } from './charged.ts';
import { IS_OVERDUE } from './overdue.ts';
import { isPrintedIn, printedMonth, widestMonth, type PrintedMonth } from './printed-month.ts';

/** `customer_id` is the external id or our `cus_` id; both ranges are half open. */
export type InvoiceFilter = {
  customer_id: string | null;
  subscription_id: string | null;
  status: InvoiceStatus | null;
  /** Bounds of period_end. */
  from: string | null;
  to: string | null;
  issued_from?: string | undefined;
  issued_to?: string | undefined;
  /**
   * A month such as 2026-10, instead of `from` and `to`: that of the last day of the period, as the invoice prints it
   * (billing.md 6).
   */
  period_month?: string | undefined;
  /** A month instead of `issued_from` and `issued_to`: that of the day of issue, as the invoice prints it. */
  issued_month?: string | undefined;
  number?: string | undefined;
  currency?: string | undefined;
  overdue?: boolean | undefined;
  /** Whether a mail server has taken an email with it; drafts are neither. */
  sent?: boolean | undefined;
  collection?: CollectionStatus | undefined;
  /** True: no drafts, and none that was void before its issue. */
  is_issued?: true;
};

/**
 * A filter whose months are instants: the ranges hold the months of all time zones, and each month is exact for each
 * zone.
 */
export type InvoiceBounds = Omit<InvoiceFilter, 'period_month' | 'issued_month'> & {
  period_in: PrintedMonth | null;
  issued_in: PrintedMonth | null;
};

/**
 * The bounds of a filter. For one with a month, it reads the time zones of the invoices that may pass, by the index of
 * the range.
 */
export async function boundsOfInvoices(
  db: Db,
  environment_id: number,
  { period_month, issued_month, ...filter }: InvoiceFilter,
): Promise<InvoiceBounds> {
  const issued = issued_month === undefined ? null : widestMonth(issued_month);
  const widest = {
    ...filter,
    ...(period_month !== undefined && widestMonth(period_month)),
    ...(issued !== null && { issued_from: issued.from, issued_to: issued.to }),
    period_in: null,
    issued_in: null,
  };
  if (period_month === undefined && issued_month === undefined) return widest;
  const timezones = await readTimezones(db, environment_id, widest);
  return {
    ...widest,
    period_in: printedMonth(period_month, timezones),
    issued_in: printedMonth(issued_month, timezones),
  };
}

/** SQL: the invoice `i` went out, or is issued and went to nobody: each by an index of its own. */
const IS_SENT = {
  true: 'i.sent_at is not null',
  false: 'i.sent_at is null and i.issued_at is not null',
};

/** SQL: the last instant of the period of the invoice `i`. */
const LAST_OF_PERIOD = "i.period_end - interval '1 millisecond'";

/** The time zones of the invoices that pass. */
async function readTimezones(db: Db, environment_id: number, bounds: InvoiceBounds): Promise<string[]> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ timezone: string }>(
    `select distinct i.timezone
     from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where ${passesFilter(environment_id, bounds, parameter)}`,
    values,
  );
  return rows.map(({ timezone }) => timezone);
}

/** SQL: the invoice `i` of the customer `c` passes the filter. */
export function passesFilter(environment_id: number, filter: InvoiceBounds, parameter: Parameter): string {
  const unless = (value: unknown, type: string, condition: (value: string) => string) => {
    const placeholder = `${parameter(value)}::${type}`;
    return `(${placeholder} is null or ${condition(placeholder)})`;
  };
  const { period_in, issued_in } = filter;
  return [
    `i.environment_id = ${parameter(environment_id)}`,
    unless(filter.customer_id, 'text', (id) => `c.external_id = ${id} or c.id = ${id}`),
    unless(filter.subscription_id, 'text', (id) => `i.subscription_id = ${id}`),
    unless(filter.status, 'text', (status) => `i.status = ${status}`),
    unless(filter.from, 'timestamptz', (from) => `i.period_end >= ${from}`),
    unless(filter.to, 'timestamptz', (to) => `i.period_end < ${to}`),
    unless(period_in, 'jsonb', (month) => isPrintedIn(month, LAST_OF_PERIOD)),
    unless(filter.issued_from, 'timestamptz', (from) => `i.issued_at >= ${from}`),
    unless(filter.issued_to, 'timestamptz', (to) => `i.issued_at < ${to}`),
    unless(issued_in, 'jsonb', (month) => isPrintedIn(month, 'i.issued_at')),
    filter.sent === undefined ? 'true' : IS_SENT[`${filter.sent}`],
    filter.collection === undefined ? 'true' : hasCollectionStatus(filter.collection),
    filter.is_issued === true ? 'i.issued_at is not null' : 'true',
    unless(filter.number, 'text', (number) => `i.full_number = ${number}`),
    unless(filter.currency, 'text', (currency) => `i.currency = ${currency}`),
    unless(
      filter.overdue,
      'boolean',
      (overdue) => `${IS_OVERDUE} = ${overdue} and (not ${overdue} or i.status = 'open')`,
    ),
  ].join('\n       and ');
}
