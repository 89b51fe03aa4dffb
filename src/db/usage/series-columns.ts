import type { Charge } from '../../domain/charge.ts';
import { defaultPlace, priceMasks, type PropertyMasks } from '../../domain/price-mask.ts';
import { isPriceList } from '../../domain/pricing/price-list.ts';
import type { Parameter } from '../connection/parameters.ts';
import { cellText } from './cells.ts';
import { textOf } from './usage.ts';

/** SQL of a property's value: its text, null for none; and whether the text in a column is too long for a group (dimension_value). */
type Source = { text: (property: string) => string; isLong: (property: string, column: string) => string };

/** The event `e`. */
export const OF_EVENT: Source = { text: textOf, isLong: (_, column) => `length(${column}) > 255` };

/** A row of `cell`, whose text is null if it is too long. */
export const OF_CELL: Source = {
  text: (property) => cellText(`(cell."values" -> ${property})`),
  isLong: (property) => `cell."values" -> ${property} = 'false'::jsonb`,
};

/**
 * SQL: columns `price_index`, `others`, `value_0` and `value_1` of an event or a cell, whatever the number of groups. The place is -1 if no
 * price is for it, null if the charge has no list of prices. The values are those of the properties that the charge groups by, null for none.
 * `others` is true for a text that is too long for a group. `offset 0` keeps each value from being read again wherever it is used.
 */
export function seriesColumns(charge: Charge, source: Source, parameter: Parameter): string {
  const masks = priceMasks(charge.pricing);
  const group_by = charge.group_by ?? [];
  const properties = [...new Set([...masks.map(({ property }) => property), ...group_by])];
  const names = properties.map((property) => `${parameter(property)}::text`);
  const columnOf = (property: string) => `v.text_${properties.indexOf(property)}`;
  const are_long = group_by.map((property) =>
    source.isLong(names[properties.indexOf(property)]!, columnOf(property)),
  );
  return `
    select ${placeOfPrice(charge, masks, { columnOf, parameter })} as price_index,
      ${['false', ...are_long.map((is_long) => `coalesce(${is_long}, false)`)].join(' or ')} as others,
      ${[0, 1].map((place) => `${place < group_by.length ? columnOf(group_by[place]!) : 'null::text'} collate "C" as value_${place}`).join(', ')}
    from (select ${names.map((name, place) => `${source.text(name)} as text_${place}`).join(', ')} offset 0) as v offset 0`;
}

type Names = { columnOf: (property: string) => string; parameter: Parameter };

function placeOfPrice(
  { pricing }: Charge,
  masks: readonly PropertyMasks[],
  { columnOf, parameter }: Names,
): string {
  if (!isPriceList(pricing)) return 'null::integer';
  const of_default = `${parameter(defaultPlace(pricing))}::integer`;
  if (masks.length === 0) return of_default;
  const allowed = masks.map(({ property, masks: texts, places }) => {
    const place = `(${parameter(JSON.stringify(places))}::jsonb ->> ${columnOf(property)})::integer`;
    return `(${parameter(texts)}::varbit[])[1 + coalesce(${place}, 0)]`;
  });
  return `coalesce(nullif(position(B'1' in (${allowed.join(' & ')})), 0) - 1, ${of_default})`;
}
