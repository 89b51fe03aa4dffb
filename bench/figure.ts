import type { Place } from './servers.ts';

/** Measures one side once, in the figure's unit. Sides of one figure start from tables in the same state. */
export type Measure = () => Promise<number>;

/**
 * One row of the table of figures. `open` starts what is measured and also gives it to `place.stops`; what else a figure sees in a
 * round, such as a median beside a 99th percentile, it says with `place.say`, above the line of the round.
 */
export type Figure = FigureRow & (RatioFigure | ValueFigure);

/** Two things measured in turn, in one run, on one machine: the result of a round is ours divided by theirs. */
type RatioFigure = { kind: 'ratio'; open: (place: Place) => Promise<{ ours: Measure; theirs: Measure }> };

/** One thing: bytes, or processor time. */
type ValueFigure = { kind: 'value'; open: (place: Place) => Promise<{ ours: Measure }> };

type FigureRow = {
  /** As the table of figures calls it: `T2`. */
  name: string;
  /** What is measured, in words; of a ratio both sides, ours first. */
  title: string;
  unit: string;
  /** What must be reached, and what to aim at. A goal below the floor means that less is better. */
  floor: number;
  goal: number;
  /** Absent where the floor must be reached. Set where the machine decides whether it is: `--check` passes over it (decision 20). */
  for_the_record?: true;
  /** Rounds where nobody asks for another number; absent is DEFAULT_ROUNDS. */
  rounds?: number;
  /** One sentence on what this machine lacks for the figure, and how to get it; null when nothing. */
  lacks?: () => string | null;
};

/** What one round gave. Of a value `theirs` is null and `result` is `ours`. */
export type Round = { ours: number; theirs: number | null; result: number };

export const DEFAULT_ROUNDS = 5;

/** The middle value; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

export type Summary = ReturnType<typeof summaryOf>;

/** The median of the results beside floor and goal, and between which results it lies. */
export function summaryOf({ floor, goal }: Figure, rounds: readonly Round[]) {
  const results = rounds.map(({ result }) => result);
  const middle = median(results);
  const reaches = (wanted: number) => (goal < floor ? middle <= wanted : middle >= wanted);
  return {
    median: middle,
    lowest: Math.min(...results),
    highest: Math.max(...results),
    reaches_floor: reaches(floor),
    reaches_goal: reaches(goal),
  };
}
