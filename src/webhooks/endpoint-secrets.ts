import { replaceSealed, type Target } from '../db/webhooks/endpoints.ts';
import { seal, unseal } from './sealed-secret.ts';
import type { Sender } from './sender.ts';

/**
 * The secrets that sign for an endpoint, the newest first; null if TIDEMARK_SECRET reads none. Encrypts them anew if
 * its second value read them.
 */
export async function secretsOf(
  { pool, secrets }: Pick<Sender, 'pool' | 'secrets'>,
  target: Target,
): Promise<string[] | null> {
  const key = { owner: target.id, secrets };
  const current = unseal(target.secret, key);
  if (current === null) return null;
  const previous = target.previous_secret === null ? null : unseal(target.previous_secret, key);
  if (current.is_old || previous?.is_old === true)
    await replaceSealed(pool, target, {
      secret: seal(current.secret, key),
      previous_secret: previous === null ? null : seal(previous.secret, key),
    });
  return [current.secret, ...(previous === null ? [] : [previous.secret])];
}
