type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Origin in STRIPE_API_URL; null: Stripe itself. Throws an Error, one sentence, also in production, where a key of
 * Stripe goes nowhere else.
 */
export function stripeApiUrlOf(settings: Settings): string | null {
  const { STRIPE_API_URL: text, NODE_ENV } = settings;
  if (text === undefined) return null;
  if (NODE_ENV === 'production') throw new Error('STRIPE_API_URL is not for production: remove it');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error(
      `STRIPE_API_URL must be an address without a path, such as http://127.0.0.1:12111, not "${text}"`,
    );
  return url.origin;
}
