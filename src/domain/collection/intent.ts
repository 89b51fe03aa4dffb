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
