import type Stripe from 'stripe';
import type { ProviderEvent } from '../provider.ts';

const SIGNATURE_AGE_MAX_SECONDS = 300;
const OBJECT_TYPES: Readonly<Record<string, ProviderEvent['object_type']>> = {
  payment_intent: 'intent',
  payment_method: 'method',
  'checkout.session': 'method_page',
};

/** An event that Stripe has signed with one of the secrets within 300 s; null for any other. */
export function eventOf(
  stripe: Stripe,
  { body, signature, secrets }: { body: Buffer; signature: string; secrets: readonly string[] },
): ProviderEvent | null {
  for (const secret of secrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, signature, secret, SIGNATURE_AGE_MAX_SECONDS);
      const object: { object?: string; id?: string } = event.data.object;
      const object_type = OBJECT_TYPES[object.object ?? ''] ?? 'other';
      return { id: event.id, type: event.type, object_type, object_reference: object.id ?? '' };
    } catch {
      // Another secret may have signed it.
    }
  }
  return null;
}
