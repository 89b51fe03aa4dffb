/** Points of an address, and the milliseconds until they expire. */
export type Failed = { points: number; forgotten_in_ms: number };

export type FailurePoints = {
  /** Adds points to an address and returns its new total. */
  add: (address: string, points: number) => Failed;
  pointsOf: (address: string) => number;
};

type Window = { points: number; ends_at: number };

/** Beyond this number the address with the oldest window is forgotten. */
const ADDRESSES_MAX = 100_000;

/** Counts points by address. The window of an address begins with its first points and lasts `window_ms`. */
export function createFailurePoints(window_ms: number): FailurePoints {
  /** Oldest first, hence in the order of their ends: all windows are equally long. */
  const windows = new Map<string, Window>();

  const forget = () => {
    const now = performance.now();
    for (const [address, { ends_at }] of windows) {
      if (ends_at > now && windows.size <= ADDRESSES_MAX) return;
      windows.delete(address);
    }
  };

  return {
    add(address, points) {
      forget();
      const window = windows.get(address) ?? { points: 0, ends_at: performance.now() + window_ms };
      window.points += points;
      windows.set(address, window);
      return { points: window.points, forgotten_in_ms: window.ends_at - performance.now() };
    },
    pointsOf(address) {
      forget();
      return windows.get(address)?.points ?? 0;
    },
  };
}
