/** One body that arrives. */
export type Arriving = {
  /** Takes so many bytes more; false where there is no room for them, and then the body holds none any more. */
  hold: (bytes: number) => boolean;
  /** It is whole, or was given up. */
  close: () => void;
};

export type ReceiveMemory = {
  /** Null where there is no room for another body. `cut` is called at most once, when this one must make room. */
  open: (cut: () => void) => Arriving | null;
};

type Body = { bytes: number; began_at: number; cut: () => void };

/** A body that takes longer is slow. A batch of 5 MB takes less at 20 Mbit/s. */
const SLOW_MS = 2000;

/**
 * What the bodies hold that arrive at all connections together, never more than `bytes_max`. Where there is no room the slowest body
 * is cut, by its bytes a second; where none is slow, a new one is not begun, and one that grows is given up.
 */
export function createReceiveMemory(bytes_max: number, slow_ms = SLOW_MS): ReceiveMemory {
  const bodies = new Set<Body>();
  let held = 0;

  const remove = (body: Body) => {
    if (bodies.delete(body)) held -= body.bytes;
  };

  /** Whether there is room for so many bytes more, once others were cut for it. */
  const makeRoom = (bytes: number, growing: Body | null): boolean => {
    while (held + bytes > bytes_max) {
      const slowest = slowestOf(bodies, slow_ms);
      if (slowest === null || slowest === growing) return false;
      remove(slowest);
      slowest.cut();
    }
    return true;
  };

  return {
    open(cut) {
      if (!makeRoom(1, null)) return null;
      const body: Body = { bytes: 0, began_at: performance.now(), cut };
      bodies.add(body);
      return {
        hold(bytes) {
          if (!bodies.has(body)) return false;
          if (!makeRoom(bytes, body)) {
            remove(body);
            return false;
          }
          body.bytes += bytes;
          held += bytes;
          return true;
        },
        close: () => remove(body),
      };
    },
  };
}

/** Of the slow ones that hold anything; null for none. */
function slowestOf(bodies: Iterable<Body>, slow_ms: number): Body | null {
  const now = performance.now();
  let slowest: Body | null = null;
  let least_rate = Infinity;
  for (const body of bodies) {
    const age_ms = now - body.began_at;
    const rate = body.bytes / age_ms;
    if (age_ms < slow_ms || body.bytes === 0 || rate >= least_rate) continue;
    [slowest, least_rate] = [body, rate];
  }
  return slowest;
}
