import type { RateLimit, UnitsAsked, UnitsGiven } from '../../src/db/account/rate-buckets.ts';
import { createCoalescer } from '../queues/coalescer.ts';

/** What became of one unit, how many are left, and how long until all are, or for who got none until the next one is. */
export type Unit = { is_taken: boolean; left: number; resets_in_ms: number };

export type Leases = {
  /** Takes one unit of a key's bucket if one is left. */
  take: (key_id: string) => Promise<Unit>;
  /** Takes units whether they are left or not; who comes after waits until the rate has paid for them. */
  owe: (key_id: string, units: number) => void;
};

/** What a process knows of a key: units that it may give away without asking, and what all had taken when it asked. */
type Account = {
  stock: number;
  taken: number;
  /** By the clock of performance.now(). */
  counted_at: number;
  waiting: number;
  owed: number;
  asking: Promise<void> | null;
};

type Store = (asked: readonly UnitsAsked[]) => Promise<readonly UnitsGiven[]>;

/** What one process takes at once from a bucket, of its size; as much it may hold back. */
const BLOCK_PART = 0.01;
const ACCOUNTS_MAX = 10_000;
/** A request does not wait longer for the store. */
const STORE_LIMIT_MS = 500;
/** For so long nobody waits for a store that did not answer. */
const ALONE_MS = 1000;
const NO_LIMIT = Infinity;
const COALESCED = {
  group_items: 1000,
  group_bytes: NO_LIMIT,
  queue_items: NO_LIMIT,
  queue_bytes: NO_LIMIT,
  // The store has a limit of its own.
  overtaken_ms: 0,
  overtaken_max: 0,
};

/**
 * A rate that several processes share by a store, at one question for many requests: a process takes units a block at a time, and
 * once none are left it refuses by itself until there may be a block again. Where the store does not answer in time the process gives
 * each key the whole rate on its own, and tells `onAlone` why.
 */
export function createLeases(limit: RateLimit, store: Store, onAlone: (error: unknown) => void): Leases {
  const block = Math.floor(limit.size * BLOCK_PART);
  const accounts = new Map<string, Account>();
  const askStore = withoutWaiting(store, onAlone);
  const questions = createCoalescer<{ key: string; bytes: number; account: Account }, void>({
    limits: COALESCED,
    refusal: () => new Error('a queue without a limit is full'),
    isWorthDividing: () => false,
    async write(items) {
      const asked = items.map(({ key, account }) => askedBy(key, account, block));
      const given = await askStore(asked);
      return items.map(({ account }, at) => {
        receive(account, given === null ? givenAlone(account, asked[at]!, limit) : given[at]!);
      });
    },
  });

  const accountOf = (key_id: string): Account => {
    const known = accounts.get(key_id);
    if (known !== undefined) return known;
    const account = { stock: 0, taken: 0, counted_at: 0, waiting: 0, owed: 0, asking: null };
    accounts.set(key_id, account);
    if (accounts.size > ACCOUNTS_MAX) accounts.delete(accounts.keys().next().value!);
    return account;
  };
  /** One question of a key at a time. What came to be owed meanwhile is the next. */
  const ask = (key: string, account: Account): Promise<void> =>
    (account.asking ??= questions.add({ key, bytes: 0, account }).finally(() => {
      account.asking = null;
      if (account.owed > 0) void ask(key, account);
    }));

  return {
    async take(key_id) {
      const account = accountOf(key_id);
      for (;;) {
        const unit = account.asking === null ? unitOf(account, limit, block) : null;
        if (unit !== null) return unit;
        account.waiting++;
        await ask(key_id, account);
        account.waiting--;
      }
    },
    owe(key_id, units) {
      const account = accountOf(key_id);
      account.owed += units;
      void ask(key_id, account);
    },
  };
}

/** Null where only the store knows: units were left when it was asked, or as many as it is worth asking for have come since. */
function unitOf(account: Account, { size, per_second }: RateLimit, block: number): Unit | null {
  const unfilled = unfilledOf(account, per_second);
  if (account.stock >= 1) {
    account.stock -= 1;
    const left = Math.max(0, Math.min(size, size - unfilled + account.stock));
    return { is_taken: true, left, resets_in_ms: msOf(unfilled, per_second) };
  }
  const missing = Math.max(1, block) - (size - unfilled);
  if (size - account.taken >= 1 || missing <= 0) return null;
  return { is_taken: false, left: 0, resets_in_ms: msOf(missing, per_second) };
}

/** What was taken and, by what this process knows, has not come back. */
function unfilledOf({ taken, counted_at }: Account, per_second: number): number {
  return Math.max(0, taken - (per_second * (performance.now() - counted_at)) / 1000);
}

function msOf(units: number, per_second: number): number {
  return (units / per_second) * 1000;
}

function askedBy(key_id: string, account: Account, block: number): UnitsAsked {
  const { waiting, owed, stock } = account;
  account.owed = 0;
  return { key_id, wanted: Math.max(0, waiting + block - stock), owed };
}

function receive(account: Account, { granted, taken }: UnitsGiven): void {
  account.stock += granted;
  account.taken = taken;
  account.counted_at = performance.now();
}

/** As the store gives, from what this process knows. */
function givenAlone(account: Account, { wanted, owed }: UnitsAsked, limit: RateLimit): UnitsGiven {
  const taken = unfilledOf(account, limit.per_second) + owed;
  const granted = Math.min(wanted, Math.max(0, Math.floor(limit.size - taken)));
  return { granted, taken: taken + granted };
}

/** Null where the store did not answer in time, and for a second after that. */
function withoutWaiting(store: Store, onAlone: (error: unknown) => void) {
  let alone_until = 0;
  return async (asked: readonly UnitsAsked[]): Promise<readonly UnitsGiven[] | null> => {
    if (performance.now() < alone_until) return null;
    try {
      return await withinLimit(store(asked));
    } catch (error) {
      alone_until = performance.now() + ALONE_MS;
      onAlone(error);
      return null;
    }
  };
}

function withinLimit<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${STORE_LIMIT_MS} ms`));
    const timer = setTimeout(late, STORE_LIMIT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
