import { hash } from 'node:crypto';
import { typeIdsOf } from '../../ids.ts';

/** As many of the hash as are stored, and as the id holds. */
const ID_BYTES = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * SHA-256 over environment and idempotency key, a character a byte, in the order in which Postgres sorts the uuid of its first 16
 * bytes: those are the event's identity, one key being one event, for ever. Whole, because V8 compares a piece of a string slowly.
 */
export function keyHash(environment_id: number, idempotency_key: string): string {
  return hash('sha256', `${environment_id}\0${idempotency_key}`, 'binary');
}

/** The uuid that a key's event is stored under. */
export function uuidOfKey(environment_id: number, idempotency_key: string): string {
  return Buffer.from(keyHash(environment_id, idempotency_key), 'latin1').toString('hex', 0, ID_BYTES);
}

/** The public id of an event by its key's hash, `evt_` and 26 characters, as a TypeID is spelled. */
export const eventId: (key_hash: string) => string = typeIdsOf('evt');

/** The stored form of a uuid column. */
export function eventIdOfUuid(uuid: string): string {
  return eventId(Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('latin1'));
}

const EVENT_ID = /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The uuid behind a public id; null where the text is no event's id. */
export function uuidOfEventId(id: string): string | null {
  if (!EVENT_ID.test(id)) return null;
  let number = 0n;
  for (const character of id.slice('evt_'.length))
    number = number * 32n + BigInt(ALPHABET.indexOf(character));
  return number.toString(16).padStart(2 * ID_BYTES, '0');
}
