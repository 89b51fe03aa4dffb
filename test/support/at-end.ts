type Stop = () => void | Promise<void>;

const stops: Stop[] = [];
let stopping: Promise<void> | null = null;

/** Runs `stop` after the last test or when mocha is interrupted; in reverse order of registration. */
export function atEnd(stop: Stop): void {
  stops.push(stop);
}

/** Runs all stops once; later calls wait for the same run. */
export function stopEverything(): Promise<void> {
  return (stopping ??= stopInTurn());
}

async function stopInTurn(): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
}
