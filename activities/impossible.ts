import pg from 'pg';
import { BillingError } from '../src/domain/errors.ts';

/**
 * The sentence for a support person where no later try can mend what went wrong: a rule of billing says no, or Postgres refuses the
 * row (classes 22 and 23 of its error codes). Null for everything else, which is tried again for ever.
 */
export function impossibility(error: unknown): string | null {
  if (error instanceof BillingError) return error.retry_after_seconds === null ? error.message : null;
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return null;
  const where = [error.table, error.constraint].filter((name) => name !== undefined).join(', ');
  return `Billing would write a row that the database refuses${where === '' ? '' : ` (${where})`}: ${error.message}.`;
}
