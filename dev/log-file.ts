import * as fs from 'node:fs';
import { dirname } from 'node:path';

const LIMIT_BYTES = 50_000_000;
const TAIL_BYTES = 16_384;
const TAIL_LINES = 20;

/** Opens a log for appending; `from_byte` is its present size. Creates the folder if it is missing. */
export function openLog(path: string): { descriptor: number; from_byte: number } {
  fs.mkdirSync(dirname(path), { recursive: true });
  limitLog(path);
  const descriptor = fs.openSync(path, 'a', 0o600);
  return { descriptor, from_byte: fs.fstatSync(descriptor).size };
}

/**
 * Moves the content of a log to `<path>.1` once it exceeds 50 MB; processes that append to it continue in the empty
 * file. On a full disk the content is dropped, which makes room.
 */
export function limitLog(path: string): void {
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LIMIT_BYTES) return;
  try {
    fs.copyFileSync(path, `${path}.1`);
  } catch {
    fs.rmSync(`${path}.1`, { force: true });
  }
  fs.truncateSync(path);
}

/** The last 20 lines of a log, indented, none from before `from_byte`. */
export function lastLines(path: string, from_byte: number): string {
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const start = Math.max(from_byte <= size ? from_byte : 0, size - TAIL_BYTES);
  const buffer = Buffer.alloc(size - start);
  if (buffer.length === 0) return '  (nothing)';
  const descriptor = fs.openSync(path, 'r');
  fs.readSync(descriptor, buffer, 0, buffer.length, start);
  fs.closeSync(descriptor);
  const lines = buffer.toString('utf8').trimEnd().split('\n');
  return lines
    .slice(-TAIL_LINES)
    .map((line) => `  ${line}`)
    .join('\n');
}
