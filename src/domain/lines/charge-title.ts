import { filterText, type Aggregation, type Charge, type Filters } from '../pricing/charge.ts';
import { groupedBy } from '../money/grouped.ts';
import { isolated } from '../money/isolated.ts';
import { isMetered, type PricingModel } from '../pricing/definitions.ts';
import { ALL, propertiesOf, type LinePrice, type RatedCharge } from '../pricing/series.ts';

/**
 * A charge with its title on invoices, which differs from the title of every other metered charge of the plan, and of
 * its other prices and groups.
 */
export type TitledCharge = RatedCharge & { title: string };

/** The members of a charge from which its title is made. */
type NamedCharge = Omit<RatedCharge, 'pricing'> & { pricing: { pricing_model: PricingModel } };

type Reading = Exclude<Aggregation['type'], 'count'>;

const OF_PROPERTY: Record<Reading, string> = {
  sum: 'sum of',
  max: 'highest',
  unique: 'different values of',
  latest: 'last',
};

/** The word beside the quantity of a charge with a name; a sum needs none. */
const OF_NAMED: Record<Aggregation['type'], string> = {
  count: '',
  sum: '',
  max: ' (highest)',
  unique: ' (each counted once)',
  latest: ' (last)',
};

const PROPERTIES_MAX = 3;
const VALUES_MAX = 3;
const CHARACTERS_MAX = 40;

/**
 * The charges of a plan with their titles: the charge's name, else its event name in readable form. Where two charges
 * would read alike, the titles add what differs, filters first: "Request (model large)". A price and a group are named
 * as well.
 */
export function withTitles<Of extends NamedCharge>(charges: readonly Of[]): (Of & { title: string })[] {
  const labeled = charges.map((charge) => {
    const label = labelOf(charge);
    return { charge, label, text: `${label}${countedWords(charge, '0')}` };
  });
  const alike = groupedBy(
    labeled.filter(({ charge }) => isMetered(charge.pricing)),
    ({ text }) => text,
  );
  const differing = new Map(
    [...alike].map(([text, group]) => [text, differencesOf(group.map(({ charge }) => charge))]),
  );
  return labeled.map(({ charge, label, text }) => {
    if (!isMetered(charge.pricing)) return { ...charge, title: label };
    const parts = [...differences(charge, differing.get(text)!), ...seriesWords(charge)];
    return { ...charge, title: parts.length === 0 ? label : `${label} (${parts.join('; ')})` };
  });
}

/** A charge as the API shows it: the prices of its list, if it has one, beside its other members. */
type ShownCharge = Omit<Charge, 'pricing'> & {
  pricing_model: PricingModel;
  prices: readonly { match: Filters | null }[] | null;
};

/** The charges of a plan, each as a whole, with the titles that invoices give them. */
export function withWholeTitles<Of extends ShownCharge>(
  charges: readonly Of[],
): { charge: Of; title: string }[] {
  const named = charges.map((charge) => ({ ...charge, charge, pricing: charge, price: null, series: ALL }));
  return withTitles(named).map(({ charge, title }) => ({ charge, title }));
}

/** The prices of a plan in the order of its charges and their lists, with the titles of their lines on invoices. */
export function withPriceTitles<Of extends ShownCharge>(
  charges: readonly Of[],
): { charge: Of; price_index: number | null; title: string }[] {
  const named = charges.flatMap((charge) => {
    const places: (number | null)[] = charge.prices?.map((_, place) => place) ?? [null];
    const all = { ...charge, charge, pricing: charge, series: ALL };
    return places.map((price_index) => ({ ...all, price: linePriceOf(charge, price_index), price_index }));
  });
  return withTitles(named).map(({ charge, price_index, title }) => ({ charge, price_index, title }));
}

function linePriceOf({ prices }: ShownCharge, price_index: number | null): LinePrice | null {
  if (prices === null) return null;
  return { match: prices[price_index ?? -1]?.match ?? null, properties: propertiesOf(prices) };
}

/** The name of events that no charge with a name of its own counts: "Api call" for api_call. */
export function titleOfEvents(event_name: string): string {
  return capitalized(isolated(readable(event_name)));
}

/**
 * The words after a quantity: " events", " minutes", " (highest seats)". Names the property only if the charge has no
 * name.
 */
export function countedWords({ aggregation, name, unit_name }: Counted, quantity: string): string {
  if (unit_name !== null) return ` ${isolated(unit_name)}${OF_NAMED[aggregation.type]}`;
  if (aggregation.type === 'count') return quantity === '1' ? ' event' : ' events';
  if (name !== null) return OF_NAMED[aggregation.type];
  return ` (${readingOf(aggregation)})`;
}

type Counted = Pick<Charge, 'aggregation' | 'name' | 'unit_name'>;

function labelOf({ name, event_name, pricing }: NamedCharge): string {
  if (name !== null) return isolated(name);
  return isMetered(pricing) ? titleOfEvents(event_name) : `Fixed fee for ${isolated(readable(event_name))}`;
}

/**
 * Differences of charges that read alike. Two prices or groups of a charge are equal in all of it: their own words tell
 * them apart.
 */
type Differences = { event_name: boolean; reading: boolean; filters: boolean };

function differencesOf(alike: readonly NamedCharge[]): Differences {
  const differ = (wordsOf: (charge: NamedCharge) => string) => new Set(alike.map(wordsOf)).size > 1;
  return {
    event_name: differ(({ event_name }) => event_name),
    reading: differ(({ aggregation }) => readingOf(aggregation)),
    filters: differ(({ filters }) => filterWords(filters)),
  };
}

function differences(charge: NamedCharge, differ: Differences): string[] {
  const { name, event_name, aggregation, filters } = charge;
  const parts: string[] = [];
  if (differ.event_name) parts.push(clipped(name === null ? event_name : readable(event_name)));
  if (differ.reading) parts.push(readingOf(aggregation));
  if (differ.filters && filters !== null) parts.push(filterWords(filters));
  return parts;
}

/**
 * The words of the series of a charge: "model large", "other model" for the default price, "other values of model" for
 * the groups without a line.
 */
function seriesWords({ price, group_by, series }: NamedCharge): string[] {
  const { group, others } = series;
  const is_clear_by_group = price?.properties.every((name) => group?.[name] !== undefined) ?? true;
  return [
    ...(price === null || is_clear_by_group ? [] : [priceWords(price)]),
    ...(group === null ? [] : (group_by ?? [])).map((name) => groupWords(name, group?.[name] ?? null)),
    ...(others ? [`other values of ${namesOf(group_by ?? [])}`] : []),
  ];
}

function groupWords(property: string, value: string | null): string {
  const name = clipped(readable(property));
  return value === null ? `no ${name}` : `${name} ${clipped(value)}`;
}

function priceWords({ match, properties }: LinePrice): string {
  return match === null ? `other ${namesOf(properties)}`.trimEnd() : filterWords(match);
}

function namesOf(properties: readonly string[]): string {
  return withMore(
    properties.map((name) => clipped(readable(name))),
    PROPERTIES_MAX,
    ' and ',
  );
}

function readingOf(aggregation: Aggregation): string {
  if (aggregation.type === 'count') return 'events';
  return `${OF_PROPERTY[aggregation.type]} ${clipped(readable(aggregation.property))}`;
}

/** "model large; region eu or us". */
function filterWords(filters: Filters | null): string {
  const conditions = Object.entries(filters ?? {}).map(
    ([property, values]) =>
      `${clipped(readable(property))} ${withMore(values.map(filterText).map(clipped), VALUES_MAX, ' or ')}`,
  );
  return withMore(conditions, PROPERTIES_MAX, '; ');
}

/** The first `max` texts, and the number of the others. */
function withMore(texts: readonly string[], max: number, between: string): string {
  const first_texts = texts.slice(0, max).join(between);
  return texts.length <= max ? first_texts : `${first_texts}${between}${texts.length - max} more`;
}

/** A code split into words: "api_call", "apiCall" and "API call" are "api call", "api call" and "API call". */
export function readable(code: string): string {
  const words = code
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[\s_\-.:/]+/u)
    .filter((word) => word !== '')
    .map((word) => (/^\p{Lu}\p{Ll}+$/u.test(word) ? word.toLowerCase() : word));
  return words.length === 0 ? code : words.join(' ');
}

function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

function clipped(text: string): string {
  const characters = [...text];
  return isolated(
    characters.length <= CHARACTERS_MAX ? text : `${characters.slice(0, CHARACTERS_MAX - 1).join('')}…`,
  );
}
