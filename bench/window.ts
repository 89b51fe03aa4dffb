/** The measured part of a load: from the first response after the warm-up, which itself is not counted, to `close`. */
export type Window = {
  /** Records a response to a request of `events` events; `sent_at` is a time of performance.now(). */
  answered: (events: number, sent_at: number) => void;
  close: () => WindowResult;
};

export type WindowResult = {
  /** Rate between the first and the last response. */
  events_per_second: number;
  /** Time from the request's first byte to the response's last. */
  p50_ms: number;
  p99_ms: number;
  /** Growth of the meter per event. */
  metered_per_event: number;
};

/** Reads the meter when the window opens and when it closes. */
export function createWindow(from: number, meter: () => number): Window {
  const durations: number[] = [];
  let opened: { at: number; metered: number } | null = null;
  let last_at = 0;
  let counted = 0;
  return {
    answered(events, sent_at) {
      const now = performance.now();
      if (now < from) return;
      last_at = now;
      if (opened === null) {
        opened = { at: now, metered: meter() };
      } else {
        counted += events;
        durations.push(now - sent_at);
      }
    },
    close() {
      if (opened === null || counted === 0)
        throw new Error('nothing was answered in the time of the measure');
      durations.sort((a, b) => a - b);
      const quantile = (part: number) => durations[Math.ceil(durations.length * part) - 1]!;
      return {
        events_per_second: (counted * 1000) / (last_at - opened.at),
        p50_ms: quantile(0.5),
        p99_ms: quantile(0.99),
        metered_per_event: (meter() - opened.metered) / counted,
      };
    },
  };
}
