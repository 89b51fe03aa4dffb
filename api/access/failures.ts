import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { rateLimited } from '../../src/domain/money/errors.ts';
import { addressOf } from './client-address.ts';

/** Failed requests by address of the client. */
export type Failures = {
  /**
   * Counts a request with an invalid key or session, or with none. Throws rate_limited if its address has failed too
   * often.
   */
  countRequest: (request: IncomingMessage) => void;
  /** Counts a sign-in with an invalid link. Throws rate_limited if its address has failed too often. */
  countSignIn: (request: IncomingMessage) => void;
  /** Whether an address has failed too often. Its unknown keys and sessions are then refused without a query. */
  areTooMany: (request: IncomingMessage) => boolean;
};

/**
 * Limit of one address at one process in 10 s: 100 invalid keys, cookies or sign-in links, or 1000 requests without
 * any.
 */
const POINTS_MAX = 1000;
const WINDOW_MS = 10_000;
const FAILED_KEY_POINTS = 10;

/** Limit of the addresses; above it, the address with the oldest window is forgotten. */
const ADDRESSES_MAX = 100_000;

type Window = { points: number; ends_at: number };

/** Counts points by address. The window of an address begins with its first points and lasts WINDOW_MS. */
export function createFailures(trusted_proxies: BlockList): Failures {
  /** Oldest first, hence in the order of their ends: all windows are equally long. */
  const windows = new Map<string, Window>();

  const count = (request: IncomingMessage, points: number) => {
    const now = performance.now();
    forget(windows, now);
    const address = addressOf(request, trusted_proxies);
    const window = windows.get(address) ?? { points: 0, ends_at: now + WINDOW_MS };
    window.points += points;
    windows.set(address, window);
    // At least 1, because `forget` has deleted windows that are over.
    if (window.points > POINTS_MAX) throw rateLimited(Math.ceil((window.ends_at - now) / 1000));
  };

  return {
    countRequest(request) {
      const { authorization, cookie } = request.headers;
      count(request, authorization === undefined && cookie === undefined ? 1 : FAILED_KEY_POINTS);
    },
    countSignIn: (request) => count(request, FAILED_KEY_POINTS),
    areTooMany(request) {
      forget(windows, performance.now());
      return (windows.get(addressOf(request, trusted_proxies))?.points ?? 0) >= POINTS_MAX;
    },
  };
}

function forget(windows: Map<string, Window>, now: number): void {
  for (const [address, { ends_at }] of windows) {
    if (ends_at > now && windows.size <= ADDRESSES_MAX) return;
    windows.delete(address);
  }
}
