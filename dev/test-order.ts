import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

type Took = { file: string; took_ms: number };

/** How long each test file took last, one JSON line a file. */
const TIMES = fileURLToPath(new URL('../node_modules/.cache/tidemark-test-times.jsonl', import.meta.url));

/** Milliseconds that a file without a recorded time is expected to take for each byte of its size. */
const MS_A_BYTE = 0.5;

/** Drills that take minutes, whatever their size: without a recorded time they come first. */
const LONG = [
  'test/drills/faults/migration-under-kills.test.ts',
  'test/drills/faults/kill-a-change.test.ts',
  'test/drills/faults/kill-a-priced-month.test.ts',
  'test/drills/lives.test.ts',
  'test/drills/unusable-database.test.ts',
];

/** Notes how long a test file took. */
export function noteTime(took: Took, times_file = TIMES): void {
  mkdirSync(dirname(times_file), { recursive: true });
  appendFileSync(times_file, `${JSON.stringify(took)}\n`);
}

/** The files that took longest first, so that no process is left with a long one at the end. */
export function longestFirst(files: readonly string[], times_file = TIMES): string[] {
  const times = readTimes(times_file);
  rmSync(times_file, { force: true });
  for (const [file, took_ms] of times) noteTime({ file, took_ms }, times_file);
  const expectedOf = (file: string) =>
    LONG.includes(file) ? Number.MAX_SAFE_INTEGER : statSync(file).size * MS_A_BYTE;
  const expected = new Map(files.map((file) => [file, times.get(file) ?? expectedOf(file)]));
  return [...files].sort((a, b) => expected.get(b)! - expected.get(a)!);
}

function readTimes(times_file: string): Map<string, number> {
  try {
    const lines = readFileSync(times_file, 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line): Took => JSON.parse(line)).map(({ file, took_ms }) => [file, took_ms]));
  } catch {
    return new Map();
  }
}
