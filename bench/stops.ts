/** Undoes what was started, in reverse order. Repeated or concurrent runs undo each thing once. */
export type Stops = { add: (stop: () => Promise<void> | void) => void; run: () => Promise<void> };

/** An empty list of stops. */
export function createStops(): Stops {
  const stops: (() => Promise<void> | void)[] = [];
  return {
    add: (stop) => void stops.push(stop),
    async run() {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    },
  };
}
