import { invalid } from '../money/errors.ts';

/**
 * The number `after` which a reader begins. Throws invalid_request if it is beyond the newest, or before the oldest
 * that is kept (contract.md 10).
 */
export function checkedAfter(
  after: number,
  { oldest_sequence, newest_sequence }: { oldest_sequence: number; newest_sequence: number },
): number {
  if (after > newest_sequence) {
    const message = `after must not be above ${newest_sequence}, the newest sequence`;
    throw invalid('after', 'out_of_range', message);
  }
  if (after < oldest_sequence - 1) {
    const message = `after must be ${oldest_sequence - 1} or above: changes up to it are no longer kept; read the lists again`;
    throw invalid('after', 'too_old', message);
  }
  return after;
}
