import type { RateLimit, UnitsAsked, UnitsGiven } from '../../src/db/account/rate-buckets.ts';
import { createCoalescer } from '../../src/queues/coalescer.ts';

/**
 * Whether a unit was taken, how many are left in the bucket, and the milliseconds until the bucket is full or, after a
 * refusal, until it holds a block (at least one unit) again.
 */
export type Unit = { is_taken: boolean; left: number; resets_in_ms: number };

export type KeyRateLimiter = {
  /** Takes one unit of a key's bucket if one is left; at once if this process has reserved one. */
  take: (key_id: string) => Unit | Promise<Unit>;
  /** Takes units as debt, even if the bucket has too few; later requests are refused until the rate has refilled it. */
  owe: (key_id: string, units: number) => void;
};

/**
 * A process's copy of a key's bucket: units reserved from the store and not yet used (`stock`), units taken by all
 * processes as of the last query (`taken`), requests that wait for the store (`waiting`), and debt that the store does
 * not know yet (`owed`).
 */
type BucketState = {
  stock: number;
  taken: number;
  /** Time of the last query, in milliseconds of performance.now(). */
  counted_at: number;
  waiting: number;
  owed: number;
  asking: Promise<void> | null;
};

type Store = (requests: readonly UnitsAsked[]) => Promise<readonly UnitsGiven[]>;

/** Share of a bucket that one process reserves at once. */
const BLOCK_PART = 0.01;
const BUCKETS_MAX = 10_000;
/** Longest time that a request waits for the store. */
const STORE_LIMIT_MS = 500;
/** Time for which the process limits rates alone after the store has failed. */
const ALONE_MS = 1000;
const NO_LIMIT = Infinity;
const COALESCED = {
  group_items: 1000,
  group_bytes: NO_LIMIT,
  queue_items: NO_LIMIT,
  queue_bytes: NO_LIMIT,
  // No overtaking: STORE_LIMIT_MS limits each query to the store.
  overtaken_ms: 0,
  overtaken_max: 0,
};

/**
 * A token bucket for each key, shared by all processes through a store. A process reserves units in blocks, so that one
 * query serves many requests. When a bucket is empty, the process refuses without a query until the rate has refilled a
 * block. If the store does not respond in time, the process grants each key the full rate by itself and passes the
 * error to `onAlone`.
 */
export function createKeyRateLimiter(
  limit: RateLimit,
  store: Store,
  onStoreFailure: (error: unknown) => void,
): KeyRateLimiter {
  const block = Math.floor(limit.size * BLOCK_PART);
  const buckets = new Map<string, BucketState>();
  const askStore = withTimeLimit(store, onStoreFailure);
  const questions = createCoalescer<{ key: string; bucket: BucketState }, void>({
    keyOf: ({ key }) => key,
    bytesOf: () => 0,
    limits: COALESCED,
    refusal: () => new Error('a queue without a limit is full'),
    divide: () => [],
    async write(items) {
      const requests = items.map(({ key, bucket }) => requestOf(key, bucket, block));
      const grants = await askStore(requests);
      return items.map(({ bucket }, at) => {
        receive(bucket, grants === null ? grantedLocally(bucket, requests[at]!, limit) : grants[at]!);
      });
    },
  });

  const bucketOf = (key_id: string): BucketState => {
    const known = buckets.get(key_id);
    if (known !== undefined) return known;
    const bucket = { stock: 0, taken: 0, counted_at: 0, waiting: 0, owed: 0, asking: null };
    buckets.set(key_id, bucket);
    if (buckets.size > BUCKETS_MAX) buckets.delete(buckets.keys().next().value!);
    return bucket;
  };
  /** Queries the store for a key, one query at a time. If debt has arisen meanwhile, another query follows. */
  const ask = (key: string, bucket: BucketState): Promise<void> =>
    (bucket.asking ??= questions.add({ key, bucket }).finally(() => {
      bucket.asking = null;
      if (bucket.owed > 0) void ask(key, bucket);
    }));

  const unitAtOnce = (bucket: BucketState) => (bucket.asking === null ? unitOf(bucket, limit, block) : null);
  const unitLater = async (key_id: string, bucket: BucketState): Promise<Unit> => {
    bucket.waiting++;
    await ask(key_id, bucket);
    bucket.waiting--;
    return unitAtOnce(bucket) ?? unitLater(key_id, bucket);
  };

  return {
    take(key_id) {
      const bucket = bucketOf(key_id);
      return unitAtOnce(bucket) ?? unitLater(key_id, bucket);
    },
    owe(key_id, units) {
      const bucket = bucketOf(key_id);
      bucket.owed += units;
      void ask(key_id, bucket);
    },
  };
}

/**
 * Takes a unit from the stock or refuses. Null if the store must decide: units were left at the last query, or a block
 * has refilled.
 */
function unitOf(bucket: BucketState, { size, per_second }: RateLimit, block: number): Unit | null {
  const unfilled = unfilledOf(bucket, per_second);
  if (bucket.stock >= 1) {
    bucket.stock -= 1;
    const left = Math.max(0, Math.min(size, size - unfilled + bucket.stock));
    return { is_taken: true, left, resets_in_ms: msOf(unfilled, per_second) };
  }
  const missing = Math.max(1, block) - (size - unfilled);
  if (size - bucket.taken >= 1 || missing <= 0) return null;
  return { is_taken: false, left: 0, resets_in_ms: msOf(missing, per_second) };
}

/** Units that were taken and not refilled since, as far as this process knows. */
function unfilledOf({ taken, counted_at }: BucketState, per_second: number): number {
  return Math.max(0, taken - (per_second * (performance.now() - counted_at)) / 1000);
}

function msOf(units: number, per_second: number): number {
  return (units / per_second) * 1000;
}

function requestOf(key_id: string, bucket: BucketState, block: number): UnitsAsked {
  const { waiting, owed, stock } = bucket;
  bucket.owed = 0;
  return { key_id, wanted: Math.max(0, waiting + block - stock), owed };
}

function receive(bucket: BucketState, { granted, taken }: UnitsGiven): void {
  bucket.stock += granted;
  bucket.taken = taken;
  bucket.counted_at = performance.now();
}

/** The grant that the store would give, by what this process knows. */
function grantedLocally(bucket: BucketState, { wanted, owed }: UnitsAsked, limit: RateLimit): UnitsGiven {
  const taken = unfilledOf(bucket, limit.per_second) + owed;
  const granted = Math.min(wanted, Math.max(0, Math.floor(limit.size - taken)));
  return { granted, taken: taken + granted };
}

/** Queries the store with a time limit. Null if it fails, and without a query for ALONE_MS after a failure. */
function withTimeLimit(store: Store, onStoreFailure: (error: unknown) => void) {
  let alone_until = 0;
  return async (requests: readonly UnitsAsked[]): Promise<readonly UnitsGiven[] | null> => {
    if (performance.now() < alone_until) return null;
    try {
      return await withinLimit(store(requests));
    } catch (error) {
      alone_until = performance.now() + ALONE_MS;
      onStoreFailure(error);
      return null;
    }
  };
}

function withinLimit<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no response within ${STORE_LIMIT_MS} ms`));
    const timer = setTimeout(late, STORE_LIMIT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
