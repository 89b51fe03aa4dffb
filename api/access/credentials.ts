import { setTimeout as pause } from 'node:timers/promises';
import {
  readChangedCredentials,
  readCredentials,
  type Credential,
  type CredentialReading,
} from '../../src/db/account/credentials.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { hedged } from './hedged.ts';

/**
 * A valid key, or a valid session or portal link (`key` is null). It expires at `ends_at`, in milliseconds of
 * performance.now().
 */
export type CachedCredential = Pick<Credential, 'key'> & { ends_at: number };

/** Result of a lookup by hash. If `is_fresh` is false, `cached` may be outdated or incomplete: ask the database. */
export type Lookup = { cached: CachedCredential | null; is_fresh: boolean };

/** A credential that is known, and the time of performance.now() until which the copy decides. */
type KnownCredential = { cached: CachedCredential; good_until: number };

/**
 * Finds the valid key, session or portal link of a hash. A hash that this process does not know waits for a reading of
 * the database that begins after the call; all unknown hashes share the reading, so that a guessed secret costs no
 * query of its own. Throws if the reading fails. Until one succeeds again, only a known hash is sure, and only for
 * GOOD_MS.
 */
export type Find = ((hash: string) => Promise<Lookup>) & {
  /** The credential at once, if the copy has it and is new enough; else null. */
  known: (hash: string) => KnownCredential | null;
};

/** A copy younger than this is not refreshed. */
const FRESH_MS = 2000;
/** A copy older than this decides nothing: a revoked key is refused within 5 s (contract.md 9). */
const GOOD_MS = 4000;
/**
 * Minimum time between the starts of readings, so that guessed secrets cost at most ten queries a second; a second
 * after a failure.
 */
const GAP_MS = 100;
const GAP_AFTER_FAILURE_MS = 1000;
/** Interval of full readings: a reading of changes misses rows that were deleted by hand. */
const WHOLE_MS = 60_000;
const CACHED_MAX = 100_000;

type Options = {
  cached_max?: number;
  warn: (error: unknown) => void;
  /** Is called when a reading has replaced what was cached. */
  onReplaced?: () => void;
};

/**
 * Starts of readings, in milliseconds of performance.now(): of the last one (`began_at`), the last successful one
 * (`read_at`) and the last full one (`whole_at`). `read_to` is where the next reading of changes begins. With
 * `is_too_much` the copy may be incomplete.
 */
type Last = {
  began_at: number;
  read_at: number;
  whole_at: number;
  read_to: string | null;
  is_too_much: boolean;
};

/**
 * Makes a Find with a copy of at most `cached_max` valid keys, sessions and portal links; requests trigger the readings
 * of changes. Calls `warn` at the first of consecutive failed readings.
 */
export function createFind(
  pool: Pool,
  { cached_max = CACHED_MAX, warn, onReplaced = () => undefined }: Options,
): Find {
  const cache = new Map<string, CachedCredential>();
  const last: Last = {
    began_at: -Infinity,
    read_at: -Infinity,
    whole_at: -Infinity,
    read_to: null,
    is_too_much: false,
  };
  let has_failed = false;
  let reading: Promise<void> | null = null;

  const recall = (hash: string) => {
    const credential = cache.get(hash);
    return credential === undefined || credential.ends_at <= performance.now() ? null : credential;
  };
  const readOnce = async () => {
    const gap_ms = has_failed ? GAP_AFTER_FAILURE_MS : GAP_MS;
    const wait_ms = last.began_at + gap_ms - performance.now();
    if (wait_ms > 0) await pause(wait_ms);
    last.began_at = performance.now();
    try {
      await readInto(pool, { cache, cached_max, last });
      has_failed = false;
      onReplaced();
    } catch (error) {
      if (!has_failed) warn(error);
      has_failed = true;
      last.read_to = null;
      throw error;
    }
  };
  const read = () => (reading ??= readOnce().finally(() => (reading = null)));

  const known = (hash: string): KnownCredential | null => {
    const now = performance.now();
    // Refresh in the background: no request waits for this call, and a request that needs the result reads below.
    if (now - last.read_at > FRESH_MS && reading === null) read().catch(() => undefined);
    const good_until = last.read_at + GOOD_MS;
    const cached = now <= good_until ? recall(hash) : null;
    return cached === null ? null : { cached, good_until };
  };
  const find = async (hash: string): Promise<Lookup> => {
    const now = performance.now();
    const credential = known(hash);
    if (credential !== null) return { cached: credential.cached, is_fresh: true };
    if (has_failed || last.is_too_much) return { cached: recall(hash), is_fresh: false };
    while (last.read_at < now) await read();
    return { cached: recall(hash), is_fresh: !last.is_too_much };
  };
  return Object.assign(find, { known });
}

type Into = { cache: Map<string, CachedCredential>; cached_max: number; last: Last };

async function readInto(pool: Pool, { cache, cached_max, last }: Into): Promise<void> {
  const { began_at, read_to, whole_at } = last;
  const is_whole = read_to === null || began_at - whole_at > WHOLE_MS;
  const reading: CredentialReading = is_whole
    ? await hedged(() => readCredentials(pool, cached_max))
    : await hedged(() => readChangedCredentials(pool, read_to));
  if (is_whole) {
    cache.clear();
    last.whole_at = began_at;
    last.is_too_much = false;
  }
  for (const { hash, is_in_force, expires_in_ms, key } of reading.credentials) {
    if (!is_in_force) cache.delete(hash);
    else if (cache.size < cached_max || cache.has(hash))
      cache.set(hash, { key, ends_at: began_at + (expires_in_ms ?? Infinity) });
  }
  last.is_too_much ||= cache.size >= cached_max;
  last.read_to = reading.read_to;
  last.read_at = began_at;
}
