import type { Place } from './servers.ts';

/** Measures one side once, in the figure's unit. The sides of one figure start from tables in the same state. */
export type Measure = () => Promise<number>;

/**
 * One row of the table of figures. `open` starts the servers to measure and adds their stops to `place.stops`. Side results of a
 * round, such as a median beside a 99th percentile, are printed by `place.say`, above the round's line.
 */
export type Figure = FigureRow & (RatioFigure | ValueFigure);

/** Two sides measured in turn, in one run, on one machine; a round's result is ours divided by theirs. */
type RatioFigure = { kind: 'ratio'; open: (place: Place) => Promise<{ ours: Measure; theirs: Measure }> };

/** One value, such as bytes or processor time. */
type ValueFigure = { kind: 'value'; open: (place: Place) => Promise<{ ours: Measure }> };

type FigureRow = {
  /** Name in the table of figures, such as `T2`. */
  name: string;
  /** The measured quantity in words; for a ratio both sides, ours first. */
  title: string;
  unit: string;
  /** Required and desired value. If the goal is below the floor, less is better. */
  floor: number;
  goal: number;
  /** True if the result depends on the machine: `--check` then ignores the floor (decision 20). */
  for_the_record?: true;
  /** Default number of rounds; if absent, DEFAULT_ROUNDS. */
  rounds?: number;
  /** A sentence about what this machine lacks for the figure and how to get it; null if nothing. */
  lacks?: () => string | null;
};

/** Result of one round. For a value, `theirs` is null and `result` is `ours`. */
export type Round = { ours: number; theirs: number | null; result: number };

export const DEFAULT_ROUNDS = 5;

/** The middle value; for an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

export type Summary = ReturnType<typeof summaryOf>;

/** The median of the results, their range, and whether the median reaches floor and goal. */
export function summaryOf({ floor, goal }: Figure, rounds: readonly Round[]) {
  const results = rounds.map(({ result }) => result);
  const middle = median(results);
  const reaches = (limit: number) => (goal < floor ? middle <= limit : middle >= limit);
  return {
    median: middle,
    lowest: Math.min(...results),
    highest: Math.max(...results),
    reaches_floor: reaches(floor),
    reaches_goal: reaches(goal),
  };
}
