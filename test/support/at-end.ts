type Stop = () => void | Promise<void>;

const stops: Stop[] = [];

/** Runs `stop` once the last test is over, or mocha is interrupted; what was asked for last is stopped first. */
export function atEnd(stop: Stop): void {
  stops.push(stop);
}

export async function stopEverything(): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
}
