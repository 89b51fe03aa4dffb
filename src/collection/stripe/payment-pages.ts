import Stripe from 'stripe';
import { type PaymentProvider, type ProviderPage } from '../provider.ts';
import { type Ask, unlessMissing } from './asked.ts';
import { chargeOf, intentOf } from './intents.ts';
import { pageStatusOf } from './methods.ts';

/** Pages on which invoices are paid. */
export function paymentPagesOf(stripe: Stripe, ask: Ask) {
  const { sessions } = stripe.checkout;
  const read = async (reference: string) =>
    pageOf(await sessions.retrieve(reference, { expand: ['payment_intent'] }));
  return {
    createPaymentPage: (page) =>
      ask(async () => {
        const made = await sessions.create(sessionOf(page), { idempotencyKey: page.key });
        const expires_at = new Date(made.expires_at * 1000).toISOString();
        return { reference: made.id, url: made.url!, expires_at };
      }),
    // One that is gone at Stripe is paid by nobody.
    readPaymentPage: (reference) =>
      ask(async () => (await unlessMissing(() => read(reference))) ?? { status: 'expired', intent: null }),
    expirePaymentPage: (reference) =>
      ask(async () => {
        try {
          await sessions.expire(reference);
        } catch (error) {
          // A page that is complete or expired cannot be expired.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        }
        return (await unlessMissing(() => read(reference))) ?? { status: 'expired', intent: null };
      }),
  } satisfies Partial<PaymentProvider>;
}

/** The request of a page; its metadata are also those of the charge, which Stripe makes as the payer pays. */
function sessionOf(
  page: Parameters<PaymentProvider['createPaymentPage']>[0],
): Stripe.Checkout.SessionCreateParams {
  const { key, invoice_id, invoice_number, customer_reference, return_url } = page;
  const { amount: unit_amount, currency } = chargeOf(page);
  const metadata = { invoice_id, payment_session_id: key };
  const product_data = { name: invoice_number };
  return {
    mode: 'payment',
    customer: customer_reference,
    line_items: [{ quantity: 1, price_data: { currency, unit_amount, product_data } }],
    expires_at: Date.parse(page.expires_at) / 1000,
    success_url: return_url,
    cancel_url: return_url,
    metadata,
    payment_intent_data: {
      description: invoice_number,
      metadata,
      ...(page.saves_method ? { setup_future_usage: 'off_session' } : {}),
    },
  };
}

function pageOf({ status, payment_intent: intent }: Stripe.Checkout.Session): ProviderPage {
  return {
    status: pageStatusOf(status),
    intent: intent === null || typeof intent === 'string' ? null : intentOf(intent),
  };
}
