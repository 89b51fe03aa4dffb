import type { StoredPeriod } from '../subscription/following-period.ts';
import type { InvoiceCause, InvoiceState } from '../lines/invoice-state.ts';

/**
 * A close of one period of a subscription. It counts usage and shows credit up to a revision of the period's draft,
 * where the draft is below it, and issues the draft.
 */
export type CloseRequest = {
  subscription_id: string;
  period_start: string;
  /** The revision to count; absent to take what the draft has counted. */
  usage_revision?: number;
  /** The revision of the provisional credit; absent if no step of the workflow asks for it. */
  credit_revision?: number;
  /** Counts the draft again up to the cut-off that it was counted to, for an invoice item that it takes or loses. */
  recounts?: boolean;
  issues: boolean;
  /** The invoice is made without lines too. */
  may_be_empty?: boolean;
  /** A period that is closed, and whose invoice is void, gets an invoice again. */
  bills_again?: boolean;
  /** The void invoice that the new one replaces; a replacing draft takes over its hold. */
  replaces?: string;
  /** Why the invoice is made before the end; absent for the cause of the one that it replaces. */
  cause?: InvoiceCause;
  /** The period itself, for a preview of one that is not stored yet. */
  period?: StoredPeriod;
  /** Instant of a cut that only a preview makes: the stored period ends there. */
  cut_at?: string;
  /** The invoice items that the invoice takes; absent for all that are on no other invoice. */
  item_ids?: readonly string[];
};

/** The part of a request that is left to do. */
export type Work = {
  /** The period is open: it closes, and the next one opens. */
  closes: boolean;
  /** False for a trial, which makes no invoice. */
  bills: boolean;
  /** Usage is counted; else the count of the draft stands. */
  counts: boolean;
  /** Usage is counted up to a new cut-off; else up to that of the draft. */
  takes_cut_off: boolean;
  issues: boolean;
  /** False for the last invoice of a canceled subscription: without lines that invoice is not made. */
  may_be_empty: boolean;
  usage_revision: number;
  credit_revision: number;
};

export type Billed = { period: StoredPeriod; invoice: InvoiceState | null };

/**
 * Finds the part of a request that is left to do; null if nothing is: it was done before, the invoice was issued, or it
 * is void, so that only a close that bills again makes another.
 */
export function workOf(request: CloseRequest, { period, invoice }: Billed): Work | null {
  const { usage_revision, credit_revision, issues, recounts = false } = request;
  if (invoice === null) {
    const closes = period.closed_at === null;
    if (usage_revision === undefined || !(closes || request.bills_again === true)) return null;
    const bills = period.kind !== 'trial';
    const may_be_empty = period.kind !== 'late' || !closes || request.may_be_empty === true;
    const work = { closes, bills, counts: bills, takes_cut_off: bills, issues, may_be_empty, usage_revision };
    return { ...work, credit_revision: credit_revision ?? 0 };
  }
  if (invoice.status !== 'draft') return null;
  const is_below = (usage_revision ?? 0) > invoice.usage_revision;
  const is_uncredited = (credit_revision ?? 0) > invoice.credit_revision;
  const takes_cut_off = is_below || (issues && invoice.is_stale);
  const counts = takes_cut_off || recounts;
  if (!counts && !issues && !is_uncredited) return null;
  return {
    closes: false,
    bills: true,
    counts,
    takes_cut_off,
    issues,
    may_be_empty: true,
    usage_revision: is_below ? usage_revision! : invoice.usage_revision,
    credit_revision: is_uncredited ? credit_revision! : invoice.credit_revision,
  };
}
