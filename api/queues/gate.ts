export type GateLimits = {
  /** How much is done at once. */
  inside_max: number;
  waiting_max: number;
  /** How long work waits for its turn. */
  waiting_ms: number;
};

export type Gate = {
  /** Does work in its turn, first come first served. Throws the refusal where too much waits, or where it waited for too long. */
  pass: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Throws the refusal where too much waits. Call it before receiving the body. */
  refuseIfFull: () => void;
};

/** Lets so much work go on at once, and keeps the rest waiting before it has begun. `refusal` is what one is told that finds no room. */
export function createGate({ inside_max, waiting_max, waiting_ms }: GateLimits, refusal: () => Error): Gate {
  /** What lets each of those in that wait, the longest waiting first. */
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
    async pass(work) {
      if (inside < inside_max) {
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
