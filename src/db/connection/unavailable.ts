/** Network errors; Postgres error classes 08, 40, 53 and 57; lock timeouts; writes on a standby. */
const UNAVAILABLE_CODE = /^(E[A-Z]+|08\w{3}|40\w{3}|53\w{3}|57\w{3}|55P03|25006)$/;
/** Errors of the Postgres driver itself, which have no code. */
const UNAVAILABLE_MESSAGE = /timeout expired|read timeout|connection terminated|connection error/i;

/** Whether the database, or the connection to it, failed for a while: a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? UNAVAILABLE_CODE.test(code) : UNAVAILABLE_MESSAGE.test(error.message);
}
