import type { Kind } from './unit.ts';

/** A slice of a check is to take about this long, so that it holds back neither vacuum nor the rollup. */
const SLICE_MS = 400;

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

/** Sizes that grow and shrink with the time that slices take. */
export function createSizes(): Sizes {
  const sizes = new Map<Kind, number>();
  const of = (kind: Kind) => sizes.get(kind) ?? FIRST[kind] ?? FIRST_OF_OTHERS;
  return {
    of,
    learn: (kind, units, took_ms) => {
      const estimate = Math.floor(units * Math.min(2, SLICE_MS / Math.max(took_ms, 1)));
      // The last units of a kind are few, which says nothing against more.
      const size = took_ms > SLICE_MS ? estimate : Math.max(estimate, of(kind));
      sizes.set(kind, Math.min(Math.max(1, size), MOST));
    },
  };
}
