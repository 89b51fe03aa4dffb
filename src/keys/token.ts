import { hash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;
const SHAPE = /^[\w-]{43}$/;

/** A new secret for a sign-in link or a session: 256 random bits as base64url. */
export function newToken(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Whether the text has the form of a token. */
export function isToken(text: string): boolean {
  return SHAPE.test(text);
}

/** The stored hash of a token: 32 bytes of SHA-256. */
export function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
