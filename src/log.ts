import { pino, type Logger } from 'pino';
import type { Config } from './config.ts';
import { standardOutput } from './log-output.ts';

export type { Logger } from 'pino';

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
    standardOutput,
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
