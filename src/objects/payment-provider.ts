import { Type, type Static } from 'typebox';
import { PROVIDER_KINDS, PROVIDER_STATUSES } from '../domain/collection/payment-method.ts';
import { deletedObject, identity, nullable, oneOf, responseObject } from './parts.ts';

/** A payment provider as the API and the feed show it (contract.md 15). It never has a secret. */
export const PaymentProviderObject = responseObject('PaymentProvider', {
  ...identity('payment_provider'),
  kind: oneOf(PROVIDER_KINDS),
  account: Type.String({ description: 'Its id at the provider.', examples: ['acct_1Q2w3E4r5T6y7U8i'] }),
  status: oneOf(PROVIDER_STATUSES, {
    description: '`failing`: it refuses the key or does not answer. What is asked waits.',
  }),
  status_reason: nullable(Type.String({ description: "The provider's words, of `failing`." })),
  key_last_four: Type.String({ description: 'The last characters of the secret key.' }),
  webhook_url: Type.String({ description: 'The address to which the provider posts its events.' }),
});
export type PaymentProvider = Static<typeof PaymentProviderObject>;

export const DeletedPaymentProvider = deletedObject('DeletedPaymentProvider', 'payment_provider');
