/** A request body that is being received. */
export type BodyReservation = {
  /** Reserves more bytes. False if there is no room; the body then loses its whole reservation. */
  hold: (bytes: number) => boolean;
  /** Frees the reservation: the body is complete or abandoned. */
  close: () => void;
};

export type ReceiveMemory = {
  /**
   * Registers a new body; null if there is no room. `cut` is called at most once, when this body must make room for
   * another.
   */
  open: (cut: () => void) => BodyReservation | null;
  /**
   * Whether there is room for a body that has arrived as a whole and needs no reservation. Slow bodies are cut to make
   * room.
   */
  hasRoom: (bytes: number) => boolean;
};

type Body = { bytes: number; began_at: number; cut: () => void };

/** A body is slow if it takes longer. A batch of 5 MB takes less at 20 Mbit/s. */
const SLOW_MS = 2000;

/**
 * Memory budget for the bodies being received on all connections: together they hold at most `bytes_max`. If there is
 * no room, the slowest body by bytes per second is cut. If none is slow, a new body is refused, and a growing body
 * loses its reservation.
 */
export function createReceiveMemory(bytes_max: number, slow_ms = SLOW_MS): ReceiveMemory {
  const bodies = new Set<Body>();
  let held_bytes = 0;

  const remove = (body: Body) => {
    if (bodies.delete(body)) held_bytes -= body.bytes;
  };

  /** Cuts slow bodies other than `growing` until there is room for `bytes` more; false if there is still none. */
  const makeRoom = (bytes: number, growing: Body | null): boolean => {
    while (held_bytes + bytes > bytes_max) {
      const slowest = slowestOf(bodies, slow_ms);
      if (slowest === null || slowest === growing) return false;
      remove(slowest);
      slowest.cut();
    }
    return true;
  };

  return {
    hasRoom: (bytes) => makeRoom(bytes, null),
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
          held_bytes += bytes;
          return true;
        },
        close: () => remove(body),
      };
    },
  };
}

/** The slow body with the fewest bytes per second, among those that hold any bytes; null if there is none. */
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
