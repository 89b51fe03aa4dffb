/** The first signs; all verify. */
export type SigningSecrets = readonly [string, ...string[]];

const LENGTH_MIN = 16;

/**
 * Parses TIDEMARK_SECRET: one value, or two separated by a comma while the secret is changed. Throws an Error, one
 * sentence without the secret, if there are more or one is too short.
 */
export function signingSecretsOf(text: string): SigningSecrets {
  const [first = '', ...other_secrets] = text.split(',').map((value) => value.trim());
  if (other_secrets.length > 1)
    throw new Error('TIDEMARK_SECRET takes at most two values, separated by a comma');
  if ([first, ...other_secrets].some((value) => value.length < LENGTH_MIN))
    throw new Error(`TIDEMARK_SECRET is too short: each value needs at least ${LENGTH_MIN} characters`);
  return [first, ...other_secrets];
}
