/** Network errors; Postgres error classes 08, 40, 53 and 57; lock timeouts; writes on a standby. */
const UNAVAILABLE_CODE = /^(E[A-Z]+|08\w{3}|40\w{3}|53\w{3}|57\w{3}|55P03|25006)$/;
/** Errors of the Postgres driver itself, which have no code. */
const UNAVAILABLE_MESSAGE = /timeout expired|read timeout|connection terminated|connection error/i;

/** Errors of a connection that did not come about, and of a server that is starting or stopping. */
const UNREACHABLE_CODE = /^(ECONN(REFUSED|RESET)|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_\w+|57P0[123])$/;
const CONNECTING = ['connect', 'getaddrinfo'];

/** Whether no server of the database could be reached, from an error of a query or of a connection. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if ('syscall' in error && CONNECTING.includes(String(error.syscall))) return true;
  return typeof code === 'string' ? UNREACHABLE_CODE.test(code) : UNAVAILABLE_MESSAGE.test(error.message);
}

/** Whether the database, or the connection to it, failed for a while: a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? UNAVAILABLE_CODE.test(code) : UNAVAILABLE_MESSAGE.test(error.message);
}
