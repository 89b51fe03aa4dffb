import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

type Took = { file: string; took_ms: number };

/** How long each test file took last, one JSON line a file. */
const TIMES = fileURLToPath(new URL('../../node_modules/.cache/tidemark-test-times.jsonl', import.meta.url));

/** Milliseconds that a file without a recorded time is expected to take for each byte of its size. */
const MS_A_BYTE = 0.5;

/** Notes how long a test file took. */
export function noteTime(took: Took): void {
  mkdirSync(dirname(TIMES), { recursive: true });
  appendFileSync(TIMES, `${JSON.stringify(took)}\n`);
}

/** The files that took longest first, so that no process is left with a long one at the end. */
export function longestFirst(files: readonly string[]): string[] {
  const times = readTimes();
  writeFileSync(
    TIMES,
    [...times].map(([file, took_ms]) => `${JSON.stringify({ file, took_ms })}\n`).join(''),
  );
  const expected = new Map(files.map((file) => [file, times.get(file) ?? statSync(file).size * MS_A_BYTE]));
  return [...files].sort((a, b) => expected.get(b)! - expected.get(a)!);
}

function readTimes(): Map<string, number> {
  try {
    const lines = readFileSync(TIMES, 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line): Took => JSON.parse(line)).map(({ file, took_ms }) => [file, took_ms]));
  } catch {
    return new Map();
  }
}
