/**
 * Encodes arrays in Postgres's binary format, one function per type. pg sends a Buffer unchanged, so a thousand rows
 * become a handful of parameters that are neither printed nor parsed. The ingest path relies on this.
 */
const OID = { uuid: 2950, integer: 23, bigint: 20, text: 25, timestamptz: 1184, jsonb: 3802 } as const;

const HEADER_BYTES = 20;
/** Every value is preceded by its length in bytes. */
export const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
/** Precedes each jsonb value. */
export const JSONB_VERSION = '\u0001';
/** 2000-01-01, the origin of Postgres's microseconds. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** Reads the element from a row. A callback, because an array of elements would be written and read once more. */
type ValueOf<Row, Value> = (row: Row) => Value;

/** Each text is a Latin-1 string of 16 bytes, one character per byte. */
export function uuidArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, string>): Buffer {
  return fixedArray(rows, { oid: OID.uuid, bytes: 16 }, (view, row, at) => writeUuid(view, valueOf(row), at));
}

/** Writes a uuid, a Latin-1 string of 16 bytes, at byte `at`. */
export function writeUuid(view: DataView, value: string, at: number): void {
  for (let i = 0; i < 16; i++) view.setUint8(at + i, value.charCodeAt(i));
}

/** Integers of 32 bits. */
export function integerArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, number>): Buffer {
  const type = { oid: OID.integer, bytes: 4 };
  return fixedArray(rows, type, (view, row, at) => view.setInt32(at, valueOf(row)));
}

/** Integers of 64 bits. */
export function bigintArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, bigint>): Buffer {
  const type = { oid: OID.bigint, bytes: 8 };
  return fixedArray(rows, type, (view, row, at) => view.setBigInt64(at, valueOf(row)));
}

/** Texts, in UTF-8. */
export function textArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, string>): Buffer {
  return stringArray(rows.map(valueOf), { oid: OID.text, prefix: '' });
}

/** JSON texts. */
export function jsonbArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, string>): Buffer {
  return stringArray(rows.map(valueOf), { oid: OID.jsonb, prefix: JSONB_VERSION });
}

/** Instants in parseInstant's format, or null. */
export function timestamptzArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, string | null>): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + rows.length * (LENGTH_BYTES + 8));
  const view = viewOf(buffer);
  let at = writeHeader(buffer, OID.timestamptz, rows.length);
  for (const row of rows) {
    const value = valueOf(row);
    view.setInt32(at, value === null ? NULL_LENGTH : 8);
    at += LENGTH_BYTES;
    if (value === null) continue;
    view.setBigInt64(at, microsecondsOf(value));
    at += 8;
  }
  return buffer.subarray(0, at);
}

/**
 * Converts an instant in parseInstant's format to Postgres's microseconds; a bigint, because the year 9999 exceeds
 * 2^53.
 */
export function microsecondsOf(instant: string): bigint {
  return BigInt(millisecondsOf(instant) - POSTGRES_EPOCH_MS) * 1000n;
}

/** Converts twice as fast as Date.parse, which accepts any format. */
function millisecondsOf(instant: string): number {
  const [year, month, day] = [digits(instant, 0, 4), digits(instant, 5, 7), digits(instant, 8, 10)];
  const [hour, minute, second] = [digits(instant, 11, 13), digits(instant, 14, 16), digits(instant, 17, 19)];
  return Date.UTC(year, month - 1, day, hour, minute, second, digits(instant, 20, 23));
}

function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = 10 * number + text.charCodeAt(at) - 48;
  return number;
}

function fixedArray<Row>(
  rows: readonly Row[],
  { oid, bytes }: { oid: number; bytes: number },
  write: (view: DataView, row: Row, at: number) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + rows.length * (LENGTH_BYTES + bytes));
  const view = viewOf(buffer);
  let at = writeHeader(buffer, oid, rows.length);
  for (const row of rows) {
    view.setInt32(at, bytes);
    write(view, row, at + LENGTH_BYTES);
    at += LENGTH_BYTES + bytes;
  }
  return buffer;
}

/** A view over the Buffer. V8 inlines writes through a DataView; Buffer's own methods take several times as long. */
export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/**
 * Writes all texts with one call, leaving room before each for its length; one call per text takes twice as long. Every
 * text starts with `prefix`, whose characters are one byte each.
 */
function stringArray(values: readonly string[], { oid, prefix }: { oid: number; prefix: string }): Buffer {
  const room = '\0'.repeat(LENGTH_BYTES) + prefix;
  const text = values.length === 0 ? '' : room + values.join(room);
  // Allocate the exact size, not an upper bound: memory outside V8's heap triggers garbage collection, used or not.
  const text_bytes = Buffer.byteLength(text);
  const is_ascii = text_bytes === text.length;
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + text_bytes);
  const view = viewOf(buffer);
  let at = writeHeader(buffer, oid, values.length);
  buffer.write(text, at);
  for (const value of values) {
    const bytes = prefix.length + (is_ascii ? value.length : Buffer.byteLength(value));
    view.setInt32(at, bytes);
    at += LENGTH_BYTES + bytes;
  }
  return buffer;
}

function writeHeader(buffer: Buffer, oid: number, count: number): number {
  const [dimensions, nulls_flag, lower_bound] = [1, 1, 1];
  let at = buffer.writeInt32BE(dimensions);
  at = buffer.writeInt32BE(nulls_flag, at);
  at = buffer.writeInt32BE(oid, at);
  at = buffer.writeInt32BE(count, at);
  return buffer.writeInt32BE(lower_bound, at);
}
