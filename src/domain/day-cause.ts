import { firstCause, type Cause } from './billing-cause.ts';
import type { Aggregation, Filters } from './charge.ts';
import { holdAll, mayHold, type Day, type StoredDay } from './daily-usage.ts';
import { earliest, latest } from './period.ts';
import type { CutOff, Span } from './span.ts';

/** Events of one customer and event name within a UTC day, or a part of one, that are judged together. */
export type DayEvents = StoredDay & {
  event_name: string;
  /** The transaction that stored the first of them; null if it is not known. */
  first: { epoch: number; xid: string } | null;
  /** Properties of which each of the events has a number. */
  numbers: readonly string[];
};

/** A charge that is not flat, as far as it decides about events. */
export type JudgedCharge = {
  id: string;
  event_name: string;
  filters: Filters | null;
  aggregation: Aggregation;
  /** It has prices or groups, each with a line of its own. */
  is_divided: boolean;
};

/** Spans of the charge's lines on an invoice that is not void. */
export type JudgedSpan = Span & { charge_id: string; full_period_start: string; is_draft: boolean };

/**
 * `is_issued`: every part is closed and has an open or paid invoice. `is_void`: a closed part has no invoice but void ones. `open_from`:
 * start of the open part, null if none is open. `late_until`: events stored from then on are too late.
 */
export type JudgedPeriod = {
  starts_at: string;
  ends_at: string;
  is_issued: boolean;
  is_void: boolean;
  open_from: string | null;
  late_until: string;
};

/** What decides about the events of one subscription. */
export type JudgedSubscription = {
  start_date: string;
  trial_end_date: string | null;
  cancel_at: string | null;
  charges: readonly JudgedCharge[];
  full_periods: readonly JudgedPeriod[];
  spans: readonly JudgedSpan[];
};

/** The cause of all events for one charge; or, not `is_certain`, the first in the precedence that one of them may have. */
type Outcome = { cause: Cause; is_certain: boolean };

const ANY: Outcome = { cause: firstCause(['too_late']), is_certain: false };

/**
 * The cause (contract.md 2) that all of these events have, each counted once under the first of its causes. Null if they may differ, and
 * must be read one by one.
 */
export function causeOfDay(day: DayEvents, subscriptions: readonly JudgedSubscription[]): Cause | null {
  if (subscriptions.length === 0) return 'no_subscription';
  const outcomes = subscriptions.flatMap((subscription) => outcomesOf(day, subscription));
  const certain = outcomes.filter(({ is_certain }) => is_certain).map(({ cause }) => cause);
  if (certain.length === 0) return null;
  const cause = firstCause(certain);
  // No uncertain charge can give an event a cause that comes before this one.
  return firstCause(outcomes.map((outcome) => outcome.cause)) === cause ? cause : null;
}

function outcomesOf(day: DayEvents, subscription: JudgedSubscription): Outcome[] {
  const charges = subscription.charges.filter(({ event_name }) => event_name === day.event_name);
  if (charges.length === 0) return [certainly('no_charge')];
  return charges.map((charge) => filtered(day, charge, outcomeOf(day, subscription, charge)));
}

/**
 * The outcome once the charge's filters, prices and groups have been asked. The values of properties are not known of a day, so that only its events can
 * tell; whatever knows them for all of these events is asked here.
 */
function filtered(_day: DayEvents, { filters, is_divided }: JudgedCharge, outcome: Outcome): Outcome {
  // Each event may be on another line, or have no price.
  if (is_divided) return ANY;
  if (filters === null) return outcome;
  return { cause: firstCause([outcome.cause, 'filters_do_not_match']), is_certain: false };
}

/** The outcome without filters. The order of the questions is that of the SQL for one event (src/db/reports/event-billing.ts). */
function outcomeOf(day: DayEvents, subscription: JudgedSubscription, charge: JudgedCharge): Outcome {
  const { start_date, cancel_at, trial_end_date } = subscription;
  if (isInside(start_date, day)) return ANY;
  if (day.ends_at <= start_date) return certainly('before_start');
  if (cancel_at !== null && isInside(cancel_at, day)) return ANY;
  if (cancel_at !== null && day.starts_at >= cancel_at) return certainly('after_cancellation');
  if (trial_end_date !== null && isInside(trial_end_date, day)) return ANY;
  if (trial_end_date !== null && day.ends_at <= trial_end_date) return certainly('trial');
  const outcome = outcomeInPeriods(day, subscription, charge);
  // An event that is skipped has a reason that comes after all of these.
  return isNoneSkipped(day, charge) ? outcome : { ...outcome, is_certain: false };
}

function isNoneSkipped({ numbers }: DayEvents, { aggregation }: JudgedCharge): boolean {
  return aggregation.type === 'count' || numbers.includes(aggregation.property);
}

function outcomeInPeriods(day: DayEvents, subscription: JudgedSubscription, charge: JudgedCharge): Outcome {
  const periods = subscription.full_periods.filter(
    ({ starts_at, ends_at }) => starts_at < day.ends_at && ends_at > day.starts_at,
  );
  const outcomes = periods.map((period) =>
    outcomeInPeriod(day, period, spansOf(subscription, charge, period)),
  );
  if (!isCovered(day, periods)) outcomes.push(certainly('pending'));
  const cause = firstCause(outcomes.map((outcome) => outcome.cause));
  return { cause, is_certain: outcomes.every((one) => one.is_certain && one.cause === cause) };
}

function spansOf(
  { spans }: JudgedSubscription,
  { id }: JudgedCharge,
  { starts_at }: JudgedPeriod,
): JudgedSpan[] {
  return spans.filter((span) => span.charge_id === id && span.full_period_start === starts_at);
}

/** Full periods follow each other without a gap, so the first and the last of them tell. */
function isCovered(day: Day, periods: readonly JudgedPeriod[]): boolean {
  const sorted = [...periods].sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1));
  let covered_to = day.starts_at;
  for (const { starts_at, ends_at } of sorted)
    if (starts_at <= covered_to) covered_to = latest(covered_to, ends_at);
  return covered_to >= day.ends_at;
}

function outcomeInPeriod(whole_day: DayEvents, period: JudgedPeriod, spans: readonly JudgedSpan[]): Outcome {
  const day: DayEvents = {
    ...whole_day,
    starts_at: latest(whole_day.starts_at, period.starts_at),
    ends_at: earliest(whole_day.ends_at, period.ends_at),
  };
  const holding = spans.filter((span) => mayHold(span, day) && !isBefore(span.up_to, day));
  if (holding.length > 0) return outcomeOnLines(day, holding);
  if (period.is_void && (period.open_from === null || day.ends_at <= period.open_from))
    return certainly('invoice_void');
  if (period.is_void && isInside(period.open_from!, day)) return ANY;
  if (!period.is_issued) return certainly('pending');
  if (day.last_stored_at < period.late_until) return certainly('late');
  return day.first_stored_at >= period.late_until ? certainly('too_late') : ANY;
}

function outcomeOnLines(day: DayEvents, holding: readonly JudgedSpan[]): Outcome {
  const is_draft = holding[0]!.is_draft;
  if (!holdAll(holding, day) || holding.some((span) => span.is_draft !== is_draft)) return ANY;
  return certainly(is_draft ? 'pending' : 'billed');
}

/** True if none of the events was visible when the cut-off was taken. */
function isBefore({ epoch, snapshot }: CutOff, { first }: DayEvents): boolean {
  if (first === null || epoch > first.epoch) return false;
  const [, unfinished_from = '0'] = snapshot.split(':');
  return epoch < first.epoch || BigInt(first.xid) >= BigInt(unfinished_from);
}

/** True if the instant divides the day in two. */
function isInside(instant: string, { starts_at, ends_at }: Day): boolean {
  return starts_at < instant && instant < ends_at;
}

function certainly(cause: Cause): Outcome {
  return { cause, is_certain: true };
}
