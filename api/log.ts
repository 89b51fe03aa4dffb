import { destination, pino } from 'pino';
import { perDeps } from './per-deps.ts';

const FLUSH_MS = 1000;

/** JSON lines on standard output, written in groups: a system call a request would cost more than the request. */
export const logOf = perDeps((deps) =>
  pino(
    {
      level: deps.config.log_level,
      base: { name: 'api' },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: errorFields },
    },
    destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: FLUSH_MS }),
  ),
);

/** Never `detail`, where Postgres repeats the values of a row. */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return { message: error.message, code: 'code' in error ? error.code : undefined, stack: error.stack };
}
