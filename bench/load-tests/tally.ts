import { createHistogram, type Histogram } from './histogram.ts';

/** What became of a load, request by request. */
export type Tally = {
  /** Requests that were due, sent or not. */
  offered: number;
  /** Due while every connection was waiting for an answer: a client that is refused before it is connected. */
  unsent: number;
  accepted: number;
  refused: number;
  /** Refusals that do not say how long to wait. */
  refused_without_time: number;
  /** What was neither, by how it begins. */
  failed: Map<string, number>;
  /** Of accepted requests, from when they were due to the answer. */
  durations: Histogram;
};

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

/** `fault` is null for a 2xx, otherwise how the answer begins. */
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

export function retryAfterSeconds(fault: string): number | null {
  const seconds = /\r\nretry-after: *(\d+)/i.exec(fault)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

export function failuresOf({ failed }: Tally): string {
  return failed.size === 0 ? 'none' : [...failed].map(([begin, times]) => `${times} x ${begin}`).join('; ');
}
