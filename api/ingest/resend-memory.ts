/**
 * Batches that skip COPY after an overlap: at most one batch in 65 is stored in two attempts, and at most 64 are slower
 * because of it.
 */
const BATCHES = 64;

/** Remembers the environments whose clients send batches that overlap: new events together with stored ones. */
export type ResendMemory = {
  /** Records that a batch overlapped. */
  recordOverlap: (environment_id: number) => void;
  /**
   * Whether the next batch is likely to overlap. Each call counts as one batch: call it once for each batch that COPY
   * could store.
   */
  isOverlapLikely: (environment_id: number) => boolean;
};

/**
 * Remembers the environments with an overlap: after one, overlaps are likely in the next 64 batches. Holds at most one
 * number for each environment.
 */
export function createResendMemory(): ResendMemory {
  const batches_left = new Map<number, number>();
  return {
    recordOverlap: (environment_id) => void batches_left.set(environment_id, BATCHES),
    isOverlapLikely(environment_id) {
      const batches = batches_left.get(environment_id);
      if (batches === undefined) return false;
      if (batches > 1) batches_left.set(environment_id, batches - 1);
      else batches_left.delete(environment_id);
      return true;
    },
  };
}
