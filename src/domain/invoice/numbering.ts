/**
 * The last invoice number of an environment, its last credit note number and the last number of its feed. The account's
 * id distinguishes environments of different databases.
 */
export type LastNumber = {
  account_id: string;
  environment_id: number;
  last_number: string;
  last_credit_note_number: string;
  last_sequence: string;
};

/** The series of numbers of an environment. */
export type Series = 'invoices' | 'credit_notes' | 'changes';
const NUMBER_OF = {
  invoices: 'last_number',
  credit_notes: 'last_credit_note_number',
  changes: 'last_sequence',
} as const;

/** The counts of one environment: its last numbers in the database, and the numbers that Temporal remembers. */
export type Counter = {
  last_number: string;
  last_credit_note_number: string;
  /** Null if Temporal remembers no number. */
  remembered: string | null;
  remembered_credit_note: string | null;
  /** True if the cluster, or the timeline of its WAL, changed since the last comparison. */
  is_restored: boolean;
  /** Reason of the current halt; null if live invoices are not halted. */
  halt: string | null;
};

/** How far a feed goes ahead of the greatest known number after a restore: its only gap. */
const RESTORE_GAP = 1_000_000n;

/**
 * The number at which a feed goes on after a restore, before which clients may have seen numbers that are gone; null if
 * it goes on as it is (changes.md).
 */
export function resumedSequence({
  last_sequence,
  remembered,
  is_restored,
}: {
  last_sequence: string;
  remembered: string | null;
  is_restored: boolean;
}): string | null {
  const is_behind = remembered !== null && BigInt(last_sequence) < BigInt(remembered);
  const is_unknown = remembered === null && is_restored && last_sequence !== '0';
  if (!is_behind && !is_unknown) return null;
  return String(BigInt(greaterNumber(last_sequence, remembered)!) + RESTORE_GAP);
}

/** Prefix of `attention` on subscriptions parked by a halt. */
export const HALT = 'Live invoices wait';

const COMMAND = 'npm run tidemark -- setup --invoice-numbers-from';

/**
 * The reason why the environment must issue no invoices: the database was restored to an earlier moment and would give
 * numbers twice (operations.md, backup and restore). Null if it may issue. The text is for the operator, in at most 200
 * characters, the limit of an error's message. Only an operator ends a halt, because Temporal's memory may be lost in
 * the meantime.
 */
export function haltOf(counter: Counter): string | null {
  const { last_number, remembered, is_restored, halt } = counter;
  const { last_credit_note_number: last_note, remembered_credit_note: remembered_note } = counter;
  if (remembered !== null && BigInt(last_number) < BigInt(remembered))
    return (
      `${HALT}: the last number here is ${last_number}, but ${remembered} was issued before a restore. ` +
      `Run ${COMMAND} live=${remembered}, or the last number a customer has`
    );
  if (remembered_note !== null && BigInt(last_note) < BigInt(remembered_note))
    return (
      `${HALT}: the last credit note here is ${last_note}, but ${remembered_note} was issued before a restore. ` +
      `Run ${COMMAND} live=${last_number}, or the last number a customer has`
    );
  if (halt !== null || !is_restored || remembered !== null) return halt;
  return (
    `${HALT}: the last number here is ${last_number}, the database was restored, and Temporal has no number. ` +
    `Run ${COMMAND} live=N, the last number a customer has`
  );
}

/**
 * The last number of a series that Temporal remembers for an environment; null if unknown. Matches the account as well,
 * because every database numbers its environments from 1.
 */
export function rememberedOf(
  remembered: readonly LastNumber[],
  { account_id, environment_id }: Pick<LastNumber, 'account_id' | 'environment_id'>,
  series: Series = 'invoices',
): string | null {
  const last_number = remembered.find(
    (number) => number.account_id === account_id && number.environment_id === environment_id,
  );
  return last_number?.[NUMBER_OF[series]] ?? null;
}

/** The greater of two numbers; null means unknown. */
export function greaterNumber(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return BigInt(a) >= BigInt(b) ? a : b;
}

/** The greatest numbers of each environment. */
export function greatestNumbers(numbers: readonly LastNumber[]): LastNumber[] {
  const greatest = new Map<string, LastNumber>();
  for (const number of numbers) {
    const key = `${number.account_id} ${number.environment_id}`;
    const before = greatest.get(key) ?? number;
    greatest.set(key, {
      ...number,
      last_number: greaterNumber(before.last_number, number.last_number)!,
      last_credit_note_number: greaterNumber(before.last_credit_note_number, number.last_credit_note_number)!,
      last_sequence: greaterNumber(before.last_sequence, number.last_sequence)!,
    });
  }
  return [...greatest.values()];
}
