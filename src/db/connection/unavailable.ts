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

/** SQLSTATEs of an internal error, of input and output, and of a connection of the server to another one. */
const CODES_OF_CITUS = ['XX000', '58030', '08006'];
/**
 * Texts of Citus, with these codes: while it loses a node, of which it repeats the last words; after
 * that, once for each session; and while shards move (decision 59).
 */
const NODE_LOST_MESSAGE =
  /connection|postmaster|the database system is|failed to COPY to shard|could not find valid entry for shard/i;

/** Whether a node was lost while the statement ran: it is rolled back, and the next attempt may succeed at once. */
export function isNodeLost(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return CODES_OF_CITUS.includes(String(error.code)) && NODE_LOST_MESSAGE.test(error.message);
}

/** Runs what reads, or stores all or nothing, and runs it once more if a node was lost. */
export async function againIfNodeLost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isNodeLost(error)) throw error;
    return work();
  }
}

/** Whether the database, or the connection to it, failed for a while: a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (isNodeLost(error)) return true;
  return typeof code === 'string' ? UNAVAILABLE_CODE.test(code) : UNAVAILABLE_MESSAGE.test(error.message);
}
