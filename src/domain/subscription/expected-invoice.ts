import type { StoredPeriod } from './following-period.ts';
import type { NextDraft } from './next-step.ts';
import { earliest } from '../time/period.ts';
import { holdUntil, type BillingSettings, type Subscription } from './subscription.ts';

/**
 * An event that waits for an invoice. `invoice_id` is the draft that holds it, if one does. `period_start` is that of
 * the part of a full period that has its timestamp, and `full_period_end` the end of that full period; null where that
 * period is yet to open.
 */
export type WaitingEvent = {
  status: 'pending' | 'late';
  invoice_id: string | null;
  period_start: string | null;
  full_period_end: string | null;
};

/** The invoices of a subscription that are yet to be issued: its drafts, and that of its open period. */
export type InvoicesToCome = { drafts: readonly NextDraft[]; open: StoredPeriod | null };

type Expecting = {
  subscription: Pick<Subscription, 'livemode' | 'hold_drafts' | 'attention'>;
  to_come: InvoicesToCome;
};

/**
 * The next issue of an invoice: of a draft with its id, of the open period without one. `at` is null where a person has
 * to act first.
 */
type Issue = { invoice_id: string | null; period_start: string; at: string | null };

/**
 * The instant, by the customer's clock, at which the invoice that takes an event is issued, if nobody acts before: a
 * draft that holds it, else the first that is due of the parts of its full period from its own on (billing.md 1), and
 * for late usage the next invoice of the subscription (billing.md 5). Null where no invoice is due, or a person has to
 * act first: on a draft that is held, and for a subscription that waits.
 */
export function expectedAt(
  event: WaitingEvent,
  { subscription, to_come }: Expecting,
  settings: BillingSettings,
): string | null {
  if (subscription.attention !== null) return null;
  const issues = issuesToCome(subscription, to_come, settings).filter((issue) => takes(issue, event));
  const due = issues.flatMap(({ at }) => at ?? []);
  return due.length === 0 ? null : due.reduce(earliest);
}

function issuesToCome(
  subscription: Pick<Subscription, 'livemode' | 'hold_drafts'>,
  { drafts, open }: InvoicesToCome,
  settings: BillingSettings,
): Issue[] {
  const of_drafts = drafts.map(({ id, period_start, held_until }) => ({
    invoice_id: id,
    period_start,
    at: held_until,
  }));
  if (open === null || open.kind === 'trial') return of_drafts;
  const { period_start } = open;
  return [...of_drafts, { invoice_id: null, period_start, at: holdUntil(subscription, open, settings) }];
}

function takes(issue: Issue, { status, invoice_id, period_start, full_period_end }: WaitingEvent): boolean {
  if (invoice_id !== null) return issue.invoice_id === invoice_id;
  if (status === 'late') return true;
  if (period_start === null || full_period_end === null) return false;
  return issue.period_start >= period_start && issue.period_start < full_period_end;
}
