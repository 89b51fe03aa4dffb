/** Durations in buckets that grow by two percent: memory does not grow with the length of a load. */
export type Histogram = {
  add: (ms: number) => void;
  /** The duration that this part (0 to 1) of all durations does not exceed. */
  quantile: (part: number) => number;
  /** The count and three quantiles, as text. */
  inWords: () => string;
};

const GROWTH = Math.log(1.02);
/** Lower bound of the first bucket. */
const LOWEST_MS = 0.05;

/** An empty histogram. */
export function createHistogram(): Histogram {
  const counts: number[] = [];
  let total = 0;
  const quantile = (part: number): number => {
    let passed = 0;
    for (const [bucket, count = 0] of counts.entries()) {
      passed += count;
      if (passed >= part * total) return LOWEST_MS * Math.exp((bucket + 1) * GROWTH);
    }
    return NaN;
  };
  return {
    add(ms) {
      const bucket = Math.max(0, Math.floor(Math.log(ms / LOWEST_MS) / GROWTH));
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      total++;
    },
    quantile,
    inWords() {
      if (total === 0) return 'no answers';
      const said = [0.5, 0.99, 0.999].map((part) => `p${part * 100} ${quantile(part).toFixed(1)} ms`);
      return `${total} answers, ${said.join(', ')}`;
    },
  };
}
