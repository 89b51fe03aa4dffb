import type { Charge } from '../../domain/pricing/charge.ts';
import { type AskedUsage } from '../../domain/usage/counting.ts';
import { setKey, type CountedUsage, type SeriesQuantity } from '../../domain/usage/counted.ts';
import { addTotals, dividedUsage, type DividedUsage } from '../../domain/usage/daily-usage.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { ALL, addsUp, GROUPS_MAX, isDivided, type Series, seriesKey } from '../../domain/pricing/series.ts';
import type { Span } from '../../domain/time/span.ts';
import type { Db } from '../connection/pool.ts';
import { quantitiesOfEvents } from './quantities.ts';
import { quantitiesBySeries, type Owner, type SeriesOfSets } from './series-quantities.ts';

/** Usage that is asked of a charge and a customer. */
export type AskedOfCustomer = AskedUsage & { customer_key: string };

type OfCharge = { environment_id: number; charge: Charge };

/**
 * Counts usage of one charge, in the order of `questions`: by one statement for all customers and sets whose events
 * must be read; by two for groups of an aggregation whose parts do not add up, and where a day was rolled up meanwhile.
 */
export async function countAsked(
  db: Db,
  query: OfCharge,
  questions: readonly AskedOfCustomer[],
): Promise<CountedUsage[]> {
  return isDivided(query.charge) ? countSeries(db, query, questions) : countWhole(db, query, questions);
}

type AskedSet = DividedUsage & {
  set_id: number;
  /** The place of what it was asked for. */
  owner: number;
  customer_key: string;
  key: string;
  is_free: boolean;
  whole: readonly Span[];
};

/** The different sets, each divided into days whose totals count and spans whose events must be read. */
function setsOf({ charge }: OfCharge, questions: readonly AskedOfCustomer[]): AskedSet[] {
  const sets = questions.flatMap(({ customer_key, daily, free, sets }, owner) => {
    const free_key = free && setKey(free);
    return [...new Map(sets.map((spans) => [setKey(spans), spans]))].map(([key, whole]) => ({
      owner,
      customer_key,
      key,
      whole,
      is_free: key === free_key,
      ...dividedUsage(charge.aggregation, daily, whole),
    }));
  });
  return sets.map((set, set_id) => ({ ...set, set_id }));
}

async function countWhole(
  db: Db,
  query: OfCharge,
  questions: readonly AskedOfCustomer[],
): Promise<CountedUsage[]> {
  const { type } = query.charge.aggregation;
  const sets = setsOf(query, questions);
  const read = sets.filter(({ spans }) => spans.length > 0);
  const events = await quantitiesOfEvents(db, { ...query, sets: read });
  const quantityOf = ({ set_id, days }: AskedSet): SeriesQuantity[] => {
    const rest = events.get(set_id) ?? { quantity: null, skipped_events: 0 };
    return [{ series: ALL, ...addTotals(type, { totals: days.flatMap(({ totals }) => totals), rest }) }];
  };
  return answersOf(questions, sets, { countsOf: quantityOf, added: new Map() });
}

async function countSeries(
  db: Db,
  query: OfCharge,
  questions: readonly AskedOfCustomer[],
): Promise<CountedUsage[]> {
  const all_sets = setsOf(query, questions);
  const sets = all_sets.filter(({ days, spans }) => days.length + spans.length > 0);
  const owners = questions.map(ownerOf);
  const count = async (of: readonly AskedSet[], owners: readonly Owner[]): Promise<SeriesOfSets> =>
    of.length === 0 ? NONE : quantitiesBySeries(db, { ...query, owners, sets: of });
  const answers = ({ counted }: Pick<SeriesOfSets, 'counted'>, added: Added) =>
    answersOf(questions, all_sets, { countsOf: ({ set_id }) => counted.get(set_id) ?? [], added });
  const choosing = sets.filter(({ is_free, owner }) => is_free && owners[owner]!.places > 0);
  if (!addsUp(query.charge.aggregation)) {
    const added = addedGroups(choosing, owners, await count(choosing, owners));
    const chosen = owners.map(({ known }, at) => ({
      known: [...known, ...(added.get(at) ?? [])],
      places: 0,
    }));
    return answers(await count(sets, chosen), added);
  }
  const first = await count(sets, owners);
  const broken = new Set(first.broken.map((set_id) => all_sets[set_id]!.owner));
  const unbroken = sets
    .filter(({ owner }) => broken.has(owner))
    .map((set) => ({ ...set, days: [], spans: [...set.whole] }));
  const again = await count(unbroken, owners);
  const counts = { counted: new Map([...first.counted, ...again.counted]) };
  return answers(counts, addedGroups(choosing, owners, counts));
}

const NONE: SeriesOfSets = { counted: new Map(), broken: [] };

/** Groups that get lines of their own, by the place of what was asked. */
type Added = ReadonlyMap<number, Series[]>;

function ownerOf({ known, free, charge: { group_by } }: AskedOfCustomer): Owner {
  const places = free === null || group_by === null ? 0 : Math.max(0, GROUPS_MAX - known.length);
  return { known, places };
}

/**
 * The groups counted apart that have no lines yet. What was on the line `others` stays there: a group goes there when
 * all places are taken.
 */
function addedGroups(
  choosing: readonly AskedSet[],
  owners: readonly Owner[],
  { counted }: Pick<SeriesOfSets, 'counted'>,
): Added {
  const added = choosing.map(({ set_id, owner }) => {
    const known_keys = new Set(owners[owner]!.known.map(seriesKey));
    const series = (counted.get(set_id) ?? []).map((count) => count.series);
    return [
      owner,
      series.filter((candidate) => candidate.group !== null && !known_keys.has(seriesKey(candidate))),
    ] as const;
  });
  return new Map(added);
}

function answersOf(
  questions: readonly AskedOfCustomer[],
  sets: readonly AskedSet[],
  { countsOf, added }: { countsOf: (set: AskedSet) => readonly SeriesQuantity[]; added: Added },
): CountedUsage[] {
  const by_owner = groupedBy(sets, ({ owner }) => `${owner}`);
  return questions.map((_, owner) => {
    const counts = (by_owner.get(`${owner}`) ?? []).map(
      (set) => [set.key, new Map(countsOf(set).map((count) => [seriesKey(count.series), count]))] as const,
    );
    return { added: added.get(owner) ?? [], counts: new Map(counts) };
  });
}
