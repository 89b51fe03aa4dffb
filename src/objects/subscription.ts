import { Type } from 'typebox';
import { ResponseInstant, responseObject, identity, nullable, oneOf } from './parts.ts';

export const SUBSCRIPTION_STATUSES = ['pending', 'trialing', 'active', 'canceled'] as const;

/** contract.md 3: the status follows from the dates and the customer's clock. */
export const SubscriptionObject = responseObject('Subscription', {
  ...identity('subscription'),
  customer_id: Type.String(),
  plan_id: Type.String(),
  status: oneOf(SUBSCRIPTION_STATUSES),
  start_date: ResponseInstant,
  trial_end_date: nullable(ResponseInstant),
  billing_anchor: nullable(ResponseInstant),
  timezone: Type.String({
    description:
      'The time zone of the customer when the subscription was created, an IANA name. Periods follow the days and months of this zone.',
  }),
  current_period_start: ResponseInstant,
  current_period_end: ResponseInstant,
  cancel_at: nullable(ResponseInstant),
  canceled_at: nullable(ResponseInstant),
  attention: nullable(Type.String({ description: 'The reason why the subscription needs attention.' })),
  unbilled_since: nullable({
    ...ResponseInstant,
    description: 'If the subscription needs attention: the end of the first due period that is not billed.',
  }),
  workflow_id: Type.String(),
});
