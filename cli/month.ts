import { InvalidArgumentError } from 'commander';

/** An option parser for months. */
export function parseMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month such as 2026-10.');
}
