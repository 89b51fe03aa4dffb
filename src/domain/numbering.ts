/** The last invoice number of an environment. The id of its account tells it from those of another database. */
export type LastNumber = { account_id: string; environment_id: number; last_number: string };

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

/** What is remembered of an environment: by its account too, since every database counts its environments from 1. */
export function rememberedOf(
  remembered: readonly LastNumber[],
  { account_id, environment_id }: Pick<LastNumber, 'account_id' | 'environment_id'>,
): string | null {
  const found = remembered.find(
    (number) => number.account_id === account_id && number.environment_id === environment_id,
  );
  return found?.last_number ?? null;
}

/** The greater of two numbers, each null where it is unknown. */
export function greaterNumber(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return BigInt(a) >= BigInt(b) ? a : b;
}

/** One of each environment: the greatest. */
export function greatestNumbers(numbers: readonly LastNumber[]): LastNumber[] {
  const greatest = new Map<string, LastNumber>();
  for (const number of numbers) {
    const key = `${number.account_id} ${number.environment_id}`;
    const before = greatest.get(key);
    if (before === undefined || BigInt(before.last_number) < BigInt(number.last_number))
      greatest.set(key, number);
  }
  return [...greatest.values()];
}
