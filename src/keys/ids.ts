import { randomBytes } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';

/** Prefixes of stored public ids. These ids sort by creation; the id of an event derives from the hash of its key. */
export type IdPrefix =
  | 'cus'
  | 'plan'
  | 'chg'
  | 'sub'
  | 'inv'
  | 'li'
  | 'cg'
  | 'reg'
  | 'pay'
  | 'trf'
  | 'cn'
  | 'bal'
  | 'clm'
  | 'ii'
  | 'dis'
  | 'key'
  | 'ses'
  | 'usr'
  | 'pk'
  | 'chn'
  | 'mig'
  | 'whe'
  | 'whd'
  | 'ps'
  | 'eml'
  | 'pp'
  | 'pmd'
  | 'pms'
  | 'pys'
  | 'pat'
  | 'prf'
  | 'pdp'
  | 'aud';

/** A new id, such as `inv_01m7xekbfvfvkssqkvzf2w4340`: the prefix and the 26 characters of a UUIDv7. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** Lower bound: every id of this prefix that was made before `at_ms` sorts before it. */
export function oldestId(prefix: IdPrefix, at_ms: number): string {
  const uuid = `${at_ms.toString(16).padStart(12, '0')}00000000000000000000`;
  const dashed = uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return TypeID.fromUUID(prefix, dashed).toString();
}

/** The 16 bytes of a TypeID as 32 hexadecimal digits, a uuid for Postgres. Throws if the text is not a TypeID. */
export function uuidOfTypeId(id: string): string {
  return Buffer.from(TypeID.fromString(id).toUUIDBytes()).toString('hex');
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_CHARACTERS = 26;
/** All pairs of alphabet characters by their 10 bits, each as the two bytes to write. */
const PAIRS = Uint16Array.from(
  { length: 1024 },
  (_, bits) => (ALPHABET.charCodeAt(bits >> 5) << 8) | ALPHABET.charCodeAt(bits & 31),
);

/**
 * Returns an encoder: the first 16 bytes of a string, one byte per character, as a TypeID. Hand-written and reusing one
 * buffer, because ingest needs a thousand ids per request.
 */
export function typeIdsOf(prefix: string): (bytes: string) => string {
  const id = Buffer.from(`${prefix}_${'0'.repeat(ID_CHARACTERS)}`);
  const view = new DataView(id.buffer, id.byteOffset, id.length);
  const first_at = id.length - ID_CHARACTERS;
  return (bytes) => {
    view.setUint16(first_at, PAIRS[bytes.charCodeAt(0)]!);
    for (let bit = 8; bit < 128; bit += 10) {
      const at = bit >> 3;
      const bits = (bytes.charCodeAt(at) << 16) | (bytes.charCodeAt(at + 1) << 8) | bytes.charCodeAt(at + 2);
      view.setUint16(first_at + (bit + 2) / 5, PAIRS[(bits >> (14 - (bit & 7))) & 1023]!);
    }
    return id.toString('latin1');
  };
}

const requestIdOf = typeIdsOf('req');
const RANDOM_BYTES = 10;
const RANDOM_BYTES_AT_ONCE = 1000 * RANDOM_BYTES;
let random = '';
let used = 0;

/**
 * A new request id, `req_` and a UUIDv7, in a quarter of the time of newId. Ids of the same millisecond do not sort by
 * creation.
 */
export function newRequestId(): string {
  if (used === random.length) [random, used] = [randomBytes(RANDOM_BYTES_AT_ONCE).toString('latin1'), 0];
  const version_and_variant = String.fromCharCode(
    0x70 | (random.charCodeAt(used) & 0x0f),
    random.charCodeAt(used + 1),
    0x80 | (random.charCodeAt(used + 2) & 0x3f),
  );
  const rest = random.slice(used + 3, (used += RANDOM_BYTES));
  return requestIdOf(millisecondBytes(Date.now()) + version_and_variant + rest);
}

/** Six bytes, one per character. */
function millisecondBytes(ms: number): string {
  const high = Math.floor(ms / 2 ** 32);
  return String.fromCharCode(
    high >> 8,
    high & 255,
    (ms >>> 24) & 255,
    (ms >>> 16) & 255,
    (ms >>> 8) & 255,
    ms & 255,
  );
}
