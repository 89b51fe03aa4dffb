export type GateLimits = {
  /** Number of jobs that run at once. */
  running_max: number;
  waiting_max: number;
  /** Longest time that a job waits. */
  waiting_ms: number;
};

export type Gate = {
  /** Runs a job, first come first served. Throws the refusal if too many jobs wait or this one has waited too long. */
  pass: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Throws the refusal if too many jobs wait. Call it before reading the body. */
  refuseIfFull: () => void;
  /** How many jobs wait. */
  waiting: () => number;
};

/**
 * Semaphore: at most `running_max` jobs run; the rest queue, not yet started. `refusal` makes the error for a job that
 * finds no room.
 */
export function createGate({ running_max, waiting_max, waiting_ms }: GateLimits, refusal: () => Error): Gate {
  /** Functions that start the waiting jobs, the oldest job first. */
  const waiting = new Set<() => void>();
  let inside = 0;

  const refuseIfFull = () => {
    if (waiting.size >= waiting_max) throw refusal();
  };

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(letIn);
        reject(refusal());
      }, waiting_ms);
      const letIn = () => {
        waiting.delete(letIn);
        clearTimeout(timer);
        resolve();
      };
      waiting.add(letIn);
    });

  const leave = () => {
    const [letNextIn] = waiting;
    if (letNextIn === undefined) inside--;
    else letNextIn();
  };

  return {
    refuseIfFull,
    waiting: () => waiting.size,
    async pass(work) {
      if (inside < running_max) {
        inside++;
      } else {
        refuseIfFull();
        await turn();
      }
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
