import { findLogo } from '../db/account/logos.ts';
import type { Db } from '../db/connection/pool.ts';
import { findStatement } from '../db/invoicing/statements.ts';
import { dayOf } from '../domain/time/local-time.ts';
import type { PrintedStatement } from './pdf/statement-pdf.ts';

/** The file name of a statement, by its day such as 2026-03-10. */
export function statementNameOf(day: string): string {
  return `statement-${day}`;
}

/** The file name of a statement that a client saves: with the customer, such as `statement-acme-2026-03-10`. */
export function savedStatementNameOf(printed: Pick<PrintedStatement, 'statement' | 'timezone'>): string {
  // An external id may have any characters; a header and a folder take these.
  const customer = printed.statement.customer_id.replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  return statementNameOf(`${customer}-${dayOfStatement(printed)}`);
}

/** The day of a statement, in the time zone of its customer. */
export function dayOfStatement({
  statement,
  timezone,
}: Pick<PrintedStatement, 'statement' | 'timezone'>): string {
  return dayOf(statement.as_of, timezone);
}

/** The statement of a customer to print, by its external id or our `cus_` id; null if the customer does not exist. */
export async function printedStatement(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<PrintedStatement | null> {
  const found = await findStatement(db, environment_id, customer_id);
  if (found === null) return null;
  const { logo_sha256, ...printed } = found;
  return { ...printed, logo: await findLogo(db, environment_id, logo_sha256) };
}
