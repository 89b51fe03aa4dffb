import { hash } from 'node:crypto';
import { typeIdsOf, uuidOfTypeId } from '../../keys/ids.ts';

/** Number of bytes of the hash that are stored and that an id encodes. */
const ID_BYTES = 16;

/**
 * SHA-256 over environment and idempotency key, as a Latin-1 string (one character per byte). Sorts as Postgres sorts
 * the uuid made of its first 16 bytes. These bytes identify the event for ever: one key, one event. Returns the whole
 * hash, because V8 compares substrings slowly.
 */
export function keyHash(environment_id: number, idempotency_key: string): string {
  return hash('sha256', `${environment_id}\0${idempotency_key}`, 'binary');
}

/** The uuid of a key hash, without hyphens. */
export function uuidOfHash(key_hash: string): string {
  return Buffer.from(key_hash, 'latin1').toString('hex', 0, ID_BYTES);
}

/** The uuid under which the event of a key is stored. */
export function uuidOfKey(environment_id: number, idempotency_key: string): string {
  return uuidOfHash(keyHash(environment_id, idempotency_key));
}

/** The public id of an event from its key hash: `evt_` and 26 characters, encoded as a TypeID. */
export const eventId: (key_hash: string) => string = typeIdsOf('evt');

/** The public id of an event from the text of a uuid column. */
export function eventIdOfUuid(uuid: string): string {
  return eventId(Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('latin1'));
}

const EVENT_ID = /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** The uuid of a public id; null if the text is not an event's id. */
export function uuidOfEventId(id: string): string | null {
  return EVENT_ID.test(id) ? uuidOfTypeId(id) : null;
}
