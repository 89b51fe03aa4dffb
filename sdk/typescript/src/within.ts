/**
 * The whole number of an option. Throws a TypeError that names the option if it is of another kind or out of its range.
 */
export function within(name: string, value: number, [least, most]: readonly [number, number]): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}`);
}
