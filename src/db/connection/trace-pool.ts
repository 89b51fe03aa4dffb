import type pg from 'pg';
import { tracing, type Span } from '../../telemetry/tracing.ts';

/** Attributes that all spans of statements have in common. */
export const STATEMENT_SPAN = {
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const;

/**
 * Makes a span of each statement that runs in a span. Does nothing while traces are off. The loops of a process, such
 * as the rollup, run in no span, so their statements have none.
 */
export function tracePool(pool: pg.Pool): void {
  const traces = tracing();
  if (traces === null) return;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  // A callback is called when another request gives its connection back, in that request's span.
  const bound = (...args: unknown[]) => connect(...args.map((arg) => traces.bind(arg)));
  pool.connect = bound as typeof pool.connect;
  pool.on('connect', traceStatements);
}

function traceStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const traced = (...parameters: unknown[]) => {
    const traces = tracing();
    const name = nameOf(parameters[0]);
    if (name === null || traces === null || traces.current() === null) return query(...parameters);
    return traces.start({ name, ...STATEMENT_SPAN }, (span) => run(query, parameters, span));
  };
  client.query = traced as typeof client.query;
}

/** pg answers by the callback, which is the last argument, or else by a promise. */
function run(query: (...parameters: unknown[]) => unknown, parameters: unknown[], span: Span): unknown {
  const end = (error: unknown) => {
    if (error) span.fail(error);
    span.end();
  };
  const callback = parameters.at(-1);
  if (typeof callback === 'function') {
    const ending = (error: unknown, ...rest: unknown[]): unknown => {
      end(error);
      return callback(error, ...rest);
    };
    return query(...parameters.slice(0, -1), ending);
  }
  const answer = query(...parameters);
  if (answer instanceof Promise) answer.then(() => end(null), end);
  else end(null);
  return answer;
}

const READS = /^\s*(?:select|with)\b/i;
const WRITES = /\b(insert) into\s+(\w+)|\b(delete) from\s+(\w+)|^\s*(update)\s+(\w+)/i;
const READ_TABLE = /\bfrom\s+([a-z_]+)/i;

/**
 * The verb and the table, such as `insert events`; null for statements that begin or end a transaction. The text itself
 * stays here.
 */
function nameOf(statement: unknown): string | null {
  const text = textOf(statement);
  const written = WRITES.exec(text)?.filter((part) => part !== undefined);
  if (written !== undefined) return `${written[1]!.toLowerCase()} ${written[2]}`;
  return READS.test(text) ? `select ${READ_TABLE.exec(text)?.[1] ?? ''}`.trim() : null;
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const is_query = typeof statement === 'object' && statement !== null && 'text' in statement;
  return is_query && typeof statement.text === 'string' ? statement.text : '';
}
