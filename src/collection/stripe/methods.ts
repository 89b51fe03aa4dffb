import type Stripe from 'stripe';
import type { PaymentProvider, ProviderMethod } from '../provider.ts';
import { idOf, unlessMissing, type Ask } from './asked.ts';
import { methodOf } from './method.ts';

/** Methods, and pages on which they are saved. */
export function methodsOf(stripe: Stripe, ask: Ask) {
  return {
    createMethodPage: ({ key, customer_reference, currency, return_url }) =>
      ask(async () => {
        const page = await stripe.checkout.sessions.create(
          {
            mode: 'setup',
            customer: customer_reference,
            currency: currency.toLowerCase(),
            success_url: return_url,
            cancel_url: return_url,
          },
          { idempotencyKey: key },
        );
        const expires_at = new Date(page.expires_at * 1000).toISOString();
        return { reference: page.id, url: page.url!, expires_at };
      }),
    readMethodPage: (reference) =>
      ask(async () => {
        const page = await stripe.checkout.sessions.retrieve(reference, { expand: ['setup_intent'] });
        const { setup_intent: setup } = page;
        const is_saved = typeof setup === 'object' && setup?.status === 'succeeded';
        return {
          status: pageStatusOf(page.status),
          method_reference: is_saved ? idOf(setup.payment_method) : null,
        };
      }),
    readMethod: (reference) => ask(() => unlessMissing(() => readMethod(stripe, reference))),
    detachMethod: (reference) =>
      ask(async () => {
        if ((await unlessMissing(() => readMethod(stripe, reference))) === null) return;
        await stripe.paymentMethods.detach(reference);
      }),
  } satisfies Partial<PaymentProvider>;
}

async function readMethod(stripe: Stripe, reference: string): Promise<ProviderMethod | null> {
  return methodOf(await stripe.paymentMethods.retrieve(reference));
}

/** Status of a page of any mode. */
export function pageStatusOf(status: Stripe.Checkout.Session.Status | null): 'open' | 'complete' | 'expired' {
  switch (status) {
    case 'complete':
      return 'complete';
    case 'expired':
      return 'expired';
    case 'open':
    case null:
    default:
      return 'open';
  }
}
