/** Whether a database responds, over all connections of this process to it. */
export type Pulse = {
  /** Call it with each request for a connection. */
  asked: () => void;
  answered: () => void;
  /** True if nothing was answered within five seconds of a request. */
  isSilent: () => boolean;
};

/** Slightly below the connection timeout of five seconds: a request that runs into that timeout asks isSilent next. */
const SILENT_MS = 4950;

/** By database URL; a process uses one database, a test many. */
const pulses = new Map<string, Pulse>();

/** The pulse of a database, one per process and URL. */
export function pulseOf(database_url: string): Pulse {
  let pulse = pulses.get(database_url);
  if (pulse === undefined) pulses.set(database_url, (pulse = newPulse()));
  return pulse;
}

function newPulse(): Pulse {
  /** When the first request since the last response was made; by performance.now(). */
  let asked_at: number | null = null;
  return {
    asked: () => void (asked_at ??= performance.now()),
    answered: () => void (asked_at = null),
    isSilent: () => asked_at !== null && performance.now() - asked_at >= SILENT_MS,
  };
}
