import { ApplicationFailure } from '@temporalio/activity';
import pg from 'pg';
import { BillingError, type ErrorDetail } from '../src/domain/money/errors.ts';

/**
 * A sentence for support staff about an error that no retry can fix: a billing rule refuses, or Postgres refuses the
 * row (error classes 22 and 23). Null for every other error, which is retried for ever.
 */
export function impossibility(error: unknown): string | null {
  if (error instanceof BillingError) return error.retry_after_seconds === null ? error.message : null;
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return null;
  const where = [error.table, error.constraint].filter((name) => name !== undefined).join(', ');
  return `Call the people who run Tidemark. The database rejected a row that billing wrote${where === '' ? '' : ` (${where})`}: ${error.message}.`;
}

/**
 * The refusal of what somebody asked for: the sentence of `impossibility`, and the details of a billing rule's error;
 * null where a retry may help.
 */
export function refusalOf(
  error: unknown,
): { sentence: string; details: readonly ErrorDetail[] | null } | null {
  const sentence = impossibility(error);
  return sentence === null
    ? null
    : { sentence, details: error instanceof BillingError ? error.details : null };
}

/**
 * An error that no retry can fix goes to the workflow, which parks the subscription. Every other error is retried for
 * ever.
 */
export function failPermanently(error: unknown): never {
  const sentence = impossibility(error);
  if (sentence === null) throw error;
  throw ApplicationFailure.nonRetryable(sentence, 'ImpossibleToBill');
}

/** True if Postgres refused a row (error classes 22, 23 and 54): of a group, one member alone may be the cause. */
export function isOfItsRow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|54)/.test(error.code ?? '');
}
