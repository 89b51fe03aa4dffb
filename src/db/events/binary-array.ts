/**
 * Arrays in the binary form of Postgres, one function a type. pg sends a Buffer as it is, so that a thousand rows go in as a
 * handful of parameters without being printed and parsed: the ingest path is built on this.
 */
const OID = { uuid: 2950, integer: 23, bigint: 20, text: 25, timestamptz: 1184, jsonb: 3802 } as const;

const HEADER_BYTES = 20;
export const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
/** Stands before each jsonb value. */
export const JSONB_VERSION = '\u0001';
/** 2000-01-01, where Postgres counts its microseconds from. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** What of a row becomes an element. Asked in place, because an array of them would be written and read once more. */
type ValueOf<Row, Value> = (row: Row) => Value;

/** Of each text the first 16 characters, a byte each. */
export function uuidArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, string>): Buffer {
  return fixedArray(rows, { oid: OID.uuid, bytes: 16 }, (view, row, at) => writeUuid(view, valueOf(row), at));
}

export function writeUuid(view: DataView, value: string, at: number): void {
  for (let i = 0; i < 16; i++) view.setUint8(at + i, value.charCodeAt(i));
}

export function integerArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, number>): Buffer {
  const type = { oid: OID.integer, bytes: 4 };
  return fixedArray(rows, type, (view, row, at) => view.setInt32(at, valueOf(row)));
}

export function bigintArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, bigint>): Buffer {
  const type = { oid: OID.bigint, bytes: 8 };
  return fixedArray(rows, type, (view, row, at) => view.setBigInt64(at, valueOf(row)));
}

export function textArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, string>): Buffer {
  return stringArray(rows.map(valueOf), { oid: OID.text, prefix: '' });
}

/** JSON texts. */
export function jsonbArray<Row>(rows: readonly Row[], valueOf: ValueOf<Row, string>): Buffer {
  return stringArray(rows.map(valueOf), { oid: OID.jsonb, prefix: JSONB_VERSION });
}

/** Instants as parseInstant gives them, or null. */
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

/** An instant of parseInstant as Postgres counts it; a bigint, because the year 9999 is beyond 2^53. */
export function microsecondsOf(instant: string): bigint {
  return BigInt(millisecondsOf(instant) - POSTGRES_EPOCH_MS) * 1000n;
}

/** Date.parse, which reads any spelling, takes twice as long. */
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

/** V8 writes through a view in place; the methods of a Buffer take several times as long. */
export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

/**
 * All texts are written as one, with room for its length before each: a call a text takes twice as long. Each is behind the
 * `prefix`, whose characters are a byte each.
 */
function stringArray(values: readonly string[], { oid, prefix }: { oid: number; prefix: string }): Buffer {
  const room = '\0'.repeat(LENGTH_BYTES) + prefix;
  const text = values.length === 0 ? '' : room + values.join(room);
  // Not as much as it may take: what lies outside V8's heap makes it collect garbage, used or not.
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
