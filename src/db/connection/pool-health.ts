/** Whether a database responds, over all connections of this process to it. */
export type PoolHealth = {
  /** Call it with each request for a connection. */
  asked: () => void;
  answered: () => void;
  /** True if nothing was answered within five seconds of a request. */
  isSilent: () => boolean;
};

/**
 * Time slightly below the connection timeout of five seconds: a request that runs into that timeout asks isSilent next.
 */
const SILENT_MS = 4950;

/** Health by database URL; a process uses one database, a test many. */
const health_of_pools = new Map<string, PoolHealth>();

/** The health of a database, one per process and URL. */
export function poolHealthOf(database_url: string): PoolHealth {
  let health = health_of_pools.get(database_url);
  if (health === undefined) health_of_pools.set(database_url, (health = newPoolHealth()));
  return health;
}

function newPoolHealth(): PoolHealth {
  /** The time of the first request since the last response; by performance.now(). */
  let asked_at: number | null = null;
  return {
    asked: () => void (asked_at ??= performance.now()),
    answered: () => void (asked_at = null),
    isSilent: () => asked_at !== null && performance.now() - asked_at >= SILENT_MS,
  };
}
