/** So one batch in sixty-five is stored twice at most, and at most as many go the slower way because of one. */
const BATCHES = 64;

/** Which environments' clients send new events together with stored ones. */
export type ResendMemory = {
  /** A batch held some that were stored. */
  met: (environment_id: number) => void;
  /** Whether the next batch should be expected to; to be asked once for each that could go in by COPY. */
  areLikely: (environment_id: number) => boolean;
};

/** Overlaps are likely in the next 64 batches of an environment after one. Holds no more than there are environments. */
export function createResendMemory(): ResendMemory {
  const left = new Map<number, number>();
  return {
    met: (environment_id) => void left.set(environment_id, BATCHES),
    areLikely(environment_id) {
      const batches = left.get(environment_id);
      if (batches === undefined) return false;
      if (batches > 1) left.set(environment_id, batches - 1);
      else left.delete(environment_id);
      return true;
    },
  };
}
