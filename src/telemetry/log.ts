import { pino, type Logger } from 'pino';
import type { Config } from '../settings/config.ts';
import { standardOutput } from './log-output.ts';

export type { Logger } from 'pino';

const CAUSES_MAX = 5;
const ERRORS_MAX = 5;

/**
 * A logger that writes JSON lines to standard output, in one form for every process. The member `error` takes any
 * thrown value.
 */
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

/**
 * The `time` member with its leading comma. Formatted once per millisecond, because formatting takes as long as the
 * rest of the line.
 */
function timeMember(): string {
  const now_ms = Date.now();
  if (now_ms !== written_ms) {
    written_ms = now_ms;
    written = `,"time":"${new Date(now_ms).toISOString()}"`;
  }
  return written;
}

/**
 * Leaves out `detail`, where Postgres repeats the values of a row. Errors of workflows come from another realm, so
 * instanceof Error fails.
 */
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
        ? error.errors.slice(0, ERRORS_MAX).map((inner_error) => errorFields(inner_error, causes_left - 1))
        : undefined,
  };
}
