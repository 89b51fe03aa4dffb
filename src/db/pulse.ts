/** Whether a database answers, by what all connections of this process to it hear. */
export type Pulse = {
  /** Somebody wants something of it. */
  asked: () => void;
  answered: () => void;
  /** It was asked, and has answered nothing for five seconds. */
  isSilent: () => boolean;
};

/** A little less than five seconds, after which who waits for a connection gives up and wants to know. */
const SILENT_MS = 4950;

/** By address; a process knows one database, a test many. */
const pulses = new Map<string, Pulse>();

export function pulseOf(database_url: string): Pulse {
  let pulse = pulses.get(database_url);
  if (pulse === undefined) pulses.set(database_url, (pulse = newPulse()));
  return pulse;
}

function newPulse(): Pulse {
  /** When the first of the questions came that nothing was answered since; by the clock of performance.now(). */
  let asked_at: number | null = null;
  return {
    asked: () => void (asked_at ??= performance.now()),
    answered: () => void (asked_at = null),
    isSilent: () => asked_at !== null && performance.now() - asked_at >= SILENT_MS,
  };
}
