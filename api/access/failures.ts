/** Points of one address, and how long until they are forgotten. */
export type Failed = { points: number; forgotten_in_ms: number };

export type Failures = {
  /** Adds points to an address, and says what it then has. */
  add: (address: string, points: number) => Failed;
  pointsOf: (address: string) => number;
};

type Window = { points: number; ends_at: number };

/** Beyond it the address whose window is the oldest is forgotten. */
const ADDRESSES_MAX = 100_000;

/** Counts points by address, from the first of an address for so long, by the clock of performance.now(). */
export function createFailures(window_ms: number): Failures {
  /** The oldest first, since all are equally long. */
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
