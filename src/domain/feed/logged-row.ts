/** Columns of a row as the log has them: text, numbers, null, and of a pause an object. */
export type LoggedRow = Readonly<Record<string, unknown>>;

/** Whether a document became void. */
export function isVoided(before: LoggedRow, after: LoggedRow): boolean {
  return before['status'] !== 'void' && after['status'] === 'void';
}

/** Whether a server took the first email with a document. */
export function isSent(before: LoggedRow, after: LoggedRow): boolean {
  return before['sent_at'] === null && after['sent_at'] !== null;
}

/** Whether the collection of an invoice is paused. */
export function isPaused(row: LoggedRow): boolean {
  return (row['collection_pause'] ?? null) !== null;
}

/** Whether a payment was reversed. */
export function isReversed(before: LoggedRow, after: LoggedRow): boolean {
  return before['reversed_at'] === null && after['reversed_at'] !== null;
}

/** The type of a change if it is one. */
export function when(is_so: boolean, type: string): string[] {
  return is_so ? [type] : [];
}

/** Whether any of the columns changed. */
export function differs(before: LoggedRow, after: LoggedRow, columns: readonly string[]): boolean {
  return columns.some((column) => before[column] !== after[column]);
}
