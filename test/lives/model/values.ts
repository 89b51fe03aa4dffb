import type { Filters } from '../../../src/domain/pricing/charge.ts';
import type { StoredEvent } from './world.ts';

/** Whether each property has one of the values, as text. */
export function matches(wanted: Filters, properties: StoredEvent['properties']): boolean {
  return Object.entries(wanted).every(([property, values]) => {
    const text = textOf(properties[property]);
    return text !== null && values.some((value) => textOf(value) === text);
  });
}

/** A double as text without an exponent. */
export function written(value: number): string {
  const [, sign = '', whole, fraction = '', exponent] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(`${value}`) ?? [];
  if (whole === undefined) return `${value}`;
  const digits = whole + fraction;
  const places = fraction.length - Number(exponent);
  if (places <= 0) return sign + digits + '0'.repeat(-places);
  const padded = digits.padStart(places + 1, '0');
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

/** The text that unique and filters compare; null for a value that is left out. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return written(value);
  return typeof value === 'string' || typeof value === 'boolean' ? `${value}` : null;
}
