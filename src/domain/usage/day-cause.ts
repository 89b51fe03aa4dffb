import { firstCause, type Cause } from './billing-cause.ts';
import type { Aggregation, Filters } from '../pricing/charge.ts';
import { holdAll, mayHold, type StoredDay } from './daily-usage.ts';
import type { CutOff, Span } from '../time/span.ts';

/** Events of one customer and event name within a UTC day, or a part of one, that are judged together. */
export type DayEvents = StoredDay & {
  event_name: string;
  /** The transaction that stored the first of them; null if it is not known. */
  first: { epoch: number; xid: string } | null;
  /** Properties of which each of the events has a number. */
  numbers: readonly string[];
};

/** A charge that is not flat, as far as it decides about events. */
export type ChargeFacts = {
  id: string;
  event_name: string;
  filters: Filters | null;
  aggregation: Aggregation;
  /** True if the charge has prices or groups, each with a line of its own. */
  is_divided: boolean;
};

/** Spans of the charge's lines on an invoice that is not void. */
export type SpanFacts = Span & { charge_id: string; full_period_start: string; is_draft: boolean };

/**
 * `is_issued`: every part is closed and has an open or paid invoice. `is_void`: a closed part has no invoice but void
 * ones. `open_from`: start of the open part, null if none is open. `late_until`: events stored from then on are too
 * late.
 */
export type PeriodFacts = {
  starts_at: string;
  ends_at: string;
  is_issued: boolean;
  is_void: boolean;
  open_from: string | null;
  late_until: string;
};

/** The facts of one subscription that decide about its events in the time of one of its plans. */
export type SubscriptionFacts = {
  /** Start and end of that time; null where nothing limits it. */
  begins_at: string | null;
  ends_at: string | null;
  start_date: string;
  trial_end_date: string | null;
  cancel_at: string | null;
  charges: readonly ChargeFacts[];
  full_periods: readonly PeriodFacts[];
  spans: readonly SpanFacts[];
};

/**
 * The order in which one charge asks an event: its cause is the first whose condition holds, here and in the SQL for
 * events (src/db/reports/event-billing.ts). Of several charges, CAUSES says whose cause counts.
 */
export const CAUSE_ORDER: readonly Cause[] = [
  'no_subscription',
  'no_charge',
  'filters_do_not_match',
  'no_price',
  'before_start',
  'after_cancellation',
  'trial',
  'property_missing',
  'property_not_usable',
  'billed',
  'invoice_void',
  'late',
  'too_late',
  'pending',
];

/** The share of the events for which the condition of a cause holds. */
type Share = 'all' | 'some' | 'none';

/**
 * The cause (contract.md 2) that all of these events have, each counted once under the first of its causes. Null if
 * they may differ, and must be read one by one.
 */
export function causeOfDay(day: DayEvents, subscriptions: readonly SubscriptionFacts[]): Cause | null {
  const changes = subscriptions.flatMap(({ begins_at }) => begins_at ?? []);
  const causes = partsOf(day, changes).map((part) =>
    causeOfPart(
      part,
      subscriptions.filter((subscription) => holdsAt(subscription, part.starts_at)),
    ),
  );
  return causes.every((cause) => cause === causes[0]) ? causes[0]! : null;
}

function holdsAt({ begins_at, ends_at }: SubscriptionFacts, instant: string): boolean {
  return (begins_at === null || begins_at <= instant) && (ends_at === null || instant < ends_at);
}

/** The cause of a part of a day in which no plan changes. */
function causeOfPart(day: DayEvents, subscriptions: readonly SubscriptionFacts[]): Cause | null {
  if (subscriptions.length === 0) return 'no_subscription';
  const possible = subscriptions.flatMap((subscription) => possibleCauses(day, subscription));
  const certain = possible.filter((causes) => causes.length === 1).flat();
  if (certain.length === 0) return null;
  const cause = firstCause(certain);
  // No charge can give an event a cause that comes before this one.
  return firstCause(possible.flat()) === cause ? cause : null;
}

/** The causes for each charge that one of the events may have. */
function possibleCauses(day: DayEvents, subscription: SubscriptionFacts): Cause[][] {
  const charges = subscription.charges.filter(({ event_name }) => event_name === day.event_name);
  if (charges.length === 0) return [['no_charge']];
  const parts = partsOf(day, datesOf(subscription));
  return charges.map((charge) => {
    const causes = parts.map((part) => causesOf(part, subscription, charge));
    return causes.length === 1 ? causes[0]! : [...new Set(causes.flat())];
  });
}

function datesOf({ start_date, trial_end_date, cancel_at, full_periods }: SubscriptionFacts): string[] {
  const bounds = full_periods.flatMap(({ starts_at, ends_at, open_from }) => [starts_at, ends_at, open_from]);
  return [start_date, trial_end_date, cancel_at, ...bounds].filter((date) => date !== null);
}

/** Parts of the day that none of these dates divides. */
function partsOf(day: DayEvents, dates: readonly string[]): DayEvents[] {
  const inside = dates.filter((date) => day.starts_at < date && date < day.ends_at);
  if (inside.length === 0) return [day];
  const starts = [day.starts_at, ...[...new Set(inside)].sort()];
  return starts.map((starts_at, at) => ({ ...day, starts_at, ends_at: starts[at + 1] ?? day.ends_at }));
}

/** The causes that events of a part may have by one charge. */
function causesOf(part: DayEvents, subscription: SubscriptionFacts, charge: ChargeFacts): Cause[] {
  const { starts_at } = part;
  const { start_date, trial_end_date, cancel_at } = subscription;
  const skipped = isNoneSkipped(part, charge) ? 'none' : 'some';
  const { billed, invoice_void, late, too_late } = sharesInPeriod(part, subscription, charge);
  const shares: Record<Cause, Share> = {
    no_subscription: 'none',
    no_charge: 'none',
    filters_do_not_match: charge.filters === null ? 'none' : 'some',
    no_price: charge.is_divided ? 'some' : 'none',
    before_start: starts_at < start_date ? 'all' : 'none',
    after_cancellation: cancel_at !== null && starts_at >= cancel_at ? 'all' : 'none',
    trial: trial_end_date !== null && starts_at < trial_end_date ? 'all' : 'none',
    property_missing: skipped,
    property_not_usable: skipped,
    billed,
    invoice_void,
    late,
    too_late,
    pending: 'all',
  };
  const causes: Cause[] = [];
  for (const cause of CAUSE_ORDER) {
    if (shares[cause] !== 'none') causes.push(cause);
    if (shares[cause] === 'all') break;
  }
  return causes;
}

function isNoneSkipped({ numbers }: DayEvents, { aggregation }: ChargeFacts): boolean {
  return aggregation.type === 'count' || numbers.includes(aggregation.property);
}

type PeriodShares = Record<'billed' | 'invoice_void' | 'late' | 'too_late', Share>;

/** The shares that the full period of a part and the lines of its charge decide. */
function sharesInPeriod(
  part: DayEvents,
  { full_periods, spans }: SubscriptionFacts,
  { id, is_divided }: ChargeFacts,
): PeriodShares {
  const { starts_at, first_stored_at, last_stored_at } = part;
  const period = full_periods.find(
    (full_period) => full_period.starts_at <= starts_at && starts_at < full_period.ends_at,
  );
  if (period === undefined) return { billed: 'none', invoice_void: 'none', late: 'none', too_late: 'none' };
  const { is_void, is_issued, open_from, late_until } = period;
  const of_charge = spans.filter(
    (span) => span.charge_id === id && span.full_period_start === period.starts_at,
  );
  const { billed, on_no_line } = sharesOnLines(part, of_charge, is_divided);
  const in_time = last_stored_at < late_until ? on_no_line : 'some';
  return {
    billed,
    invoice_void: is_void && (open_from === null || starts_at < open_from) ? on_no_line : 'none',
    late: is_issued && first_stored_at < late_until && on_no_line !== 'none' ? in_time : 'none',
    too_late: is_issued ? on_no_line : 'none',
  };
}

function sharesOnLines(
  part: DayEvents,
  spans: readonly SpanFacts[],
  is_divided: boolean,
): { billed: Share; on_no_line: Share } {
  const holding = spans.filter((span) => mayHold(span, part) && !isBefore(span.up_to, part));
  if (holding.length === 0) return { billed: 'none', on_no_line: 'all' };
  const issued = holding.filter(({ is_draft }) => !is_draft).length;
  // Of a divided charge, each event may be on another line.
  const are_held = !is_divided && holdAll(holding, part);
  if (issued === 0) return { billed: 'none', on_no_line: are_held ? 'none' : 'some' };
  const is_billed = are_held && issued === holding.length;
  return { billed: is_billed ? 'all' : 'some', on_no_line: are_held ? 'none' : 'some' };
}

/** True if none of the events was visible when the cut-off was taken. */
function isBefore({ epoch, snapshot }: CutOff, { first }: DayEvents): boolean {
  if (first === null || epoch > first.epoch) return false;
  const [, unfinished_from = '0'] = snapshot.split(':');
  return epoch < first.epoch || BigInt(first.xid) >= BigInt(unfinished_from);
}
