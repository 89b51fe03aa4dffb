type Settings = Readonly<Record<string, string | undefined>>;

/** A whole number within limits; `fallback` where it is not set. Throws an Error, one sentence, for another text. */
export function integerOf(
  settings: Settings,
  name: string,
  { fallback, low, high }: { fallback: number; low: number; high: number },
): number {
  const value = settings[name];
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < low || number > high) {
    throw new Error(`${name} must be a whole number from ${low} to ${high}, not "${value}"`);
  }
  return number;
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a time such as 2h, for GRACE_PERIOD. Throws an Error, one sentence, for another text. */
export function durationOf(value: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(value);
  if (match === null) throw new Error(`GRACE_PERIOD must be a number with s, m, h or d, not "${value}"`);
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** A level of LOG_LEVEL. Throws an Error, one sentence, for another text. */
export function logLevelOf(value: string): LogLevel {
  const level = LOG_LEVELS.find((name) => name === value);
  if (level === undefined)
    throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${value}"`);
  return level;
}
