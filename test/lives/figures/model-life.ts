import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { rounded, total } from '../../support/oracles/price-oracle.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { endDiscount, makeDiscount } from '../model/discounts.ts';
import { cancel, takeBackEnd } from '../model/ends.ts';
import { generate } from '../model/generation.ts';
import { remainingOf } from '../model/giving.ts';
import { voidInvoice } from '../model/invoices.ts';
import { makeGrant, type Terms } from '../model/grants.ts';
import { advance, changePlan, newWorld, storeEvents, subscribe } from '../model/model.ts';
import { NO_PASSING } from '../model/passing.ts';
import type { Discount } from '../model/percents.ts';
import { currentPeriod, periodEnd, termsAt } from '../model/periods.ts';
import { setTrial } from '../model/trials.ts';
import { decimalText } from '../model/usage.ts';
import type {
  CreditNote,
  Grant,
  Instant,
  Invoice,
  Plan,
  Passing,
  PlanGrant,
  Settle,
} from '../model/world.ts';

type Limits = Partial<Pick<Terms, 'event_names' | 'subscription' | 'note'>>;
type Percents = Partial<Pick<Discount, 'event_names' | 'subscription'>> & { from?: string; until?: string };
type Periods = Partial<Pick<Plan, 'interval' | 'interval_count'>>;
/** Whether flat charges are for one of the quantity `seat`. */
type Others = {
  seats?: boolean;
  grants?: readonly Partial<PlanGrant>[];
  minimum_amount?: string | null;
};

/** A plan with one charge or several, by default monthly; a metered charge is a sum. */
export function aPlan(
  pricing: Pricing | readonly Pricing[],
  { grants = [], minimum_amount = null, seats = false, ...periods }: Periods & Others = {},
): Plan {
  const aggregation = { type: 'sum', property: 'u' } as const;
  const charges = [pricing].flat().map((one) => ({
    ...{ event_name: 'use', aggregation, filters: null },
    ...(seats && one.pricing_model === 'flat' ? { event_name: 'seat', has_quantity: true as const } : {}),
    pricing: one,
  }));
  const terms = grants.map((grant) => ({
    ...{ amount: '1000', event_names: null, expires: 'period_end' as const, carry_over_max: null },
    prorate: false,
    ...grant,
  }));
  return { interval: 'month', interval_count: 1, ...periods, charges, grants: terms, minimum_amount };
}

/** A life in the model only: a monthly plan, by default from the first of January. */
export function lifeOn(
  pricing: Pricing | readonly Pricing[],
  {
    currency = 'USD',
    digits = 2,
    tax_rate = '0',
    timezone = 'UTC',
    start = at('01-01'),
    trial_end = null as Instant | null,
    grants = [] as readonly Partial<PlanGrant>[],
    minimum_amount = null as string | null,
    seats = null as string | null,
  } = {},
) {
  const world = newWorld({ currency, digits, tax_rate, timezone }, at('01-01'));
  const plan = aPlan(pricing, { grants, minimum_amount, seats: seats !== null });
  const quantities = seats === null ? {} : { seat: seats };
  const subscription = subscribe(world, plan, { start, trial_end, anchor: null, quantities });
  const go = (date: string, hold_drafts = false) => advance(world, at(date), hold_drafts);
  const newest = (date: string, is_opening: boolean): Invoice =>
    world.invoices.findLast(
      ({ period }) => period.start === at(date) && (period.kind === 'opening') === is_opening,
    )!;
  const endOf = (time: string) =>
    time === 'now' ? world.now : time === 'period_end' ? periodEnd(subscription, world.now)! : at(time);
  /** The newest invoice of the period that starts on this date, openings left out. */
  const invoiceOf = (date: string) => newest(date, false);
  return {
    world,
    subscription,
    go,
    invoiceOf,
    openingOf: (date: string) => newest(date, true),
    use: (date: string, u: number) =>
      storeEvents(world, [{ event_name: 'use', timestamp: at(date), properties: { u } }]),
    grant: (amount: string, rollover = true, limits: Limits = {}) => {
      const no_limits = { event_names: null, subscription: null, note: null };
      return makeGrant(world, { amount, rollover, expires_in_days: null, ...no_limits, ...limits })!;
    },
    /** A discount of a percent or of an amount, by default of all charges and subscriptions, from now on. */
    discount: (off: string | { amount: string }, { from, until, ...limits }: Percents = {}) => {
      const times = {
        from: from === undefined ? world.now : at(from),
        until: until === undefined ? null : at(until),
      };
      const terms = { subscription: null, name: 'Discount', event_names: null, ...limits };
      return makeDiscount(world, { ...terms, ...offOf(off), ...times });
    },
    endDiscount: (discount: Discount, date: string) => endDiscount(world, discount, at(date)),
    closeNow: (date: string) => {
      go(date);
      return generate(world, subscription, true)![0]!;
    },
    generate: () => generate(world, subscription, false)!,
    /** The reason if the change is refused. */
    change: (date: string, plan: Plan, settle: Settle = 'balance', passing: Partial<Passing> = {}) =>
      changePlan(world, subscription, { at: at(date), plan, settle, ...NO_PASSING, ...passing }),
    /** The reason if the end, a date or one of these two, is refused. */
    cancel: (time: string, settle: Settle = 'balance') =>
      cancel(world, subscription, { at: endOf(time), settle }),
    takeBackEnd: () => takeBackEnd(world, subscription),
    /** The reason if the end of the trial is refused. */
    trial: (date: string) => setTrial(world, subscription, date === 'now' ? date : at(date)),
    current: () => currentPeriod(subscription, world.now),
    terms: () => termsAt(subscription, world.now),
    void: (date: string) => voidInvoice(world, invoiceOf(date)),
    /** Amounts in USD. */
    says: (invoice: Invoice | string) => {
      const { lines } = typeof invoice === 'string' ? invoiceOf(invoice) : invoice;
      return lines.map(({ quantity, draws, amount }) => {
        const credits = decimalText(total(draws.map((draw) => draw.amount)));
        return `${decimalText(quantity)} units, ${credits} credits: ${usd(amount)}`;
      });
    },
    /** Amounts in USD, those before percents in brackets. */
    prices: (invoice: Invoice | string) => {
      const { lines } = typeof invoice === 'string' ? invoiceOf(invoice) : invoice;
      return lines.map(
        ({ amount, amount_before: before }) => `${usd(amount)}${before === null ? '' : ` (${usd(before)})`}`,
      );
    },
    /** The credit notes of an invoice, in USD; their reasons without the year. */
    notes: (invoice: Invoice | string) =>
      (typeof invoice === 'string' ? invoiceOf(invoice) : invoice).notes.map(noteText),
    /** The periods of all invoices. */
    billed: () => world.invoices.map(({ period: { start: from, end } }) => `${from} to ${end}`),
    /** The balance of each grant. */
    left: (...grants: Grant[]) => grants.map((grant) => decimalText(remainingOf(world, grant))),
  };
}

function offOf(off: string | { amount: string }): Pick<Discount, 'percent' | 'amount'> {
  return typeof off === 'string' ? { percent: off, amount: null } : { percent: null, ...off };
}

/** "12.34" of 1234 hundredths. */
export function usd(amount: bigint): string {
  return rounded({ n: amount, d: 100n }, 2);
}

function noteText({ reason, total: sum, to_invoice, to_balance, outside, is_void }: CreditNote): string {
  const parts = [
    ...(to_invoice > 0n ? [`${usd(to_invoice)} due less`] : []),
    ...(to_balance > 0n ? [`${usd(to_balance)} to the balance`] : []),
    ...(outside > 0n ? [`${usd(outside)} outside`] : []),
    ...(is_void ? ['void'] : []),
  ];
  return `${reason.replaceAll(/ \d{4}/g, '')}: ${usd(sum)}, ${parts.join(', ')}`;
}
