/** What an error says, a sentence in any case: errors of the network may have no message but a code, or hide their reason in a cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${error.message}: ${messageOf(error.cause)}`;
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
