import Stripe from 'stripe';
import { ProviderError } from '../provider.ts';

/** Sends requests to Stripe. Throws ProviderError. */
export type Ask = <Answer>(request: () => Promise<Answer>) => Promise<Answer>;

/** Answers of the request; its errors as ProviderError. No message has the key. */
export async function asked<Answer>(request: () => Promise<Answer>, secret_key: string): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const message = error.message.replaceAll(secret_key, 'the key');
    throw new ProviderError(kindOf(error), message, codeOf(error));
  }
}

function kindOf(error: Stripe.errors.StripeError): ProviderError['kind'] {
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError)
    return 'key_refused';
  const { StripeInvalidRequestError, StripeCardError, StripeIdempotencyError } = Stripe.errors;
  const is_refused =
    error instanceof StripeInvalidRequestError ||
    error instanceof StripeCardError ||
    error instanceof StripeIdempotencyError;
  // 409: the same key is under way; 429: later.
  return is_refused && error.statusCode !== 409 && error.statusCode !== 429 ? 'refused' : 'unreachable';
}

/** Word of Stripe for an error. */
export function codeOf(error: unknown): string | null {
  return error instanceof Stripe.errors.StripeError ? (error.code ?? null) : null;
}

/** Answer of a request; null if it is about nothing that exists. */
export async function unlessMissing<Answer>(request: () => Promise<Answer | null>): Promise<Answer | null> {
  try {
    return await request();
  } catch (error) {
    if (codeOf(error) === 'resource_missing') return null;
    throw error;
  }
}

/** The id of an object that an answer has by its id or in full. */
export function idOf(of: string | { id: string } | null): string | null {
  return typeof of === 'string' ? of : (of?.id ?? null);
}
