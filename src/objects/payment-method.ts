import { Type, type Static } from 'typebox';
import { METHOD_STATUSES } from '../domain/collection/payment-method.ts';
import { identity, nullable, oneOf, responseObject, ResponseInstant } from './parts.ts';

/** A method of payment as the API and the feed show it (contract.md 15). */
export const PaymentMethodObject = responseObject('PaymentMethod', {
  ...identity('payment_method'),
  customer_id: Type.String(),
  type: Type.String({ description: "In the provider's word.", examples: ['card'] }),
  label: Type.String({ description: 'Its name for people.', examples: ['Visa 4242'] }),
  expires: nullable(Type.String({ description: 'A month.', examples: ['2028-04'] })),
  status: oneOf(METHOD_STATUSES, {
    description: '`failing`: its bank refuses it for good. `removed`: it is gone, here and at the provider.',
  }),
  is_default: Type.Boolean({ description: 'Whether its customer is charged with it.' }),
});
export type PaymentMethod = Static<typeof PaymentMethodObject>;

/** A page of the provider on which a customer saves a method. */
export const PaymentMethodSessionObject = responseObject('PaymentMethodSession', {
  object: Type.Literal('payment_method_session'),
  url: Type.String({ examples: ['https://checkout.stripe.com/c/pay/cs_test_a1B2c3D4'] }),
  expires_at: ResponseInstant,
});
