import { invalid } from '../../src/domain/errors.ts';

const DAY_MS = 86_400_000;

/** Refuses a range that runs backwards, or one that is longer than what one answer may cost. */
export function checkRange({ from, to }: { from: string; to: string }, days_max = Infinity): void {
  if (from > to) throw invalid('from', 'out_of_order', 'from must not be after to');
  if (Date.parse(to) - Date.parse(from) > days_max * DAY_MS)
    throw invalid('to', 'out_of_range', `to must be at most ${days_max} days after from`);
}
