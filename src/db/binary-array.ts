/**
 * Arrays in the binary form of Postgres, one function a type. pg sends a Buffer as it is, so that a thousand rows go in as a
 * handful of parameters without being printed and parsed: the ingest path is built on this.
 */
const OID = { uuid: 2950, integer: 23, bigint: 20, text: 25, timestamptz: 1184, jsonb: 3802 } as const;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
/** Stands before each jsonb value. */
const JSONB_VERSION = 1;
const UTF8_BYTES_MAX = 3;
/** 2000-01-01, where Postgres counts its microseconds from. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** Of each text the first 16 characters, a byte each. */
export function uuidArray(values: readonly string[]): Buffer {
  return fixedArray(values, { oid: OID.uuid, bytes: 16 }, (buffer, value, at) =>
    buffer.write(value, at, 16, 'latin1'),
  );
}

export function integerArray(values: readonly number[]): Buffer {
  return fixedArray(values, { oid: OID.integer, bytes: 4 }, (buffer, value, at) =>
    buffer.writeInt32BE(value, at),
  );
}

export function bigintArray(values: readonly bigint[]): Buffer {
  return fixedArray(values, { oid: OID.bigint, bytes: 8 }, (buffer, value, at) =>
    buffer.writeBigInt64BE(value, at),
  );
}

export function textArray(values: readonly string[]): Buffer {
  return stringArray(values, { oid: OID.text, version: null });
}

/** JSON texts. */
export function jsonbArray(values: readonly string[]): Buffer {
  return stringArray(values, { oid: OID.jsonb, version: JSONB_VERSION });
}

/** Instants as parseInstant gives them, or null. */
export function timestamptzArray(values: readonly (string | null)[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + 8));
  let at = writeHeader(buffer, OID.timestamptz, values.length);
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? -1 : 8, at);
    // As bigint, because microseconds of the year 9999 are beyond 2^53.
    if (value !== null)
      at = buffer.writeBigInt64BE(BigInt(Date.parse(value) - POSTGRES_EPOCH_MS) * 1000n, at);
  }
  return buffer.subarray(0, at);
}

function fixedArray<T>(
  values: readonly T[],
  type: { oid: number; bytes: number },
  write: (buffer: Buffer, value: T, at: number) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + type.bytes));
  let at = writeHeader(buffer, type.oid, values.length);
  for (const value of values) {
    at = buffer.writeInt32BE(type.bytes, at);
    write(buffer, value, at);
    at += type.bytes;
  }
  return buffer;
}

function stringArray(values: readonly string[], type: { oid: number; version: number | null }): Buffer {
  let bytes = HEADER_BYTES;
  for (const value of values) bytes += LENGTH_BYTES + 1 + value.length * UTF8_BYTES_MAX;
  const buffer = Buffer.allocUnsafe(bytes);
  let at = writeHeader(buffer, type.oid, values.length);
  for (const value of values) {
    const start = at + LENGTH_BYTES;
    const text_start = type.version === null ? start : buffer.writeUInt8(type.version, start);
    const end = text_start + buffer.write(value, text_start);
    buffer.writeInt32BE(end - start, at);
    at = end;
  }
  return buffer.subarray(0, at);
}

function writeHeader(buffer: Buffer, oid: number, count: number): number {
  const [dimensions, nulls_flag, lower_bound] = [1, 1, 1];
  let at = buffer.writeInt32BE(dimensions);
  at = buffer.writeInt32BE(nulls_flag, at);
  at = buffer.writeInt32BE(oid, at);
  at = buffer.writeInt32BE(count, at);
  return buffer.writeInt32BE(lower_bound, at);
}
