import { destination, pino, type Logger } from 'pino';
import type { Config } from './config.ts';

export type { Logger } from 'pino';

const HELD_CHARACTERS_MAX = 64 * 1024;
const HELD_MS_MAX = 1000;
const CAUSES_MAX = 5;
const ERRORS_MAX = 5;

/** JSON lines on standard output, of one form for every process; `error` is what was thrown. */
export function createLog(name: 'api' | 'worker', level: Config['log_level']): Logger {
  return pino(
    {
      level,
      base: { name },
      timestamp: timeMember,
      formatters: { level: (word) => ({ level: word }) },
      serializers: { error: (error: unknown) => errorFields(error, CAUSES_MAX) },
    },
    standardOutput(),
  );
}

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

type Output = { write: (text: string) => void };

let standard_output: Output | null = null;

/** One for the process, whatever number of logs it has. */
function standardOutput(): Output {
  return (standard_output ??= inGroups(destination({ dest: 1, sync: false })));
}

/**
 * Hands lines on many at once: for each handover a thread is woken, which costs more than the request that the line is about.
 * What is held when the process exits is written first.
 */
function inGroups(out: Output): Output {
  let lines: string[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  const handOver = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length > 0) out.write(lines.join(''));
    [lines, characters] = [[], 0];
  };
  // Before the destination's own listeners, which write what it has and close.
  process.prependListener('beforeExit', handOver);
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

/** Never `detail`, where Postgres repeats the values of a row. Errors of a workflow are of another realm, and no `Error` of ours. */
function errorFields(error: unknown, causes_left: number): object {
  if (typeof error !== 'object' || error === null || !('message' in error)) return { message: String(error) };
  const of = (name: 'name' | 'code' | 'stack'): unknown => Reflect.get(error, name);
  const isDeep = causes_left > 0;
  return {
    name: of('name'),
    message: error.message,
    code: of('code'),
    stack: of('stack'),
    cause: isDeep && 'cause' in error && error.cause ? errorFields(error.cause, causes_left - 1) : undefined,
    errors:
      isDeep && 'errors' in error && Array.isArray(error.errors)
        ? error.errors.slice(0, ERRORS_MAX).map((one) => errorFields(one, causes_left - 1))
        : undefined,
  };
}
