import type { Instant, Invoice, Payment } from './world.ts';

/** Payment methods, charges, refunds, disputes and pauses of a customer (billing.md 18 to 24). Amounts are in minor units. */
export type Collection = {
  /** The environment has a provider. */
  has_provider: boolean;
  /** Methods in the order of saving. */
  methods: Method[];
  /** Attempts in the order of making. */
  attempts: Attempt[];
  /** Payment pages in the order of making. */
  pages: PaymentPage[];
  /** Plans of charges in the order of the issue of their invoices. */
  schedules: Schedule[];
  settings: Settings;
  /** The pause of the customer, and those of invoices. */
  pause: Pause | null;
  pauses: Map<Invoice, Pause>;
  /** Charges that the provider has made, from the oldest. */
  charges: ProviderCharge[];
  /** The money at the provider: charged, less what went back. */
  cash: bigint;
};

/** The answer of the bank of a card: one that declines an invoice a number of times charges it after them; null is always. */
export type Card =
  'succeeds' | 'processing' | 'authentication_required' | { declined: string; times: number | null };

export type Method = {
  label: string;
  card: Card;
  status: 'active' | 'failing' | 'removed';
  is_default: boolean;
};

/** `until` is the last day in the time zone of the customer. */
export type Pause = {
  reason: 'disputed' | 'promised' | 'other';
  until: string | null;
  /** A refund or a dispute has made it, and ends it. */
  is_automatic: boolean;
};

export type Attempt = {
  invoice: Invoice;
  /** Counts the attempts of the invoice from 1. */
  number: number;
  /** The amount to charge; of one that succeeded the amount that it has charged. */
  amount: bigint;
  method: Method;
  by: 'person' | 'schedule';
  status: 'pending' | 'processing' | 'action_required' | 'succeeded' | 'declined' | 'canceled';
  decline_code: string | null;
  /** The provider has charged it. */
  is_charged: boolean;
  payment: Payment | null;
  created_at: Instant;
};

/** A charge that the provider has made, and the payments of it, from the oldest. */
export type ProviderCharge = {
  invoice: Invoice;
  amount: bigint;
  payments: Payment[];
  refunds: Refund[];
  disputes: Dispute[];
};

/** A part that a refund or a dispute took of the payments of a charge. */
type Taking = { charge: ProviderCharge; amount: bigint; taken: bigint };

export type Refund = Taking & {
  status: 'succeeded' | 'failed';
  /** The payment of which a credit note refunds; null for a refund that reverses payments itself. */
  of_note: Payment | null;
  by: 'person' | 'provider';
};

export type Dispute = Taking & { status: 'inquiry' | 'open' | 'won' | 'lost' };

/** A page of the provider on which a payer pays an invoice; `saves` says whether it saves the method for later charges. */
export type PaymentPage = {
  invoice: Invoice;
  amount: bigint;
  saves: boolean;
  /** It was paid by a debit that takes days. */
  is_debited: boolean;
  status: 'open' | 'paid' | 'expired';
  payment: Payment | null;
};

/** The planned charges of an invoice. */
export type Schedule = {
  invoice: Invoice;
  status: 'scheduled' | 'exhausted' | 'action_required' | 'none' | 'over';
  /** The instant of the next charge, before pauses; the last one while it is under way. */
  at: Instant | null;
  /** The first charge of the round, from which the days count. */
  first: Instant | null;
  /** The next charge is the first one of a round: that of a new plan, or of a new default method. */
  begins_round: boolean;
  /** A method could be charged at its time; false where none could, which a first one makes good. */
  had_method: boolean;
};

export type Settings = {
  mode: 'manual' | 'automatic';
  charge_on: 'issue' | 'due_date';
  retry_days: readonly number[];
  /** Whole hours of the customer within which emails and charges go out. */
  hours: { from: number; until: number };
  net_days: number;
};

const SETTINGS: Settings = {
  ...{ mode: 'manual', charge_on: 'issue', retry_days: [3, 7, 14], hours: { from: 8, until: 18 } },
  net_days: 2,
};

export function newCollection(): Collection {
  return {
    ...{ has_provider: false, methods: [], attempts: [], pages: [], schedules: [], charges: [] },
    settings: { ...SETTINGS },
    ...{ pause: null, pauses: new Map(), cash: 0n },
  };
}
