import {
  equals,
  isLess,
  NOTHING,
  rational,
  rounded,
  total,
  type Rational,
} from '../../support/oracles/price-oracle.ts';
import { isOfPart } from './series.ts';
import { matches, textOf, written } from './values.ts';
import type { Charge, StoredEvent } from './world.ts';

/** Whether the charge matches this event by name, filters, price and group, whether or not its property is usable. */
export function wants(charge: Charge, event: StoredEvent): boolean {
  const { event_name, filters, part } = charge;
  if (event.event_name !== event_name || !matches(filters ?? {}, event.properties)) return false;
  return part === undefined || isOfPart(charge, event);
}

/** Quantity by billing.md 2, of events that match the charge, in storing order. */
export function aggregate({ aggregation }: Charge, events: readonly StoredEvent[]): Rational {
  if (aggregation.type === 'count') return whole(events.length);
  const { type, property } = aggregation;
  if (type === 'unique')
    return whole(new Set(events.flatMap(({ properties }) => textOf(properties[property]) ?? [])).size);
  const usable = events.flatMap(({ properties, timestamp }) => {
    const value = numberOf(properties[property]);
    return value === null ? [] : [{ value, timestamp }];
  });
  switch (type) {
    case 'sum':
      return notBelowZero(total(usable.map(({ value }) => value)));
    case 'max':
      return usable.reduce((most, { value }) => (isLess(most, value) ? value : most), NOTHING);
    case 'latest': {
      // The sort is stable, so equal timestamps keep the order of storing.
      const last = usable.toSorted((a, b) =>
        a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp),
      );
      return notBelowZero(last.at(-1)?.value ?? NOTHING);
    }
  }
}

/** How many of the matching events have no usable property. */
export function countSkipped({ aggregation }: Charge, events: readonly StoredEvent[]): number {
  if (aggregation.type === 'count') return 0;
  const { type, property } = aggregation;
  const read = type === 'unique' ? textOf : numberOf;
  return events.filter(({ properties }) => read(properties[property]) === null).length;
}

function whole(count: number): Rational {
  return { n: BigInt(count), d: 1n };
}

/** The value, or zero if it is negative. */
export function notBelowZero(value: Rational): Rational {
  return isLess(value, NOTHING) ? NOTHING : value;
}

/** The smallest of the values. */
export function least(...values: [Rational, ...Rational[]]): Rational {
  return values.reduce((a, b) => (isLess(b, a) ? b : a));
}

/** A JSON number or a decimal string, of at most 100 characters, 40 significant digits and 30 places; null for any other value. */
function numberOf(value: unknown): Rational | null {
  const text = typeof value === 'number' ? written(value) : value;
  if (typeof text !== 'string' || text.length > 100) return null;
  const [, whole, places = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + places).replaceAll(/^0+|0+$/g, '');
  return digits.length <= 40 && places.replace(/0+$/, '').length <= 30 ? rational(text) : null;
}

/** The canonical decimal of a value with finitely many decimals. */
export function decimalText(value: Rational): string {
  let digits = 0;
  while (!equals(rational(rounded(value, digits)), value)) digits++;
  return rounded(value, digits);
}
