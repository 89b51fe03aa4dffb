/** States of an intent at the provider: `unconfirmed` has charged nothing and does not by itself. */
export const INTENT_STATUSES = [
  'unconfirmed',
  'processing',
  'action_required',
  'succeeded',
  'declined',
  'canceled',
] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

/** Why a charge is declined, in the provider's word, and what may be tried. */
export type Decline = {
  code: string;
  /** `later`: the same method again; `never`: no more with this method; `by_schedule`: as the account tries again. */
  again: 'later' | 'never' | 'by_schedule';
};
