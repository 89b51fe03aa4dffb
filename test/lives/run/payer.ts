import { randomBytes } from 'node:crypto';
import type { StripeStandIn } from '../../support/servers/stripe-stand-in.ts';

/** The payment provider of a life: the stand-in of Stripe, which lives share, with an account of its own. */
export type Provider = {
  stripe: StripeStandIn;
  secret_key: string;
  webhook_secret: string;
  /** The id of the connected provider, and that of the customer there; null before. */
  id: string | null;
  payer: string | null;
};

export function newProvider(stripe: StripeStandIn): Provider {
  const name = randomBytes(12).toString('hex');
  const secret_key = `sk_test_${name}`;
  stripe.acceptKey(secret_key, `acct_${name}`);
  return { stripe, secret_key, webhook_secret: `whsec_${name}`, id: null, payer: null };
}

/** The money at the provider of the customer, in its smallest units: charged, less what went back. */
export function cashAt({ stripe, payer }: Provider): bigint {
  const mine = stripe.state.all('payment_intent').filter(({ customer }) => customer === payer);
  return mine.reduce((sum, { id }) => sum + BigInt(stripe.cashOf(id)), 0n);
}
