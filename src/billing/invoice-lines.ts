import type { Charge } from '../domain/charge.ts';
import { BillingError, impossible } from '../domain/errors.ts';
import { groupedBy } from '../domain/grouped.ts';
import { composeInvoice, type ComposedInvoice, type InvoiceInput } from '../domain/invoice.ts';
import { itemLine } from '../domain/invoice-item.ts';
import { quantityOfLines, type PeriodUsage, type Usage } from '../domain/line-item.ts';
import { addDays, earliest, latest, type Period } from '../domain/period.ts';
import { isMetered } from '../domain/pricing/definitions.ts';
import {
  ALL,
  chargePeriodKey,
  compareSeries,
  isDivided,
  lineKey,
  type RatedCharge,
  ratedCharge,
  type Series,
  seriesKey,
  usageKey,
} from '../domain/series.ts';
import { withoutSpans, type CutOff, type Span } from '../domain/span.ts';
import { chargesOf } from '../db/subscriptions/charges.ts';
import { itemsToBill } from '../db/invoicing/invoice-items.ts';
import { usableGrants } from '../db/credit/credit-draws.ts';
import { usageLines, type UsageLine } from '../db/invoicing/line-items.ts';
import { lineGroups, type LineGroup } from '../db/invoicing/line-groups.ts';
import { partsOfFullPeriod, type Part, type StoredPeriod } from '../db/subscriptions/periods.ts';
import type { Subscription } from '../db/subscriptions/subscription-context.ts';
import { periodsWithLateUsage } from '../db/subscriptions/full-periods.ts';
import type { Db } from '../db/connection/pool.ts';
import { countCharge, countSeries, type Counted } from './count-charge.ts';
import { createQuantitiesBefore, dailyUsageOf, previousDraws, usageOf } from './usage-before.ts';

/** The invoice whose lines are counted and priced; `invoice_id` is null if no invoice exists yet, as for a preview. */
export type InvoiceContext = {
  subscription: Subscription;
  period: StoredPeriod;
  invoice_id: string | null;
  late_usage_days: number;
  /** The invoice items that it may take; null for all that are on no other invoice. */
  item_ids: readonly string[] | null;
};

/** Input of pricing; the caller stores `spans` with the lines. */
export type CountedInvoice = {
  charges: readonly Charge[];
  parts: readonly Pick<Part, 'period_start' | 'period_end' | 'is_void'>[];
  own: Period;
  late: readonly Period[];
  counted: readonly Counted[];
  /** The groups with lines of their own; the caller stores them with the lines. */
  groups: readonly LineGroup[];
};

/**
 * Counts what an invoice bills up to a cut-off (billing.md 5): the events of its own period, and of earlier periods that may have late
 * usage, that no other line holds.
 */
export async function countUsage(db: Db, context: InvoiceContext, cut_off: CutOff): Promise<CountedInvoice> {
  const scope = await invoiceScopeOf(db, context);
  const { own, late, charges, lines } = scope;
  const others = groupedBy(othersOf(lines, context), chargePeriodKey);
  const known = groupedBy(scope.groups, chargePeriodKey);
  const counted: Counted[] = [];
  const groups = [...scope.groups];
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
    const free = is_late ? [region] : withoutSpans(region, voidPartsOf(scope, context, region));
    for (const charge of metered(charges)) {
      const key = chargePeriodKey({ charge_id: charge.id, full_period_start: full_period.period_start });
      const query = { ...ownerOf(context.subscription), charge, daily: daily?.get(charge.id) ?? null };
      const of_key = {
        others: others.get(key) ?? [],
        known: (known.get(key) ?? []).map(({ series }) => series),
      };
      const counting = { full_period, free, ...of_key };
      if (!isDivided(charge)) counted.push(await countCharge(db, query, counting));
      else {
        const series = await countSeries(db, query, counting);
        counted.push(...series.counted);
        groups.push(...series.added.map((added) => lineGroup(charge, full_period, added)));
      }
    }
  }
  return { ...scope, counted, groups };
}

function lineGroup({ id: charge_id }: Charge, { period_start }: Period, series: Series): LineGroup {
  return { charge_id, full_period_start: period_start, series };
}

/** Counts usage as countUsage does, but takes quantities and spans from the draft's stored lines instead of counting events again. */
export async function storedCount(db: Db, context: InvoiceContext): Promise<CountedInvoice> {
  const scope = await invoiceScopeOf(db, context);
  const { lines } = scope;
  const charges = new Map(scope.charges.map((charge) => [charge.id, charge]));
  const others_by_line = groupedBy(othersOf(lines, context), lineKey);
  const counted = lines
    .filter((line) => line.invoice_id === context.invoice_id)
    .map((line): Counted => {
      const { charge_id, series, full_period_start, spans, skipped_events } = line;
      const others = others_by_line.get(lineKey(line)) ?? [];
      const quantity = quantityOfLines([line, ...others]);
      return {
        charge: ratedCharge(charges.get(charge_id)!, series),
        charge_id,
        series,
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
  const quantities = createQuantitiesBefore(db, subscription, invoice);
  const by_period = groupedBy(counted, ({ full_period_start }) => full_period_start);
  const usageIn = async (full_period: Period): Promise<PeriodUsage> => {
    const usage = new Map<string, Usage>();
    for (const part of by_period.get(full_period.period_start) ?? [])
      usage.set(
        usageKey(part.charge_id, part.series),
        await usageOf({ part, full_period, grants, previous_draws, quantities }),
      );
    const { currency, timezone } = subscription;
    return { full_period, usage, currency, timezone };
  };
  const lateUsage: PeriodUsage[] = [];
  for (const full_period of late) lateUsage.push(await usageIn(full_period));
  const { currency, tax } = subscription;
  const by_charge = groupedBy(counted, ({ charge_id }) => charge_id);
  const items = await itemsToBill(db, { ...context, environment_id, subscription_id: subscription.id });
  return composed(period, {
    charges: charges.flatMap((charge) => seriesOfCharge(charge, by_charge.get(charge.id) ?? [])),
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

/** The charge with the pricing of each series that has a line in any of the periods; `found` is what was counted of the charge. */
function seriesOfCharge(charge: Charge, found: readonly Counted[]): RatedCharge[] {
  if (!isDivided(charge)) return [ratedCharge(charge, ALL)];
  const rated = new Map(found.map((one) => [seriesKey(one.series), one.charge]));
  return [...rated.values()].sort((a, b) => compareSeries(charge.group_by, a.series, b.series));
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
  const starts = [own, ...late].map(({ period_start }) => period_start);
  const lines = await usageLines(db, key, starts);
  const groups = charges.some(({ group_by }) => group_by !== null) ? await lineGroups(db, key, starts) : [];
  return { charges, parts, own, late, lines, groups };
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

function metered(charges: readonly Charge[]): Charge[] {
  return charges.filter(({ pricing }) => isMetered(pricing));
}

/** The lines that are on other invoices. */
function othersOf(lines: readonly UsageLine[], { invoice_id }: InvoiceContext): UsageLine[] {
  return lines.filter((line) => line.invoice_id !== invoice_id);
}

function ownerOf({ environment_id, customer_key }: Subscription) {
  return { environment_id, customer_key };
}
