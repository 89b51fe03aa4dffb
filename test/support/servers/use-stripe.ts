import type { Settings } from '../../../src/settings/config.ts';
import { aStripe, type StripeStandIn } from './stripe-stand-in.ts';

/**
 * Starts, within a describe, a stand-in of Stripe; `settings`, with those of `base`, lead a stack to it that a later `useStack` starts.
 */
export function useStripe(base: Settings = {}): { settings: Settings; stripe: () => StripeStandIn } {
  const settings: Record<string, string | undefined> = { ...base };
  let stripe: StripeStandIn | null = null;
  before(async () => {
    stripe = await aStripe();
    settings['STRIPE_API_URL'] = stripe.url;
  });
  after(() => stripe?.close());
  return { settings, stripe: () => stripe! };
}
