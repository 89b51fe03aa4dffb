/** The last invoice number of an environment. The account's id distinguishes environments of different databases. */
export type LastNumber = { account_id: string; environment_id: number; last_number: string };

/** The count of one environment: its last invoice number in the database, and the number that Temporal remembers. */
export type Counter = {
  last_number: string;
  /** Null if Temporal remembers no number. */
  remembered: string | null;
  /** True if the cluster, or the timeline of its WAL, changed since the last comparison. */
  is_restored: boolean;
  /** Reason of the current halt; null if live invoices are not halted. */
  halt: string | null;
};

/** Prefix of `attention` on subscriptions parked by a halt. */
export const HALT = 'Live invoices wait';

const COMMAND = 'npm run tidemark -- setup --invoice-numbers-from';

/**
 * Why the environment must issue no invoices: the database was restored to an earlier moment and would give numbers twice (operations.md,
 * backup and restore). Null if it may issue. The text is for the operator, in at most 200 characters, the limit of an error's message. Only
 * an operator ends a halt, because Temporal's memory may be lost in the meantime.
 */
export function haltOf({ last_number, remembered, is_restored, halt }: Counter): string | null {
  if (remembered !== null && BigInt(last_number) < BigInt(remembered))
    return (
      `${HALT}: the last number here is ${last_number}, but ${remembered} was issued before a restore. ` +
      `Run ${COMMAND} live=${remembered}, or the last number a customer has`
    );
  if (halt !== null || !is_restored || remembered !== null) return halt;
  return (
    `${HALT}: the last number here is ${last_number}, the database was restored, and Temporal has no number. ` +
    `Run ${COMMAND} live=N, the last number a customer has`
  );
}

/**
 * The invoice number that Temporal remembers for an environment; null if unknown. Matches the account as well, because every database numbers its environments
 * from 1.
 */
export function rememberedOf(
  remembered: readonly LastNumber[],
  { account_id, environment_id }: Pick<LastNumber, 'account_id' | 'environment_id'>,
): string | null {
  const found = remembered.find(
    (number) => number.account_id === account_id && number.environment_id === environment_id,
  );
  return found?.last_number ?? null;
}

/** The greater of two numbers; null means unknown. */
export function greaterNumber(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return BigInt(a) >= BigInt(b) ? a : b;
}

/** The greatest number of each environment. */
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
