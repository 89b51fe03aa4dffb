/** What one environment counts: its last invoice number, and what Temporal remembers of it. */
export type Counter = {
  last_number: string;
  /** Null where Temporal remembers nothing. */
  remembered: string | null;
  /** The cluster, or the timeline of its WAL, is another one than when the two were last compared. */
  is_restored: boolean;
  /** Why live invoices waited until now; null where they did not. */
  halt: string | null;
};

/** How the attention of a subscription begins that waits for the count of invoices. */
export const HALT = 'Live invoices wait';

const COMMAND = 'npm run tidemark -- setup --invoice-numbers-from';

/**
 * Why an environment must issue no invoice, for whoever operates it and in 200 characters, which an error may have: the database was restored to an earlier moment
 * and would give numbers a second time (operations.md, backup and restore). Null where it may. A halt ends by an operator's word
 * alone: what was remembered may be forgotten meanwhile.
 */
export function haltOf({ last_number, remembered, is_restored, halt }: Counter): string | null {
  if (remembered !== null && BigInt(last_number) < BigInt(remembered))
    return (
      `${HALT}: the last number here is ${last_number}, but ${remembered} was given before a restore. ` +
      `Run ${COMMAND} live=${remembered} (or the last that a customer has)`
    );
  if (halt !== null || !is_restored || remembered !== null) return halt;
  return (
    `${HALT}: the last number here is ${last_number}, the database was restored, and Temporal remembers none. ` +
    `Run ${COMMAND} live=N, the last that a customer has`
  );
}
