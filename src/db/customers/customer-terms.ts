import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from './customer-now.ts';
import { lockNamedCustomer } from './customers.ts';
import { PENDING_REDACTIONS } from './redactions.ts';

/** The terms of a customer that a new subscription or grant asks for. */
export type CustomerTerms = {
  /** Our `cus_` id. */
  id: string;
  currency: string;
  now: string;
  /** Its own time zone, or that of the environment. A new subscription keeps it. */
  timezone: string;
  /** Before when its events are archived; null if none are. */
  archived_to: string | null;
  /** The properties of each redaction whose events are not all passed. */
  pending_redactions: string[][];
};

/**
 * Locks a customer as lockedCustomer does, and reads its terms then, so that the test clock cannot advance in between.
 * By our `cus_` id or by external id; null if it does not exist.
 */
export async function lockedTerms(
  db: Db,
  environment_id: number,
  id_or_external_id: string,
): Promise<CustomerTerms | null> {
  const id = await lockNamedCustomer(db, environment_id, id_or_external_id);
  if (id === null) return null;
  const { rows } = await db.query<CustomerTerms>(
    `select c.id, c.currency, ${CUSTOMER_NOW} as now, coalesce(c.timezone, n.timezone) as timezone, c.archived_to,
       ${PENDING_REDACTIONS} as pending_redactions
     from customers c join environments n on n.id = c.environment_id where c.environment_id = $1 and c.id = $2`,
    [environment_id, id],
  );
  return rows[0]!;
}
