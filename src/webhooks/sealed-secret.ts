import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SigningSecrets } from '../settings/signing-secrets.ts';

const CIPHER = 'aes-256-gcm';
const BYTES = { key: 32, nonce: 12, tag: 16 };

/**
 * The secret of an endpoint, encrypted under the first value of TIDEMARK_SECRET: nonce, text and tag. `owner` is the id
 * of the endpoint, which binds it.
 */
export function seal(secret: string, { owner, secrets }: { owner: string; secrets: SigningSecrets }): Buffer {
  const nonce = randomBytes(BYTES.nonce);
  const cipher = createCipheriv(CIPHER, keyOf(secrets[0]), nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * The secret in its plain form, and whether it must be encrypted anew: the second value of TIDEMARK_SECRET read it.
 * Null if no value does.
 */
export function unseal(
  sealed: Buffer,
  { owner, secrets }: { owner: string; secrets: SigningSecrets },
): { secret: string; is_old: boolean } | null {
  for (const [place, key] of secrets.entries()) {
    const secret = decrypted(sealed, owner, key);
    if (secret !== null) return { secret, is_old: place > 0 };
  }
  return null;
}

function decrypted(sealed: Buffer, owner: string, key: string): string | null {
  const nonce = sealed.subarray(0, BYTES.nonce);
  const tag = sealed.subarray(-BYTES.tag);
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(key), nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
    const text = decipher.update(sealed.subarray(BYTES.nonce, -BYTES.tag), undefined, 'utf8');
    return text + decipher.final('utf8');
  } catch {
    // Another key wrote it.
    return null;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'webhook endpoints', BYTES.key));
}
