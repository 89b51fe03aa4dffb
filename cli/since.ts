import { InvalidArgumentError } from 'commander';
import { CHANGES_KEPT_DAYS } from '../src/db/changes/retention.ts';

const MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as 30m, 1h or 2d in milliseconds. */
export function parseSince(text: string): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * MS[unit as keyof typeof MS];
  if (!(ms > 0)) throw new InvalidArgumentError('It must be a number with m, h or d, such as 1h.');
  if (ms > CHANGES_KEPT_DAYS * MS.d)
    throw new InvalidArgumentError(
      `Changes are kept for ${CHANGES_KEPT_DAYS} days; without --since, everything is checked.`,
    );
  return ms;
}
