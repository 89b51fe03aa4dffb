import type { Kind } from './unit.ts';

/** A slice of a check is to take about this long, so that it holds back neither vacuum nor the rollup. */
const SLICE_MS = 400;

/** The longest start of a slice, so that units which take seconds each do not count as one. */
const START_MOST_MS = 1000;

/** Numbers of units that took about SLICE_MS, by kind. */
export type Sizes = {
  of: (kind: Kind) => number;
  learn: (kind: Kind, units: number, took_ms: number) => void;
};

/** First sizes of kinds whose units have no bound of cost in their rows, so that a check begins with fewer. */
const FIRST: { readonly [kind in Kind]?: number } = {
  full_period: 5,
  event_day: 1,
  closed_month: 1,
  table_blocks: 4,
  numbers: 2,
};
const FIRST_OF_OTHERS = 50;
/** Most of what a small slice takes is the planning of its statements. */
const MOST = 1000;

type Took = { units: number; ms: number };

/**
 * Sizes that grow and shrink with the time that the units of slices take. The start of a slice, its planning and on a
 * cluster an answer of each node for each statement, does not count: fewer units do not shorten it.
 */
export function createSizes(): Sizes {
  const sizes = new Map<Kind, number>();
  const smallest = new Map<Kind, Took>();
  const starts_ms = new Map<Kind, number>();
  const of = (kind: Kind) => sizes.get(kind) ?? FIRST[kind] ?? FIRST_OF_OTHERS;

  function learnStart(kind: Kind, took: Took): number {
    const least = smallest.get(kind) ?? took;
    if (took.units <= least.units) smallest.set(kind, took);
    const start_ms = startOf(least, took) ?? starts_ms.get(kind) ?? 0;
    starts_ms.set(kind, start_ms);
    return start_ms;
  }

  return {
    of,
    learn: (kind, units, took_ms) => {
      const of_units_ms = took_ms - learnStart(kind, { units, ms: took_ms });
      const estimate = Math.floor(units * Math.min(2, SLICE_MS / Math.max(of_units_ms, 1)));
      // The last units of a kind are few, which says nothing against more.
      const size = of_units_ms > SLICE_MS ? estimate : Math.max(estimate, of(kind));
      sizes.set(kind, Math.min(Math.max(1, size), MOST));
    },
  };
}

/** The time of no unit, by the line through two slices; null if they are of one size. */
function startOf(one: Took, other: Took): number | null {
  if (one.units === other.units) return null;
  const unit_ms = (other.ms - one.ms) / (other.units - one.units);
  return Math.min(Math.max(0, one.ms - one.units * unit_ms), START_MOST_MS);
}
