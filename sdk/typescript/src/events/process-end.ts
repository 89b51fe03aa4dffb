/** The part of a client with events at the end of the process. */
export type Ending = {
  /** Sends the events; called when the process has nothing else to do. */
  finish: () => void;
  /** Drops the events at once, and returns their number; called when the process ends without waiting. */
  drop: () => number;
};

const endings = new Set<Ending>();

function finishAll(): void {
  for (const { finish } of endings) finish();
}

function dropAll(): void {
  let count = 0;
  for (const { drop } of endings) count += drop();
  // In this event Node waits for nothing, and a line to stderr is written at once.
  if (count > 0)
    process.stderr.write(
      `Tidemark: events dropped, because the process ended before they were stored: ${count}\n`,
    );
}

/** Calls `ending` at the end of the process, until the returned function is called. All clients share two listeners. */
export function atProcessEnd(ending: Ending): () => void {
  if (endings.size === 0) {
    process.on('beforeExit', finishAll);
    process.on('exit', dropAll);
  }
  endings.add(ending);
  return () => {
    endings.delete(ending);
    if (endings.size > 0) return;
    process.off('beforeExit', finishAll);
    process.off('exit', dropAll);
  };
}
