import { createHistogram, type Histogram } from './histogram.ts';

/** Outcomes of a load, by request. */
export type Tally = {
  /** Requests that were due, sent or not. */
  offered: number;
  /** Due while every connection was waiting for a response: like a client whose connection is refused. */
  unsent: number;
  accepted: number;
  refused: number;
  /** Refusals without Retry-After. */
  refused_without_time: number;
  /** Other responses and errors, by their first line. */
  failed: Map<string, number>;
  /** Durations of accepted requests, from the due time to the response. */
  durations: Histogram;
};

/** An empty tally. */
export function createTally(): Tally {
  return {
    offered: 0,
    unsent: 0,
    accepted: 0,
    refused: 0,
    refused_without_time: 0,
    failed: new Map(),
    durations: createHistogram(),
  };
}

/** Counts one response; `fault` is null for a 2xx, otherwise the start of the response. */
export function count(tally: Tally, fault: string | null, waited_ms: number): void {
  if (fault === null) {
    tally.accepted++;
    tally.durations.add(waited_ms);
  } else if (fault.startsWith('429')) {
    tally.refused++;
    if (retryAfterSeconds(fault) === null) tally.refused_without_time++;
  } else {
    const begin = fault.split('\r\n', 1)[0]!;
    tally.failed.set(begin, (tally.failed.get(begin) ?? 0) + 1);
  }
}

/** Seconds of the Retry-After header in a response's start; null without one. */
export function retryAfterSeconds(fault: string): number | null {
  const seconds = /\r\nretry-after: *(\d+)/i.exec(fault)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** The failures as text, each with its count. */
export function failuresOf({ failed }: Tally): string {
  return failed.size === 0 ? 'none' : [...failed].map(([begin, times]) => `${times} x ${begin}`).join('; ');
}
