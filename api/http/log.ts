import { destination, pino } from 'pino';
import { perDeps } from './per-deps.ts';

const HELD_CHARACTERS_MAX = 64 * 1024;
const HELD_MS_MAX = 1000;

/** JSON lines on standard output. */
export const logOf = perDeps((deps) =>
  pino(
    {
      level: deps.config.log_level,
      base: { name: 'api' },
      timestamp: timeMember,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: errorFields },
    },
    standard_output,
  ),
);

let written_ms = 0;
let written = '';

/** As JSON with the comma before it. Spelled once a millisecond, because that takes as long as the rest of a line. */
function timeMember(): string {
  const now_ms = Date.now();
  if (now_ms !== written_ms) {
    written_ms = now_ms;
    written = `,"time":"${new Date(now_ms).toISOString()}"`;
  }
  return written;
}

const standard_output = inGroups(destination({ dest: 1, sync: false }));

/**
 * Hands lines on many at once: for each handover a thread is woken, which costs more than the request that the line is about.
 * What is held when the process exits is written first.
 */
function inGroups(out: { write: (text: string) => void }): { write: (line: string) => void } {
  let lines: string[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  const handOver = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length > 0) out.write(lines.join(''));
    [lines, characters] = [[], 0];
  };
  // Before the destination's own listener, which writes what it has and closes.
  process.prependListener('exit', handOver);
  return {
    write(line) {
      lines.push(line);
      characters += line.length;
      if (characters >= HELD_CHARACTERS_MAX) handOver();
      else timer ??= setTimeout(handOver, HELD_MS_MAX).unref();
    },
  };
}

/** Never `detail`, where Postgres repeats the values of a row. */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, code: 'code' in error ? error.code : undefined, stack: error.stack };
}
