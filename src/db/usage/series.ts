import { allowedTexts, type Charge, type Filters } from '../../domain/pricing/charge.ts';
import { priceMasks } from '../../domain/pricing/price-mask.ts';
import { isPriceList } from '../../domain/pricing/price-list.ts';
import { isDivided, type Series } from '../../domain/pricing/series.ts';
import type { Parameter } from '../connection/parameters.ts';

// What a charge bills of an event, in SQL: its filters, its prices and its groups (billing.md 2 and 3). The invariants
// keep a copy, the functions of the database (docs/schema.sql), because they check what is decided here.

/**
 * SQL of a property's value: its text, null for none; and whether the text in a column is too long for a group
 * (billing.md 3).
 */
type Source = { text: (property: string) => string; isLong: (property: string, column: string) => string };

/** The event `e`. */
export const OF_EVENT: Source = { text: textOf, isLong: (_, column) => `length(${column}) > 255` };

/** A row of `cell`, whose value is null for none, and false for a text that is too long. */
export const OF_CELL: Source = {
  text: (property) => {
    const value = `(cell."values" -> ${property})`;
    return `case when jsonb_typeof(${value}) = 'string' then ${value} #>> '{}' end`;
  },
  isLong: (property) => `cell."values" -> ${property} = 'false'::jsonb`,
};

/**
 * SQL: the text of a property of the event `e`, which comparisons use; null for null, objects and arrays (billing.md
 * 2).
 */
export function textOf(property: string): string {
  return `case when jsonb_typeof(e.properties -> ${property}) in ('string', 'number', 'boolean')
    then e.properties ->> ${property} end`;
}

/**
 * SQL: true for an event or a cell that passes a charge's filters. Without the function event_matches, which reads the
 * filters for each event, and costs more than all the rest.
 */
export function passes(filters: Filters | null, source: Source, parameter: Parameter): string {
  const conditions = [...allowedTexts(filters)].map(([property, texts]) => {
    const text = source.text(`${parameter(property)}::text`);
    return `coalesce(${text} = any(${parameter([...texts])}::text[]), false)`;
  });
  return ['true', ...conditions].join(' and ');
}

/**
 * SQL: columns `price_index`, `others`, `value_0` and `value_1` of an event or a cell, whatever the number of groups.
 * The place is -1 if no price is for it, null if the charge has no list of prices. The values are those of the
 * properties that the charge groups by, null for none. `others` is true for a text that is too long for a group.
 * `offset 0` keeps each value from being read again wherever it is used.
 */
export function seriesColumns(charge: DividedCharge, source: Source, parameter: Parameter): string {
  const masks = priceMasks(charge.pricing);
  const group_by = charge.group_by ?? [];
  const properties = [...new Set([...masks.map(({ property }) => property), ...group_by])];
  const names = properties.map((property) => `${parameter(property)}::text`);
  const columns = names.map((name, place) => `${source.text(name)} as text_${place}`);
  const columnOf = (property: string) => `v.text_${properties.indexOf(property)}`;
  const allowed = masks.map(({ property, masks: texts, places }) => {
    const place = `(${parameter(JSON.stringify(places))}::jsonb ->> ${columnOf(property)})::integer`;
    return `(${parameter(texts)}::varbit[])[1 + coalesce(${place}, 0)]`;
  });
  const price = allowed.length === 0 ? '0' : `position(B'1' in (${allowed.join(' & ')})) - 1`;
  const are_long = group_by.map((property) =>
    source.isLong(names[properties.indexOf(property)]!, columnOf(property)),
  );
  return `
    select ${isPriceList(charge.pricing) ? price : 'null::integer'} as price_index,
      ${['false', ...are_long.map((is_long) => `coalesce(${is_long}, false)`)].join(' or ')} as others,
      ${[0, 1]
        .map((place) => {
          const value = place < group_by.length ? columnOf(group_by[place]!) : 'null::text';
          return `${value} collate "C" as value_${place}`;
        })
        .join(', ')}
    from (select ${columns.length === 0 ? 'null' : columns.join(', ')} offset 0) as v offset 0`;
}

/** SQL: true if some price of the charge is for the event `e`; without a list of prices, the charge has one for all. */
export function hasPrice({ pricing }: Pick<Charge, 'pricing'>, parameter: Parameter): string {
  if (!isPriceList(pricing)) return 'true';
  const columns = seriesColumns({ pricing, group_by: null }, OF_EVENT, parameter);
  return `exists (select 1 from (${columns}) as s where s.price_index <> -1)`;
}

type DividedCharge = Pick<Charge, 'pricing' | 'group_by'>;

/**
 * SQL: a text that is equal for equal series that are not `others`, of the columns of seriesColumns. Of immutable
 * functions alone, which a cluster asks for, so not the text of an array.
 */
export const SERIES_KEY = `coalesce(price_index::text, '')
  || coalesce(' ' || length(value_0)::text || ' ' || value_0, ' -') || coalesce(' ' || value_1, '')`;

/** The SERIES_KEY of a series. */
export function keyOf({ price_index, group }: Series, { group_by }: Pick<DividedCharge, 'group_by'>): string {
  const [value_0 = null, value_1 = null] = (group_by ?? []).map((name) => group?.[name] ?? null);
  // PostgreSQL counts code points.
  const first = value_0 === null ? '-' : `${[...value_0].length} ${value_0}`;
  return `${price_index ?? ''} ${first}${value_1 === null ? '' : ` ${value_1}`}`;
}

/** A series of a charge, and the groups with lines of their own beside it. */
export type BilledSeries = DividedCharge & { series: Series; own: readonly Series[] };

/** SQL: true if the event `e`, which passes the filters, is of the series. */
export function isOfSeries({ series, own, ...charge }: BilledSeries, parameter: Parameter): string {
  if (!isDivided(charge)) return 'true';
  const isIn = (groups: readonly Series[]) =>
    `not others and (${SERIES_KEY}) = any(${parameter(groups.map((group) => keyOf(group, charge)))}::text[])`;
  const condition = series.others
    ? `price_index is not distinct from ${parameter(series.price_index)}::integer and not (${isIn(own)})`
    : isIn([series]);
  return `exists (select 1 from (${seriesColumns(charge, OF_EVENT, parameter)}) as s where ${condition})`;
}

/**
 * SQL for statements in which charges are rows, so that filters and prices are no parameters: what the charge `h` bills
 * of the event `e`, by the functions of the database.
 */
export const OF_ROW = {
  passes: `(h.filters is null or event_matches(e.properties, h.filters))`,
  has_price: `(not h.pricing ? 'prices' or event_price(e.properties, h.pricing -> 'prices') <> -1)`,
  /** True if the event has the price and the group of a line; `own` are the groups with lines of their own. */
  isOfLine: ({ series, own }: { series: string; own: string }) => `
    case when h.pricing ? 'prices' or h.group_by is not null
      then event_in_series(e.properties, h.pricing, h.group_by, ${series}, ${own}) else true end`,
  /** The groups with lines of their own beside the line `l`; null for a line that does not ask for them. */
  own_groups: `
    case when (l.series ->> 'others')::boolean then (
      select jsonb_agg(g.series) from line_groups g
      where g.environment_id = l.environment_id and g.subscription_id = l.subscription_id
        and g.charge_id = l.charge_id and g.full_period_start = l.full_period_start) end`,
};
