import { NAMES_EVENTS } from '../support/citus/sent-statements.ts';

/** SQL that gives the clock or the transaction of the server that runs it. */
const OF_SERVER =
  /\b(?:now|event_bucket|pg_current_xact_id|pg_current_snapshot|(?:clock|statement|transaction)_timestamp)\(\)|\bcurrent_(?:timestamp|date)\b/;

const MATERIALIZED = /\b(\w+) as materialized \(/;

/**
 * SQL in a statement that gives the clock or the transaction of the server, beside events; null for none. A node would run it. Citus runs
 * each materialized common table by itself, and what reads these tables alone on the coordinator.
 */
export function ofServerBesideEvents(statement: string): string | null {
  const { tables, rest } = apart(statement);
  for (const part of [...tables.map(({ body }) => body), withoutTables(rest, tables)]) {
    const [sql] = OF_SERVER.exec(part) ?? [];
    if (sql !== undefined && NAMES_EVENTS.test(part)) return sql;
  }
  return null;
}

type CommonTable = { name: string; body: string };

/** A statement's materialized common tables, and the rest of it. */
function apart(statement: string): { tables: CommonTable[]; rest: string } {
  const tables: CommonTable[] = [];
  let rest = statement;
  for (let found = MATERIALIZED.exec(rest); found !== null; found = MATERIALIZED.exec(rest)) {
    const begin = found.index + found[0].length;
    const end = endOf(rest, begin);
    const body = withoutTables(rest.slice(begin, end), tables);
    rest = rest.slice(0, found.index) + rest.slice(end + 1);
    tables.push({ name: found[1]!, body });
  }
  return { tables, rest };
}

/** The place of the bracket that closes what was opened before `begin`. */
function endOf(text: string, begin: number): number {
  let open = 1;
  for (let place = begin; place < text.length; place++) {
    if (text[place] === '(') open++;
    if (text[place] === ')' && --open === 0) return place;
  }
  throw new Error(`a common table does not end: ${text}`);
}

/** SQL without the names of common tables, one of which may be called `events` like the table. */
function withoutTables(sql: string, tables: readonly CommonTable[]): string {
  return tables.reduce(
    (without, { name }) =>
      without.replaceAll(new RegExp(String.raw`\b(from|join)\s+${name}\b`, 'g'), '$1 common_table'),
    sql,
  );
}
