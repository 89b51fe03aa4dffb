import { Type } from 'typebox';
import { listReceivedTwice, readProviderFault } from '../../src/db/collection/provider-troubles.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { nullable, ResponseDecimal, ResponseInstant, responseObject } from '../../src/objects/parts.ts';

const RECEIVED_TWICE_MAX = 20;

/** Troubles of charges that Home shows: why the provider is failing, and money that came twice (billing.md 20). */
export const PaymentTroubles = responseObject('PaymentTroubles', {
  provider_fault: nullable(
    Type.String({ description: 'Why the payment provider is failing. Null if it is not, or there is none.' }),
  ),
  received_twice: Type.Array(
    responseObject('ReceivedTwice', {
      payment_id: Type.String(),
      customer_id: Type.String(),
      invoice_id: nullable(Type.String()),
      amount: { ...ResponseDecimal, description: 'What went to the balance.' },
      currency: Type.String(),
      created_at: ResponseInstant,
    }),
    {
      description: `Charges of 30 days whose money went to the balance, while the customer has one: the ${RECEIVED_TWICE_MAX} newest.`,
    },
  ),
});

/** The troubles of an environment. */
export async function readPaymentTroubles(db: Db, environment_id: number) {
  return {
    provider_fault: await readProviderFault(db, environment_id),
    received_twice: await listReceivedTwice(db, environment_id, RECEIVED_TWICE_MAX),
  };
}
