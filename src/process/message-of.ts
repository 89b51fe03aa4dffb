/**
 * The message of any thrown value, never empty: network errors may have a code and no message, or hide the reason in
 * `cause`.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${error.message}: ${messageOf(error.cause)}`;
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return 'code' in error ? String(error.code) : error.name;
}
