import type { Charge } from '../domain/charge.ts';
import type { DailyUsage } from '../domain/daily-usage.ts';
import { expiriesWithin, type GrantBalance, type PreviousDraw } from '../domain/credit.ts';
import { BillingError, impossible } from '../domain/errors.ts';
import { composeInvoice, type ComposedInvoice, type InvoiceInput } from '../domain/invoice.ts';
import { itemLine } from '../domain/invoice-item.ts';
import { quantityOfLines, type PeriodUsage, type Usage } from '../domain/line-item.ts';
import { addDays, earliest, latest, type Period } from '../domain/period.ts';
import { withoutSpans, type CutOff, type Span } from '../domain/span.ts';
import { chargesOf } from '../db/charges.ts';
import { itemsToBill } from '../db/invoice-items.ts';
import { drawsOfLines, usableGrants } from '../db/credit-draws.ts';
import { readDailyUsage } from '../db/usage/daily-usage.ts';
import { usageLines, type UsageLine, type LineSpans } from '../db/line-items.ts';
import { partsOfFullPeriod, type Part, type StoredPeriod } from '../db/periods.ts';
import type { Subscription } from '../db/subscription-context.ts';
import { isEmpty, quantityBefore, quantityOf, type UsageQuery } from '../db/usage/usage.ts';
import { periodsWithLateUsage } from '../db/full-periods.ts';
import type { Db } from '../db/pool.ts';

/** The invoice whose lines are counted and priced; `invoice_id` is null if no invoice exists yet, as for a preview. */
export type InvoiceContext = {
  subscription: Subscription;
  period: StoredPeriod;
  invoice_id: string | null;
  late_usage_days: number;
  /** The invoice items that it may take; null for all that are on no other invoice. */
  item_ids: readonly string[] | null;
};

/**
 * Usage of one charge in one full period. `quantity` is the quantity of all lines of the charge and period together; `spans` are what this
 * line alone holds.
 */
type Counted = LineSpans & {
  charge: Charge;
  quantity: string;
  skipped_events: number;
  /** True if this line changes nothing: its spans hold no events, or events that leave quantity and skipped events unchanged. */
  is_empty: boolean;
  others: readonly UsageLine[];
};

/** Input of pricing; the caller stores `spans` with the lines. */
export type CountedInvoice = {
  charges: readonly Charge[];
  parts: readonly Pick<Part, 'period_start' | 'period_end' | 'is_void'>[];
  own: Period;
  late: readonly Period[];
  counted: readonly Counted[];
};

/**
 * Counts what an invoice bills up to a cut-off (billing.md 5): the events of its own period, and of earlier periods that may have late
 * usage, that no other line holds.
 */
export async function countUsage(db: Db, context: InvoiceContext, cut_off: CutOff): Promise<CountedInvoice> {
  const scope = await invoiceScopeOf(db, context);
  const { own, late, charges, lines } = scope;
  const counted: Counted[] = [];
  const full_periods = context.period.kind === 'late' ? late : [own, ...late];
  const daily = await dailyUsageOf(db, context.subscription, { charges: metered(charges), full_periods });
  for (const full_period of full_periods) {
    const is_late = full_period !== own;
    const region: Span = {
      after: null,
      up_to: cut_off,
      timestamp_from: full_period.period_start,
      timestamp_to: is_late ? full_period.period_end : context.period.period_end,
      stored_from: null,
      stored_to: is_late ? addDays(full_period.period_end, context.late_usage_days) : null,
    };
    for (const charge of metered(charges)) {
      const others = othersOf(lines, context, charge, full_period);
      const query = { ...ownerOf(context.subscription), charge, daily: daily?.get(charge.id) ?? null };
      const free = is_late ? [region] : withoutSpans(region, voidPartsOf(scope, context, region));
      counted.push(await countCharge(db, query, { full_period, free, others }));
    }
  }
  return { ...scope, counted };
}

/** Like countUsage, but takes quantities and spans from the draft's stored lines instead of counting events again. */
export async function storedCount(db: Db, context: InvoiceContext): Promise<CountedInvoice> {
  const scope = await invoiceScopeOf(db, context);
  const { lines, charges } = scope;
  const counted = lines
    .filter((line) => line.invoice_id === context.invoice_id)
    .map((line): Counted => {
      const { charge_id, full_period_start, spans, skipped_events } = line;
      const charge = charges.find(({ id }) => id === charge_id)!;
      const others = othersOf(lines, context, charge, { period_start: full_period_start });
      const quantity = quantityOfLines([line, ...others]);
      return {
        charge,
        charge_id,
        full_period_start,
        spans,
        quantity,
        skipped_events,
        is_empty: false,
        others,
      };
    });
  return { ...scope, counted };
}

/** Prices counted usage with the credit available now. `lock` locks the grants; set it if the caller then draws from them. */
export async function priceCounted(
  db: Db,
  context: InvoiceContext,
  invoice: CountedInvoice,
  options: { lock: boolean },
): Promise<ComposedInvoice> {
  const { subscription, period } = context;
  const { own, late, charges, counted } = invoice;
  const { environment_id } = subscription;
  const previous_draws = await previousDraws(db, environment_id, counted);
  const full_periods = [own, ...late];
  const grants = await usableGrants(db, subscription, {
    from: full_periods.map(({ period_start }) => period_start).reduce(earliest),
    to: full_periods.map(({ period_end }) => period_end).reduce(latest),
    grant_ids: [...previous_draws.values()].flat().map(({ grant }) => grant.id),
    lock: options.lock,
  });
  const usageIn = async (full_period: Period): Promise<PeriodUsage> => {
    const usage = new Map<string, Usage>();
    for (const part of counted.filter(
      ({ full_period_start }) => full_period_start === full_period.period_start,
    ))
      usage.set(part.charge_id, await usageOf(db, context, { part, full_period, grants, previous_draws }));
    const { currency, timezone } = subscription;
    return { full_period, usage, currency, timezone };
  };
  const lateUsage: PeriodUsage[] = [];
  for (const full_period of late) lateUsage.push(await usageIn(full_period));
  const { currency, tax } = subscription;
  const items = await itemsToBill(db, { ...context, environment_id, subscription_id: subscription.id });
  return composed(period, {
    charges,
    own: period.kind === 'late' ? null : { ...(await usageIn(own)), period: { ...period, kind: 'billing' } },
    late: lateUsage,
    items: items.map((item) => itemLine(item, period)),
    grants,
    currency,
    tax,
  });
}

/**
 * Composes the invoice. A pricing failure is permanent, since pricing is a pure function: report it as impossible, so that a person looks
 * at it, and do not retry.
 */
function composed({ period_start, period_end }: StoredPeriod, input: InvoiceInput): ComposedInvoice {
  try {
    return composeInvoice(input);
  } catch (error) {
    if (error instanceof BillingError || !(error instanceof Error)) throw error;
    throw impossible(`The invoice of ${period_start} to ${period_end} cannot be priced: ${error.message}`);
  }
}

type InvoiceScope = Omit<CountedInvoice, 'counted'> & { lines: UsageLine[] };

/** The full periods that the invoice may bill, and their stored lines. */
async function invoiceScopeOf(
  db: Db,
  { subscription, period, invoice_id }: InvoiceContext,
): Promise<InvoiceScope> {
  const { environment_id, id: subscription_id, plan_id } = subscription;
  const key = { environment_id, subscription_id };
  const charges = await chargesOf(db, environment_id, plan_id);
  const { full_period_start } = period;
  const is_uncut = full_period_start === period.period_start && period.period_end === period.interval_end;
  const stored =
    period.kind === 'billing' && !is_uncut ? await partsOfFullPeriod(db, key, full_period_start) : [];
  // A preview may compose a period that is not stored yet.
  const parts = stored.length === 0 ? [{ ...period, is_void: false }] : stored;
  const own: Period = {
    kind: 'billing',
    period_start: full_period_start,
    period_end: parts.map((part) => part.period_end).reduce(latest),
    interval_start: period.interval_start,
    interval_end: period.interval_end,
  };
  const late = await periodsWithLateUsage(db, key, { id: invoice_id, full_period_start });
  const lines = await usageLines(
    db,
    key,
    [own, ...late].map(({ period_start }) => period_start),
  );
  return { charges, parts, own, late, lines };
}

/**
 * Earlier parts of the invoice's own full period whose invoice is void, including their late usage: only `generate` bills them again
 * (billing.md 5).
 */
function voidPartsOf({ parts }: InvoiceScope, { period }: InvoiceContext, region: Span): Span[] {
  const earlier = parts.filter((part) => part.is_void && part.period_start < period.period_start);
  return earlier.map(({ period_start, period_end }) => ({
    ...region,
    timestamp_from: period_start,
    timestamp_to: period_end,
  }));
}

async function countCharge(
  db: Db,
  query: Omit<UsageQuery, 'spans'>,
  counting: { full_period: Period; free: readonly Span[]; others: readonly UsageLine[] },
): Promise<Counted> {
  const { charge } = query;
  const { full_period, free, others } = counting;
  const held = others.flatMap((line) => line.spans);
  const spans = free.flatMap((span) => withoutSpans(span, held));
  const line = { charge, charge_id: charge.id, full_period_start: full_period.period_start, spans, others };
  if (held.length === 0) return { ...line, ...(await quantityOf(db, { ...query, spans })), is_empty: false };
  // Fast path: usually nothing is late, and the quantity follows from the other lines unless one was voided.
  const quantity_held = quantityOfLines(others);
  if (!others.some(({ has_void_line }) => has_void_line) && isEmpty({ ...query, spans }))
    return { ...line, quantity: quantity_held, skipped_events: 0, is_empty: true };
  const own = await quantityOf(db, { ...query, spans });
  const { quantity } = await quantityOf(db, { ...query, spans: [...spans, ...held] });
  const is_empty = own.quantity === '0' && own.skipped_events === 0 && quantity === quantity_held;
  return { ...line, quantity, skipped_events: own.skipped_events, is_empty };
}

/** Daily totals of the given full periods by charge id. Null if the daily totals cannot be used and events must be read. */
async function dailyUsageOf(
  db: Db,
  { customer_key }: Subscription,
  { charges, full_periods }: { charges: readonly Charge[]; full_periods: readonly Period[] },
): Promise<ReadonlyMap<string, DailyUsage> | null> {
  if (charges.length === 0 || full_periods.length === 0) return null;
  const from = full_periods.map(({ period_start }) => period_start).reduce(earliest);
  const to = full_periods.map(({ period_end }) => period_end).reduce(latest);
  return readDailyUsage(db, { customer_key, charges, from, to });
}

type Credit = { grants: readonly GrantBalance[]; previous_draws: ReadonlyMap<string, PreviousDraw[]> };

/**
 * Total quantity of the lines, and the part of it that happened before each grant expiry. Both are counted from the same spans, so at the
 * same cut-off.
 */
async function usageOf(
  db: Db,
  { subscription }: InvoiceContext,
  counting: Credit & { part: Counted; full_period: Period },
): Promise<Usage> {
  const { part, full_period, grants } = counting;
  const { charge, quantity, skipped_events, others } = part;
  const previous_draws = counting.previous_draws.get(lineKey(part)) ?? [];
  const spans = [...part.spans, ...others.flatMap((line) => line.spans)];
  const quantity_before = new Map<string, string>();
  const expiries = expiriesWithin([...grants, ...previous_draws.map(({ grant }) => grant)], full_period);
  const charges = expiries.length === 0 ? [] : [charge];
  const daily = await dailyUsageOf(db, subscription, { charges, full_periods: [full_period] });
  for (const expiry of expiries) {
    const query = { ...ownerOf(subscription), charge, spans, daily: daily?.get(charge.id) ?? null };
    quantity_before.set(expiry, await quantityBefore(db, query, expiry));
  }
  return { quantity, quantity_before, skipped_events, others, previous_draws };
}

async function previousDraws(
  db: Db,
  environment_id: number,
  counted: readonly Counted[],
): Promise<Map<string, PreviousDraw[]>> {
  const ids = counted.flatMap(({ others }) => others.map(({ id }) => id));
  return ids.length === 0 ? new Map() : drawsOfLines(db, environment_id, ids);
}

function lineKey({ charge_id, full_period_start }: { charge_id: string; full_period_start: string }): string {
  return `${charge_id} ${full_period_start}`;
}

function metered(charges: readonly Charge[]): Charge[] {
  return charges.filter(({ pricing }) => pricing.pricing_model !== 'flat');
}

function othersOf(
  lines: readonly UsageLine[],
  { invoice_id }: InvoiceContext,
  charge: Charge,
  full_period: { period_start: string },
): UsageLine[] {
  return lines.filter(
    (line) =>
      line.invoice_id !== invoice_id &&
      line.charge_id === charge.id &&
      line.full_period_start === full_period.period_start,
  );
}

function ownerOf({ environment_id, customer_key }: Subscription) {
  return { environment_id, customer_key };
}
