import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const PORTAL_RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^tm_sk_(test|live)_[0-9A-Za-z]{38}$/;
const PORTAL_SHAPE = /^tm_ps_[0-9A-Za-z]{49}$/;

/**
 * A new secret key. The prefix identifies it for people and secret scanners; the checksum detects a typing error
 * without a query.
 */
export function newApiKey(livemode: boolean): string {
  return newSecret(livemode ? 'tm_sk_live_' : 'tm_sk_test_', RANDOM_LENGTH);
}

/** A new token of a portal link: 256 random bits, with prefix and checksum as a key has them. */
export function newPortalToken(): string {
  return newSecret('tm_ps_', PORTAL_RANDOM_LENGTH);
}

function newSecret(prefix: string, length: number): string {
  let secret = prefix;
  for (let i = 0; i < length; i++) secret += BASE62[randomInt(BASE62.length)];
  return secret + checksumOf(secret);
}

/** Whether the text has the form of a key and its checksum is right; says nothing about whether the key exists. */
export function hasValidChecksum(key: string): boolean {
  return SHAPE.test(key) && hasChecksum(key);
}

/** Whether the text has the form of the token of a portal link and its checksum is right. */
export function isPortalToken(text: string): boolean {
  return PORTAL_SHAPE.test(text) && hasChecksum(text);
}

function hasChecksum(secret: string): boolean {
  return secret.endsWith(checksumOf(secret.slice(0, -CHECKSUM_LENGTH)));
}

/**
 * The stored hash of a key or token: 32 bytes of SHA-256. A key has 190 random bits, so it needs no salt and no slow
 * hash.
 */
export function hashOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** CRC-32 in base 62, six characters. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = BASE62[rest % BASE62.length]! + checksum;
    rest = Math.floor(rest / BASE62.length);
  }
  return checksum;
}
