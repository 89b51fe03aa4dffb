import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { takeChallenge } from '../../src/db/account/used-challenges.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import type { Deps } from '../http/deps.ts';

const SEAL_BYTES = 32;
const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const HEAD_BYTES = SEAL_BYTES + TIME_BYTES + RANDOM_BYTES;

type Signer = Pick<Deps, 'secrets'>;

/**
 * A sealed text for one purpose, as bytes, which nobody else can make. Nothing is stored before it comes back, so that
 * strangers who ask for challenges fill no table. `minutes` is the time for which it is good; `contents` come back with
 * it.
 */
export function newChallenge(
  { secrets: [secret] }: Signer,
  { purpose, minutes, contents = '' }: { purpose: string; minutes: number; contents?: string },
): Buffer {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(Date.now() + minutes * 60_000, 0, TIME_BYTES);
  const text = Buffer.concat([time, randomBytes(RANDOM_BYTES), Buffer.from(contents, 'utf8')]);
  return Buffer.concat([sealOf(secret, purpose, text), text]);
}

/**
 * The contents of a challenge in base64url; null if it is not ours, is for another purpose, has expired or was answered
 * before.
 */
export async function answered(
  { secrets }: Signer,
  db: Db,
  { challenge, purpose }: { challenge: string; purpose: string },
): Promise<string | null> {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length < HEAD_BYTES || bytes.toString('base64url') !== challenge) return null;
  const [seal, text] = [bytes.subarray(0, SEAL_BYTES), bytes.subarray(SEAL_BYTES)];
  if (!secrets.some((secret) => timingSafeEqual(seal, sealOf(secret, purpose, text)))) return null;
  const expires_at_ms = text.readUIntBE(0, TIME_BYTES);
  if (expires_at_ms <= Date.now()) return null;
  const used = { hash: hash('sha256', bytes, 'buffer'), expires_at: new Date(expires_at_ms).toISOString() };
  if (!(await takeChallenge(db, used))) return null;
  return bytes.subarray(HEAD_BYTES).toString('utf8');
}

function sealOf(secret: string, purpose: string, text: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['challenge', purpose]))
    .update('\0')
    .update(text)
    .digest();
}
