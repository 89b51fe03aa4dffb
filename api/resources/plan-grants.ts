import { Type, type Static } from 'typebox';
import { decimal } from '../../src/domain/money/decimal.ts';
import { BillingError, type ErrorDetail } from '../../src/domain/money/errors.ts';
import type { PlanGrant } from '../../src/domain/credit/plan-grant.ts';
import { exactly } from '../../src/objects/parts.ts';
import { decimalNumber, GRANT_AMOUNT, GrantEventNames } from '../schema/schemas.ts';

/** A word or an object. One schema for both types, so that a fault names the member of the object. */
const Expires = Type.Unsafe<'period_end' | { days: number }>({
  type: ['string', 'object'],
  pattern: '^period_end$',
  properties: { days: Type.Integer({ minimum: 1, maximum: 3650 }) },
  required: ['days'],
  additionalProperties: false,
  'x-fault': 'must be "period_end", or an object with days',
  description: 'The end of the full period as it really runs, or days after its start.',
});

export const NewPlanGrant = exactly({
  amount: decimalNumber(GRANT_AMOUNT, 'In units of usage, for each full period.'),
  event_names: Type.Optional(GrantEventNames),
  expires: Expires,
  carry_over_max: Type.Optional(
    decimalNumber(
      GRANT_AMOUNT,
      'Of what is left, at most so much covers usage of the next full period. At most `amount`, only with `period_end`.',
    ),
  ),
  prorate: Type.Boolean({
    default: false,
    description:
      'A period that is short as it begins has its share by exact time up to the next boundary, in whole units, and none for 0.',
  }),
});

/** The grants of a new plan, as they are stored. Throws invalid_request with all faults that a schema cannot find. */
export function planGrantsOf(sent_grants: readonly Static<typeof NewPlanGrant>[]): PlanGrant[] {
  const grants = sent_grants.map(({ event_names = null, carry_over_max = null, ...grant }) => ({
    ...grant,
    event_names,
    carry_over_max,
  }));
  const faults = grants.flatMap((grant, index) => carryOverFaults(grant, `grants[${index}].carry_over_max`));
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
  return grants;
}

function carryOverFaults({ amount, expires, carry_over_max }: PlanGrant, param: string): ErrorDetail[] {
  if (carry_over_max === null) return [];
  if (expires !== 'period_end')
    return [{ param, reason: 'not_allowed', message: `${param} is only allowed with expires period_end` }];
  return decimal(carry_over_max).gt(amount)
    ? [{ param, reason: 'out_of_range', message: `${param} must be at most ${amount}, the amount` }]
    : [];
}
