import { decimal } from '../money/decimal.ts';
import type { Ending } from './attempt.ts';
import type { Decline } from './decline.ts';
import type { IntentStatus } from './intent.ts';

/** An open attempt: what it ends as once its intent is canceled, null while it is to charge. */
export type OpenAttempt = { ends_as: Ending | null };

/** The intent of an attempt, as the provider has it. */
export type AttemptIntent = { status: IntentStatus; amount: string; decline: Decline | null };

/**
 * Steps of an attempt. Its row says so before the provider is asked, so that whatever is lost or killed is done
 * again: each step may be repeated.
 */
export type CollectionStep =
  /** Looks for an intent that nobody here knows, and only then makes one; none if `may_charge` is false. */
  | { kind: 'prepare'; may_charge: boolean }
  | { kind: 'set_amount'; amount: string }
  | { kind: 'confirm' }
  | { kind: 'cancel'; ends_as: Ending; decline: Decline | null }
  /** Records the payment. */
  | { kind: 'settle' }
  | { kind: 'end'; status: Ending }
  | { kind: 'wait' };

/**
 * The next step of an open attempt (billing.md 20). `intent` is null before it is prepared. `due` is what is due, null
 * if nothing may be charged: the invoice is not open, collection is paused, or the method is removed. An intent that is
 * not confirmed follows it, also while a lost confirmation may still arrive: the provider then charges one amount or
 * the other, and the payment is of that.
 */
export function nextStep(
  { ends_as }: OpenAttempt,
  intent: AttemptIntent | null,
  due: string | null,
): CollectionStep {
  if (intent === null) return { kind: 'prepare', may_charge: due !== null && ends_as === null };
  const { status, amount, decline } = intent;
  switch (status) {
    case 'unconfirmed':
      if (due === null || ends_as !== null)
        return { kind: 'cancel', ends_as: ends_as ?? 'canceled', decline: null };
      if (!decimal(due).eq(amount)) return { kind: 'set_amount', amount: due };
      return { kind: 'confirm' };
    case 'declined':
      return { kind: 'cancel', ends_as: ends_as ?? 'declined', decline };
    case 'action_required':
      // Its payer is absent and pays by a page, which must not charge beside it.
      return { kind: 'cancel', ends_as: ends_as ?? 'action_required', decline };
    case 'processing':
      return { kind: 'wait' };
    case 'succeeded':
      return { kind: 'settle' };
    case 'canceled':
      return { kind: 'end', status: ends_as ?? 'canceled' };
  }
}
