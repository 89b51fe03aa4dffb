import { asFault, Fault } from '../../api/fault.ts';
import type { Customer, FaultDetail, Invoice, PaymentAttempt } from '../../api/objects.ts';
import { words } from '../../components/values.tsx';

/** Why the API refuses a charge, by the reason of a conflict. */
const REFUSALS: Readonly<Partial<Record<FaultDetail['reason'], string>>> = {
  invalid_state: 'The invoice is no longer open. Reload the page.',
  not_chargeable: 'The payment provider does not charge such an amount.',
  charge_in_progress: 'A charge of this invoice is under way. Wait for its outcome.',
  paused: 'Reminders and charges of this invoice or of its customer are paused. Resume them first.',
  no_payment_method: 'This method can no longer be charged. Choose another one.',
};

/** Codes of the provider that are no plain words. */
const DECLINES: Readonly<Record<string, string>> = {
  generic_decline: 'the bank does not say why',
  do_not_honor: 'the bank does not say why',
  card_declined: 'the bank does not say why',
  authentication_required: 'the bank wants the payer to confirm it',
  not_confirmed: 'the provider did not take it',
};

/** Why there is no page on which an invoice is paid, by the reason of a conflict. */
const REFUSALS_OF_PAGE: typeof REFUSALS = {
  ...REFUSALS,
  charge_in_progress: 'A payment of this invoice is under way. A bank may need some days.',
  key_refused: 'The payment provider makes no page at present.',
  provider_refused: 'The payment provider makes no page for this invoice.',
};

/** Any thrown value as a Fault, which says in words why an invoice cannot be charged. */
export function refusalOfCharge(error: unknown): Fault {
  return refusalIn(REFUSALS, error);
}

/** Any thrown value as a Fault, which says in words why there is no page on which an invoice is paid. */
export function refusalOfPage(error: unknown): Fault {
  return refusalIn(REFUSALS_OF_PAGE, error);
}

function refusalIn(words_of: typeof REFUSALS, error: unknown): Fault {
  const fault = asFault(error);
  const { status, code, request_id } = fault;
  if (status !== 409) return fault;
  const details = fault.details.map((detail) => ({
    ...detail,
    message: words_of[detail.reason] ?? detail.message,
  }));
  const message = details[0]?.message ?? fault.message;
  return new Fault({ status, code, message, details, request_id });
}

/** Why an attempt was declined, in words; null for any other one. */
export function declineInWords({ decline_code }: Pick<PaymentAttempt, 'decline_code'>): string | null {
  return decline_code === null ? null : (DECLINES[decline_code] ?? words(decline_code));
}

/** How invoices are charged, as a field and a page say it. */
export const CHARGE_MODES: Readonly<Record<NonNullable<Customer['charge_mode']>, string>> = {
  manual: 'By a person',
  automatic: 'By themselves',
};

const COLLECTION: Readonly<Record<Invoice['collection']['status'], string | null>> = {
  none: null,
  scheduled: 'planned',
  paused: 'planned, and paused',
  charging: 'under way',
  processing: 'under way, for some days',
  action_required: 'the payer has to confirm the last one',
  exhausted: 'all have failed',
  done: 'over',
};

/** How far the planned charges of an invoice are, in words; null without any. */
export function collectionInWords({ status }: Invoice['collection']): string | null {
  return COLLECTION[status];
}
