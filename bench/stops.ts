/** How to undo what was started, the last first. Running it twice, or twice at once, undoes each thing once. */
export type Stops = { add: (stop: () => Promise<void> | void) => void; run: () => Promise<void> };

export function createStops(): Stops {
  const stops: (() => Promise<void> | void)[] = [];
  return {
    add: (stop) => void stops.push(stop),
    async run() {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    },
  };
}
