import type { UnitsAsked, UnitsGiven } from '../src/db/rate-windows.ts';
import { createCoalescer } from './coalescer.ts';

/** What became of one unit, how many are left of the key's rate, and when its window ends. */
export type Unit = { is_taken: boolean; left: number; ends_in_ms: number };

export type Leases = {
  /** Takes one unit of a key's rate if one is left. */
  take: (key_id: string) => Promise<Unit>;
  /** Takes units whether they are left or not; who comes after waits until the rate has paid for them. */
  owe: (key_id: string, units: number) => void;
};

/** What a process knows of a key: units that it may give away without asking, and those left in the window that all share. */
type Account = {
  stock: number;
  left: number;
  /** By the clock of performance.now(). */
  ends_at: number;
  waiting: number;
  owed: number;
  asking: Promise<void> | null;
};

type Store = (asked: readonly UnitsAsked[]) => Promise<readonly UnitsGiven[]>;

/** What one process takes at once from a window of a second; as much may be left unused in each. */
const BLOCK_PART = 0.01;
const WINDOW_MS = 1000;
const ACCOUNTS_MAX = 10_000;
/** A request does not wait longer for the store. */
const STORE_LIMIT_MS = 500;
const NO_LIMIT = Infinity;
const COALESCED = { group_items: 1000, group_bytes: NO_LIMIT, queue_items: NO_LIMIT, queue_bytes: NO_LIMIT };

/**
 * A rate that several processes share by a store, at one question for many requests: a process takes units a block at a time, and
 * once none are left it refuses by itself until the window ends. Where the store does not answer in time the process gives each key the
 * whole rate on its own, and tells `onAlone` why.
 */
export function createLeases(rate: number, store: Store, onAlone: (error: unknown) => void): Leases {
  const block = Math.floor(rate * BLOCK_PART);
  const accounts = new Map<string, Account>();
  const questions = createCoalescer<{ key: string; bytes: number; account: Account }, void>({
    limits: COALESCED,
    isWorthDividing: () => false,
    async write(items) {
      const asked = items.map(({ key, account }) => askedBy(key, account, block));
      const given = await withinLimit(store(asked)).catch((error: unknown) => {
        onAlone(error);
        return null;
      });
      return items.map(({ account }, at) => {
        const { owed } = asked[at]!;
        receive(account, given === null ? givenAlone(account, owed, rate) : given[at]!);
      });
    },
  });

  const accountOf = (key_id: string): Account => {
    const known = accounts.get(key_id);
    if (known !== undefined) return known;
    const account = { stock: 0, left: 0, ends_at: 0, waiting: 0, owed: 0, asking: null };
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
        const unit = account.asking === null ? unitOf(account) : null;
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

/** Null where only the store knows. */
function unitOf(account: Account): Unit | null {
  const ends_in_ms = account.ends_at - performance.now();
  if (ends_in_ms <= 0) return null;
  const is_taken = account.stock >= 1;
  if (is_taken) account.stock -= 1;
  else if (account.left >= 1) return null;
  return { is_taken, left: Math.max(0, account.left + account.stock), ends_in_ms };
}

function askedBy(key_id: string, account: Account, block: number): UnitsAsked {
  const { waiting, owed, stock } = account;
  account.owed = 0;
  return { key_id, wanted: Math.max(0, waiting + block - Math.max(0, Math.floor(stock))), owed };
}

function receive(account: Account, { granted, left, ends_in_ms }: UnitsGiven): void {
  const now = performance.now();
  account.stock = granted + (account.ends_at > now ? account.stock : 0);
  account.left = left;
  account.ends_at = now + ends_in_ms;
}

/** A window of this process's own, once that of all is over. What is owed beyond the rate makes it longer. */
function givenAlone({ stock, ends_at }: Account, owed: number, rate: number): UnitsGiven {
  const runs_ms = ends_at - performance.now();
  const before =
    runs_ms > 0 ? { stock, granted: 0, runs_ms } : { stock: 0, granted: rate, runs_ms: WINDOW_MS };
  const granted = before.granted - owed;
  const missing = Math.max(0, -(before.stock + granted));
  return { granted, left: 0, ends_in_ms: before.runs_ms + (missing / rate) * WINDOW_MS };
}

function withinLimit<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${STORE_LIMIT_MS} ms`));
    const timer = setTimeout(late, STORE_LIMIT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
