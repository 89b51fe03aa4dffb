type Stop = () => void | Promise<void>;

const stops: Stop[] = [];
let stopping: Promise<void> | null = null;

/** Runs `stop` once the last test is over, or mocha is interrupted; what was asked for last is stopped first. */
export function atEnd(stop: Stop): void {
  stops.push(stop);
}

/** Stops everything, once, whoever asks first. */
export function stopEverything(): Promise<void> {
  return (stopping ??= stopInTurn());
}

async function stopInTurn(): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
}
