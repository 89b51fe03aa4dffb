import type { Place } from './servers.ts';

/** What was measured once on each side, in the figure's unit. */
export type Sides = { ours: number; theirs: number };

/** One row of the table of figures: a ratio of two things that are measured in turn, in one run, on one machine. */
export type Figure = {
  /** As the table of figures calls it: `T2`. */
  name: string;
  /** Both sides in words, ours first. */
  title: string;
  unit: string;
  /** The ratio that must be reached, and the one to aim at. A goal below the floor means that less is better. */
  floor: number;
  goal: number;
  /** Rounds where nobody asks for another number; absent is DEFAULT_ROUNDS. */
  rounds?: number;
  /** One sentence on what this machine lacks for the figure, and how to get it; null when nothing. */
  lacks?: () => string | null;
  /** Starts what the two sides need. What it starts it also gives to `place.stops`. */
  open: (place: Place) => Promise<Opened>;
};

/** Each measures its side once, on tables in the same state. */
export type Opened = Record<keyof Sides, () => Promise<number>>;

export const DEFAULT_ROUNDS = 5;

/** The middle value; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

/** Whether a ratio is at least as good as a floor or a goal of the figure. */
export function reaches({ floor, goal }: Figure, ratio: number, wanted: number): boolean {
  return goal < floor ? ratio <= wanted : ratio >= wanted;
}
