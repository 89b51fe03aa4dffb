/** Why a charge is declined, in the provider's word, and what may be tried. */
export type Decline = {
  code: string;
  /** `later`: the same method again; `never`: no more with this method; `by_schedule`: as the account tries again. */
  again: 'later' | 'never' | 'by_schedule';
};

/** Declines that say nothing about the method: the bank could not answer. */
const LATER = new Set(['try_again_later', 'processing_error', 'issuer_not_available', 'reenter_transaction']);

/** Declines after which the method never works again. */
const NEVER = new Set([
  'stolen_card',
  'lost_card',
  'pickup_card',
  'restricted_card',
  'fraudulent',
  'invalid_account',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'stop_payment_order',
  'debit_not_authorized',
  'account_closed',
]);

/** Meaning of a decline: the advice of the network, where there is one, else the code. */
export function declineOf({ code, advice }: { code: string; advice: string | null }): Decline {
  if (advice === 'do_not_try_again' || NEVER.has(code)) return { code, again: 'never' };
  if (advice === 'try_again_later' || LATER.has(code)) return { code, again: 'later' };
  return { code, again: 'by_schedule' };
}
