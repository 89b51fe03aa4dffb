import type Stripe from 'stripe';
import type { ProviderEvent } from '../provider.ts';

const SIGNATURE_AGE_MAX_SECONDS = 300;
const OBJECT_TYPES: ReadonlyMap<unknown, ProviderEvent['object_type']> = new Map([
  ['payment_intent', 'intent'],
  ['payment_method', 'method'],
  ['checkout.session', 'page'],
  ['refund', 'refund'],
  ['dispute', 'dispute'],
]);

/** Members of an event, none of which a signature promises. */
type Posted = { id?: unknown; type?: unknown; data?: { object?: { object?: unknown; id?: unknown } } } | null;

/** An event that Stripe has signed with one of the secrets within 300 s; null for any other. */
export function eventOf(
  stripe: Stripe,
  { body, signature, secrets }: { body: Buffer; signature: string; secrets: readonly string[] },
): ProviderEvent | null {
  for (const secret of secrets) {
    try {
      return readOf(stripe.webhooks.constructEvent(body, signature, secret, SIGNATURE_AGE_MAX_SECONDS));
    } catch {
      // Another secret may have signed it.
    }
  }
  return null;
}

function readOf(event: Posted): ProviderEvent | null {
  const object = event?.data?.object;
  if (typeof event?.id !== 'string' || typeof event.type !== 'string' || object === undefined) return null;
  const { id: object_reference } = object;
  const object_type = OBJECT_TYPES.get(object.object) ?? 'other';
  if (typeof object_reference === 'string')
    return { id: event.id, type: event.type, object_type, object_reference };
  return object_type === 'other'
    ? { id: event.id, type: event.type, object_type, object_reference: '' }
    : null;
}
