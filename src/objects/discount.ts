import { Type, type Static } from 'typebox';
import { DISCOUNT_STATUSES } from '../domain/pricing/discount.ts';
import { identity, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

/** contract.md 3. */
export const DiscountObject = responseObject('Discount', {
  ...identity('discount'),
  status: oneOf(DISCOUNT_STATUSES, { description: "`ended` from `until` on, by the customer's clock." }),
  customer_id: Type.String(),
  subscription_id: nullable(
    Type.String({ description: 'The subscription that has it; null: each one of the customer.' }),
  ),
  currency: Type.String(),
  name: Type.String(),
  percent: nullable({ ...ResponseDecimal, description: 'Off the price of each line; null for an amount.' }),
  amount: nullable({ ...ResponseDecimal, description: 'Off each full period, net; null for a percent.' }),
  event_names: nullable(
    Type.Array(Type.String(), { description: 'The charges with these event names alone; null: all.' }),
  ),
  from: ResponseInstant,
  until: nullable(ResponseInstant),
});
export type DiscountObject = Static<typeof DiscountObject>;
