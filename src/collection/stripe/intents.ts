import Stripe from 'stripe';
import { declineOf } from '../../domain/collection/decline.ts';
import { amountOfMinor, minorAmountOf } from '../../domain/collection/minor-amount.ts';
import { ProviderError, type PaymentProvider, type ProviderIntent } from '../provider.ts';
import { codeOf, idOf, type Ask } from './asked.ts';
import { PAGE, pageOf, placeOf } from './page.ts';

/** Newest intents of a customer among which those of an invoice are looked for. */
const INTENTS_MAX = 1000;

/** Charges. */
export function intentsOf(stripe: Stripe, ask: Ask) {
  const { paymentIntents } = stripe;
  const read = async (reference: string) => intentOf(await paymentIntents.retrieve(reference));
  return {
    prepareIntent: (intent) =>
      ask(async () => {
        const { attempt_id, invoice_id, invoice_number, customer_reference, method_reference } = intent;
        const prepared = await paymentIntents.create(
          {
            ...chargeOf(intent),
            customer: customer_reference,
            payment_method: method_reference,
            // The customer is absent: nobody follows a redirect.
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            description: invoice_number,
            metadata: { attempt_id, invoice_id },
          },
          { idempotencyKey: attempt_id },
        );
        return intentOf(prepared);
      }),
    intentsOf: ({ invoice_id, customer_reference }) =>
      ask(async () => {
        const newest = paymentIntents.list({ customer: customer_reference, limit: PAGE });
        const intents = (await newest.autoPagingToArray({ limit: INTENTS_MAX })).map(intentOf);
        return intents.filter((intent) => intent.invoice_id === invoice_id).reverse();
      }),
    intentsSince: (place) => ask(async () => pageOf(await paymentIntents.list(placeOf(place)), intentOf)),
    readIntent: (reference) => ask(() => read(reference)),
    setIntentAmount: (reference, charge) =>
      ask(async () => intentOf(await paymentIntents.update(reference, chargeOf(charge)))),
    confirmIntent: (reference) =>
      ask(() => asItIs(read, reference, () => paymentIntents.confirm(reference, { off_session: true }))),
    cancelIntent: (reference) => ask(() => asItIs(read, reference, () => paymentIntents.cancel(reference))),
  } satisfies Partial<PaymentProvider>;
}

/** Amount and currency of a charge or a refund, as Stripe counts them. Throws ProviderError. */
export function chargeOf({ amount, currency }: { amount: string; currency: string }) {
  const minor = minorAmountOf(amount, currency);
  if (minor === null) throw new ProviderError('refused', `${amount} ${currency} cannot be charged`);
  return { amount: Number(minor), currency: currency.toLowerCase() };
}

/** The intent after a request; one that is declined, or is past it, as it is then. */
async function asItIs(
  read: (reference: string) => Promise<ProviderIntent>,
  reference: string,
  request: () => Promise<Stripe.PaymentIntent>,
): Promise<ProviderIntent> {
  try {
    return intentOf(await request());
  } catch (error) {
    const is_declined = error instanceof Stripe.errors.StripeCardError;
    if (is_declined || codeOf(error) === 'payment_intent_unexpected_state') return read(reference);
    throw error;
  }
}

/** An intent of Stripe in our words. */
export function intentOf(intent: Stripe.PaymentIntent): ProviderIntent {
  const currency = intent.currency.toUpperCase();
  const { last_payment_error: fault, metadata } = intent;
  const code = fault?.decline_code ?? fault?.code;
  return {
    reference: intent.id,
    status: statusOf(intent),
    amount: amountOfMinor(String(intent.amount), currency),
    currency,
    attempt_id: metadata['attempt_id'] ?? null,
    invoice_id: metadata['invoice_id'] ?? null,
    method_reference: idOf(intent.payment_method),
    created_at: new Date(intent.created * 1000).toISOString(),
    decline:
      fault === null ? null : declineOf({ code: code ?? 'unknown', advice: fault.advice_code ?? null }),
  };
}

function statusOf({ status, last_payment_error }: Stripe.PaymentIntent): ProviderIntent['status'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'canceled':
      return 'canceled';
    case 'requires_action':
      return 'action_required';
    case 'requires_confirmation':
      return 'unconfirmed';
    case 'requires_payment_method':
      if (last_payment_error === null) return 'unconfirmed';
      return last_payment_error.code === 'authentication_required' ? 'action_required' : 'declined';
    case 'processing':
    case 'requires_capture':
    default:
      // Also a status of a later version: it may still charge.
      return 'processing';
  }
}
