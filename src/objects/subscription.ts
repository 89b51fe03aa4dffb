import { Type } from 'typebox';
import { AnsweredInstant, answerObject, identity, nullable, oneOf } from './parts.ts';

export const SUBSCRIPTION_STATUSES = ['pending', 'trialing', 'active', 'canceled'] as const;

/** contract.md 3: the status follows from the dates and the customer's clock. */
export const SubscriptionObject = answerObject('Subscription', {
  ...identity('subscription'),
  customer_id: Type.String(),
  plan_id: Type.String(),
  status: oneOf(SUBSCRIPTION_STATUSES),
  start_date: AnsweredInstant,
  trial_end_date: nullable(AnsweredInstant),
  billing_anchor: nullable(AnsweredInstant),
  current_period_start: AnsweredInstant,
  current_period_end: AnsweredInstant,
  cancel_at: nullable(AnsweredInstant),
  canceled_at: nullable(AnsweredInstant),
  attention: nullable(Type.String({ description: 'Why it waits for a person.' })),
  unbilled_since: nullable({
    ...AnsweredInstant,
    description: 'While it waits for a person: the end of its first period that is due and not billed.',
  }),
  workflow_id: Type.String(),
});
