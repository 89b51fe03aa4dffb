/** Statuses of an attempt to charge an invoice (billing.md 20): the first two are those of an open one. */
export const ATTEMPT_STATUSES = [
  'pending',
  'processing',
  'action_required',
  'succeeded',
  'declined',
  'canceled',
] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Ends without money. */
export type Ending = 'action_required' | 'declined' | 'canceled';

/** Who began an attempt. */
export const ATTEMPT_ORIGINS = ['schedule', 'person'] as const;
