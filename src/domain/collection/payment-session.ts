import type { IntentStatus } from './intent.ts';

/** Statuses of a page on which an invoice is paid (billing.md 22). */
export const SESSION_STATUSES = ['open', 'paid', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** A page as the provider has it: `complete` once its payer has paid, which a debit takes days to do. */
export type PageState = { status: 'open' | 'complete' | 'expired'; intent_status: IntentStatus | null };

/** Fate of a page: `under_way` is a payment that takes days, `over` a page that nobody can pay any more. */
export type PageOutcome = 'open' | 'under_way' | 'paid' | 'over';

/** Outcome of a page as it was read. */
export function outcomeOf({ status, intent_status }: PageState): PageOutcome {
  if (status === 'expired') return 'over';
  if (status === 'open' || intent_status === null) return 'open';
  switch (intent_status) {
    case 'succeeded':
      return 'paid';
    case 'declined':
    case 'canceled':
      return 'over';
    case 'processing':
    // A voucher or a transfer: the payer still has to pay it, elsewhere.
    case 'action_required':
    case 'unconfirmed':
      return 'under_way';
  }
}
