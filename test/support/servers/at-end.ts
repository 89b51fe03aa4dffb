type Stop = () => void | Promise<void>;

const stops: Stop[] = [];
let stopping: Promise<void> | null = null;

/** Runs `stop` after the last test of the process, or of the file in a run of several processes; or when mocha is interrupted. In reverse order. */
export function atEnd(stop: Stop): void {
  stops.push(stop);
}

/** Runs all stops once; calls meanwhile wait for the same run. */
export function stopEverything(): Promise<void> {
  return (stopping ??= stopInTurn().finally(() => void (stopping = null)));
}

async function stopInTurn(): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
}
