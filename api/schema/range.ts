import { invalid } from '../../src/domain/money/errors.ts';

const DAY_MS = 86_400_000;

type Range = { from: string; to: string };

/**
 * Throws invalid_request if `from` is after `to`, or if the range is longer than `days_max` days, the limit for one
 * response.
 */
export function checkRange({ from, to }: Range, days_max = Infinity): void {
  checkOrder({ from, to });
  if (Date.parse(to) - Date.parse(from) > days_max * DAY_MS)
    throw invalid('to', 'out_of_range', `to must be at most ${days_max} days after from`);
}

/** Refuses a range that runs backwards; `prefix` is what its two parameters have before `from` and `to`. */
export function checkOrder(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  prefix = '',
): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid(`${prefix}from`, 'out_of_order', `${prefix}from must not be after ${prefix}to`);
}

/** Refuses a month beside a bound of the range that it stands for. */
export function checkAlone(
  query: Readonly<Record<string, unknown>>,
  month: string,
  bounds: readonly string[],
): void {
  const beside = bounds.find((bound) => query[bound] !== undefined);
  if (query[month] !== undefined && beside !== undefined)
    throw invalid(month, 'not_allowed', `${month} is not allowed beside ${beside}`);
}
