import type { Collection } from './collection.ts';
import type { Discount } from './percents.ts';
import type { QuantityStep } from './quantities.ts';
import type { Rational } from '../../support/oracles/price-oracle.ts';
import type { Charge, Plan } from './plans.ts';

/** The state of a customer's life by billing.md alone. Nothing is read from the product, and only lines are rounded. */
export type World = {
  currency: string;
  /** Minor digits of the currency; amounts are in minor units. */
  digits: number;
  tax_rate: string;
  /** IANA name; subscriptions keep it. */
  timezone: string;
  now: Instant;
  hold_drafts: boolean;
  /** Events in the order of storing. */
  events: StoredEvent[];
  subscriptions: Subscription[];
  /** The plans that exist, in the order of creation. */
  plans: Plan[];
  grants: Grant[];
  /** Discounts in the order of making. */
  discounts: Discount[];
  /** Invoices in the order of creation. */
  invoices: Invoice[];
  /** Items in the order of adding, deleted ones too. */
  items: Item[];
  /** Number of invoices numbered so far. */
  numbered: number;
  /** Balance in minor units. */
  balance: bigint;
  /** Movements of the balance, from the oldest. */
  entries: { type: string; amount: bigint; invoice: Invoice | null }[];
  /** Payments in advance, in the order of recording. */
  deposits: Payment[];
  /** Transfers, in the order of recording. */
  transfers: Transfer[];
  /** Payment methods, charges and pauses. */
  collection: Collection;
  /** Closed months, such as 2027-02, and whether the clock had passed each when it was closed. */
  closed: Map<string, { was_over: boolean }>;
  /** Items have moved since the API was last compared, which a workflow does after the answer. */
  has_moved_items: boolean;
  /** How often each situation occurred: a run that meets few situations proves little. */
  seen: Map<string, number>;
};

/** RFC 3339 in UTC with milliseconds, so that instants compare as texts. */
export type Instant = string;
export type Span = { start: Instant; end: Instant };

export type { Charge, Division, Plan, PlanGrant } from './plans.ts';

export type StoredEvent = {
  event_name: string;
  timestamp: Instant;
  stored_at: Instant;
  properties: Readonly<Record<string, unknown>>;
};

/** An amount that a person puts on the next invoice of a subscription. `amount` is in minor units. */
export type Item = {
  subscription: Subscription;
  quantity: Rational;
  unit_amount: string;
  amount: bigint;
  is_deleted: boolean;
  /** The item of which this one is the rest. */
  split_from: Item | null;
};

/** The use of unused time of fees in advance at an end: a note that gives to the balance, one that is paid back outside, or no note. */
export type Settle = 'balance' | 'outside' | 'none';

/** How fees in advance pass from a plan to the next: by exact time, at the boundary, or the new one whole. */
export type Proration = 'exact' | 'none' | 'full';

/** A plan from an instant on. */
export type Change = Passing & { at: Instant; plan: Plan; settle: Settle };

/** The terms of a change beside its plan. */
export type Passing = {
  proration: Proration;
  cycle: 'keep' | 'restart';
  /** Whether grants of the plan that goes, for the running period, cover nothing from the change on. */
  take_back_grants: boolean;
};

export type Subscription = {
  first_plan: Plan;
  /** Changes of the plan, oldest first; at most the last one lies ahead. */
  changes: Change[];
  /** Its plan or its end has changed or was to change, even if that was dropped or withdrawn since. */
  has_changed: boolean;
  timezone: string;
  start: Instant;
  trial_end: Instant | null;
  anchor: Instant | null;
  cancel_at: Instant | null;
  /** The one of the cancellation. */
  settle: Settle;
  /** The amount of usage at which its open part is billed before its end, as a decimal; null: never. */
  bill_at: string | null;
  /** Quantities of flat charges, in the order of the requests. */
  quantities: QuantityStep[];
  /** Periods that have begun, oldest first; the last one is open unless its last part is closed. */
  full_periods: FullPeriod[];
  /** Periods that a change or a cancellation at their very start took out; they end where they start. */
  exchanged: FullPeriod[];
  /** Periods that an end before them took out once they were billed; they end where they start. */
  left_out: FullPeriod[];
  /** The late window after a cancellation. */
  late_period: LatePeriod | null;
  /** It never bills, and its end has come: items that were pending then have opened the late window. */
  has_ended: boolean;
  /** Nothing follows any more, and items that were left have moved. */
  is_finished: boolean;
};

/** A period before any cut; each of its parts gets its own invoice. A cancellation or a change of plan shortens it. */
export type FullPeriod = Span & {
  plan: Plan;
  /** The time from boundary to boundary that a flat amount pays for. */
  interval: Span;
  /** The time that a fee in advance pays for: the same, or what a change with `full` left of it; null where the old fee runs on. */
  fee_interval: Span | null;
  parts: Part[];
  /** The one of the change or cancellation that ended it. */
  settle: Settle;
  /** The end up to which it was billed, where an end in it or before it came since; null for any other. */
  ran_to: Instant | null;
};

/** `cause` says why it was cut, where no person did it. */
export type Part = Span & {
  kind: 'part';
  full_period: FullPeriod;
  is_closed: boolean;
  cause: 'threshold' | null;
};
export type LatePeriod = Span & { kind: 'late'; is_closed: boolean };
/** The time that an opening invoice bills, as it was known when it was made; the number of a further one is from 2 on. */
export type OpeningPeriod = Span & { kind: 'opening'; full_period: FullPeriod; number: number };

export type Invoice = {
  subscription: Subscription;
  period: Part | LatePeriod | OpeningPeriod;
  /** The time that it says, which an end in a period that is billed does not change. */
  says: Span;
  /** The number of events that were stored when it was counted last. */
  counted: number;
  status: 'draft' | 'open' | 'paid' | 'void';
  lines: Line[];
  /** The items that a regenerated invoice may take; null: all that are on no other invoice. */
  keeps: readonly Item[] | null;
  tax_rate: string;
  /** Position among the customer's numbered invoices. */
  number: number | null;
  created_at: Instant;
  issued_at: Instant | null;
  paid_at: Instant | null;
  voided_at: Instant | null;
  /** Payments in the order of recording. */
  payments: Payment[];
  /** Credit notes in the order of issue. */
  notes: CreditNote[];
  /** The amount that the balance covers now, and that it covered at the issue. */
  from_balance: bigint;
  at_issue: bigint;
  /** The parts of `from_balance` by their application, oldest first: what was applied last is taken first. */
  applied: { amount: bigint; at: Instant }[];
  replaces: Invoice | null;
  replaced_by: Invoice | null;
  /** Ledger sum per grant of what the issue and the void of this invoice took. */
  moved: Map<Grant, Rational>;
};

/** Amounts are in minor units. */
export type Payment = {
  amount: bigint;
  to_balance: bigint;
  reference: string | null;
  paid_at: Instant;
  is_reversed: boolean;
};

/** Money that was paid at once, in minor units: payments of invoices, and one in advance, whose invoice is null. */
export type Transfer = {
  amount: bigint;
  reference: string | null;
  paid_at: Instant;
  payments: { invoice: Invoice | null; payment: Payment }[];
};

/** `place` is that of the line on the invoice; amounts are in minor units, the lines' net. */
export type CreditNote = {
  lines: { place: number; amount: bigint }[];
  net: bigint;
  tax: bigint;
  total: bigint;
  to_invoice: bigint;
  to_balance: bigint;
  outside: bigint;
  issued_at: Instant;
  is_void: boolean;
  /** Billing made it itself, at the issue of `cause`. */
  automatic: boolean;
  cause: Invoice | null;
  reason: string;
  /** Position among the customer's notes. */
  number: number;
};

export type Line = {
  type: 'flat' | 'usage' | 'late_usage' | 'item' | 'discount' | 'minimum';
  /** The charge of a line; for an item, a charge of no plan, and the period of no usage; for a period line, a charge of no plan. */
  charge: Charge;
  item: Item | null;
  full_period: FullPeriod;
  period: Span;
  quantity: Rational;
  skipped_events: number;
  billable_quantity: Rational;
  /** Draws, signed: taken over from other lines, returned (negative), and newly drawn. */
  draws: Draw[];
  amount: bigint;
  /** The discounts of the line, oldest first; of a line of type `discount` the one that it takes off. */
  discounts: readonly Discount[];
  /** The amount without its percents; null on a line without percents. */
  amount_before: bigint | null;
  tiers: { quantity: Rational; amount: Rational }[] | null;
  /** The times of one quantity each, from the start of the full period, with their amounts; null without a quantity. */
  stretches: (Span & { quantity: string; amount: bigint })[] | null;
  /** The amount that other lines bill of a fee with a quantity; null of any other line. */
  billed_before: bigint | null;
  /** Every event within the line's spans, skipped events included. */
  held: ReadonlySet<StoredEvent>;
};

export type Draw = { grant: Grant; amount: Rational };

export type Grant = {
  amount: Rational;
  created_at: Instant;
  /** Null also where it follows the end of a period. */
  expires_at: Instant | null;
  rollover: boolean;
  /** The events that it covers; null: all. */
  event_names: readonly string[] | null;
  /** The subscription that it covers; null: all. */
  subscription: Subscription | null;
  note: string | null;
  /** The most that covers usage of the next full period; null: nothing does. */
  carry_over_max: Rational | null;
  /** The period that a grant of a plan was made for; null for any other. */
  origin: { subscription: Subscription; full_period: FullPeriod; ends_with_period: boolean } | null;
  /** Whether expires_at already includes the end of the billing period, or needs none. */
  is_expiry_final: boolean;
  is_voided: boolean;
};

/** Counts one occurrence of a situation. */
export function note(world: World, situation: string): void {
  world.seen.set(situation, (world.seen.get(situation) ?? 0) + 1);
}

/** The instant this many milliseconds later; earlier if negative. */
export function later(instant: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(instant) + milliseconds).toISOString();
}

/** Length in milliseconds. */
export function lengthOf({ start, end }: Span): number {
  return Date.parse(end) - Date.parse(start);
}
