import { randomBytes } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';

/** Prefixes of public ids that are stored. They sort by creation; an event's id comes from its key's hash. */
export type IdPrefix = 'cus' | 'plan' | 'chg' | 'sub' | 'inv' | 'li' | 'cg' | 'reg' | 'key' | 'ses';

/** A new id, such as `inv_01m7xekbfvfvkssqkvzf2w4340`: 26 characters of a UUIDv7 behind the prefix. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** Every id of this prefix that was made before `at_ms` sorts before it. */
export function oldestId(prefix: IdPrefix, at_ms: number): string {
  const uuid = `${at_ms.toString(16).padStart(12, '0')}00000000000000000000`;
  const dashed = uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return TypeID.fromUUID(prefix, dashed).toString();
}

const RANDOM_BYTES = 10;
const RANDOM_BYTES_AT_ONCE = 1000 * RANDOM_BYTES;
let random = '';
let used = 0;

/** A new id of a request, `req_` and a UUIDv7. Those of one millisecond do not sort, and it takes a quarter of the time of newId. */
export function newRequestId(): string {
  if (used === random.length) [random, used] = [randomBytes(RANDOM_BYTES_AT_ONCE).toString('latin1'), 0];
  const version_and_variant = String.fromCharCode(
    0x70 | (random.charCodeAt(used) & 0x0f),
    random.charCodeAt(used + 1),
    0x80 | (random.charCodeAt(used + 2) & 0x3f),
  );
  const rest = random.slice(used + 3, (used += RANDOM_BYTES));
  return typeId('req', millisecondBytes(Date.now()) + version_and_variant + rest);
}

/** Six bytes, a character a byte. */
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

const ALPHABET = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz');
/** Of 5 bits each, but the first, which has 3. */
const ID_CHARACTERS = 26;
/** One for all ids, because each is read out of it before the next is written. */
const spelled = Buffer.alloc(ID_CHARACTERS);

/** A TypeID of 16 bytes, a character a byte; what follows them is not looked at. By hand, because ingest needs a thousand a request. */
export function typeId(prefix: string, bytes: string): string {
  const first = bytes.charCodeAt(0);
  spelled[0] = ALPHABET[first >> 5]!;
  spelled[1] = ALPHABET[first & 31]!;
  for (let place = 2, bit = 8; place < ID_CHARACTERS; place++, bit += 5) {
    const at = bit >> 3;
    const bits = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
    spelled[place] = ALPHABET[(bits >> (11 - (bit & 7))) & 31]!;
  }
  return `${prefix}_${spelled.toString('latin1')}`;
}
