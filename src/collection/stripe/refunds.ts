import type Stripe from 'stripe';
import { amountOfMinor } from '../../domain/collection/minor-amount.ts';
import type { PaymentProvider, ProviderDispute, ProviderRefund } from '../provider.ts';
import { idOf, unlessMissing, type Ask } from './asked.ts';
import { chargeOf } from './intents.ts';
import { PAGE, pageOf, placeOf } from './page.ts';

/** Refunds of one charge that are read. */
const REFUNDS_MAX = 1000;

/** Refunds and disputes. */
export function refundsOf(stripe: Stripe, ask: Ask) {
  const { refunds, disputes } = stripe;
  return {
    createRefund: ({ refund_id, charge_reference, ...money }) =>
      ask(async () => {
        const { amount } = chargeOf(money);
        const refund = { payment_intent: charge_reference, amount, metadata: { refund_id } };
        return refundOf(await refunds.create(refund, { idempotencyKey: refund_id }));
      }),
    readRefund: (reference) =>
      ask(() => unlessMissing(async () => refundOf(await refunds.retrieve(reference)))),
    refundsOf: (charge_reference) =>
      ask(async () => {
        const newest = refunds.list({ payment_intent: charge_reference, limit: PAGE });
        return (await newest.autoPagingToArray({ limit: REFUNDS_MAX })).map(refundOf).reverse();
      }),
    readDispute: (reference) =>
      ask(() => unlessMissing(async () => disputeOf(await disputes.retrieve(reference)))),
    refundsSince: (place) => ask(async () => pageOf(await refunds.list(placeOf(place)), refundOf)),
    disputesSince: (place) => ask(async () => pageOf(await disputes.list(placeOf(place)), disputeOf)),
  } satisfies Partial<PaymentProvider>;
}

function refundOf(refund: Stripe.Refund): ProviderRefund {
  return {
    reference: refund.id,
    status: refundStatusOf(refund.status),
    amount: amountOfMinor(String(refund.amount), refund.currency.toUpperCase()),
    charge_reference: idOf(refund.payment_intent),
    refund_id: refund.metadata?.['refund_id'] ?? null,
    reason: refund.reason,
  };
}

function refundStatusOf(status: string | null): ProviderRefund['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'failed':
    case 'canceled':
      return 'failed';
    case 'pending':
    case 'requires_action':
    default:
      // Also a status of a later version: the money may be on its way.
      return 'pending';
  }
}

function disputeOf(dispute: Stripe.Dispute): ProviderDispute {
  return {
    reference: dispute.id,
    status: disputeStatusOf(dispute.status),
    amount: amountOfMinor(String(dispute.amount), dispute.currency.toUpperCase()),
    charge_reference: idOf(dispute.payment_intent),
    reason: dispute.reason,
  };
}

function disputeStatusOf(status: string): ProviderDispute['status'] {
  switch (status) {
    case 'warning_needs_response':
    case 'warning_under_review':
      return 'inquiry';
    case 'won':
    case 'warning_closed':
    case 'prevented':
      return 'won';
    case 'lost':
      return 'lost';
    case 'needs_response':
    case 'under_review':
    default:
      return 'open';
  }
}
