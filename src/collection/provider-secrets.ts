import type { ProviderAccess } from '../db/collection/providers.ts';
import type { SigningSecrets } from '../settings/signing-secrets.ts';
import { seal, unseal } from '../webhooks/sealed-secret.ts';

/** The secrets of a provider as they are stored. */
type Sealed = Pick<ProviderAccess, 'secret_key' | 'webhook_secret' | 'previous_webhook_secret'>;

/** The secrets of a provider in their plain form. */
export type ProviderSecrets = {
  secret_key: string;
  /** Secrets of events, the newest first. */
  webhook_secrets: string[];
  /** The secrets under the first value of TIDEMARK_SECRET, if its second one read them; else null. */
  sealed_anew: Sealed | null;
};

/** The secret under the first value of TIDEMARK_SECRET, bound to its provider and its use. */
export function sealedOf(
  secret: string,
  { id, use, secrets }: { id: string; use: 'key' | 'webhook'; secrets: SigningSecrets },
): Buffer {
  return seal(secret, { owner: `${id} ${use}`, secrets });
}

/**
 * The secrets of a provider; null if TIDEMARK_SECRET does not read its key. A webhook secret that it does not read is
 * left out.
 */
export function secretsOf(access: ProviderAccess, secrets: SigningSecrets): ProviderSecrets | null {
  const { id, webhook_secret, previous_webhook_secret } = access;
  const read = (sealed: Buffer | null, use: 'key' | 'webhook') =>
    sealed === null ? null : unseal(sealed, { owner: `${id} ${use}`, secrets });
  const key = read(access.secret_key, 'key');
  if (key === null) return null;
  const [current, previous] = [read(webhook_secret, 'webhook'), read(previous_webhook_secret, 'webhook')];
  const is_old = [key, current, previous].some((unsealed) => unsealed?.is_old === true);
  const again = (unsealed: typeof current, use: 'key' | 'webhook', stored: Buffer | null) =>
    unsealed === null ? stored : sealedOf(unsealed.secret, { id, use, secrets });
  return {
    secret_key: key.secret,
    webhook_secrets: [current, previous].flatMap((unsealed) => unsealed?.secret ?? []),
    sealed_anew: is_old
      ? {
          secret_key: sealedOf(key.secret, { id, use: 'key', secrets }),
          webhook_secret: again(current, 'webhook', webhook_secret),
          previous_webhook_secret: again(previous, 'webhook', previous_webhook_secret),
        }
      : null,
  };
}
