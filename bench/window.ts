/** The part of a load that is measured: from the first answer after the warm-up, which is not counted, to `close`. */
export type Window = {
  /** Notes an answer that came to a request of so many events, sent when `performance.now()` was `sent_at`. */
  answered: (events: number, sent_at: number) => void;
  close: () => WindowResult;
};

export type WindowResult = {
  /** Between the first and the last answer. */
  events_per_second: number;
  /** From the request's first byte to the answer's last. */
  p50_ms: number;
  p99_ms: number;
  /** What the meter went up by, for each event. */
  metered_per_event: number;
};

/** The meter is read when the window opens and when it closes. */
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
