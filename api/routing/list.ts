import { decodeCursor, encodeCursor, type CursorScope } from './cursor.ts';
import type { List } from '../../src/objects/parts.ts';
import type { RouteResponse } from './route.ts';
import type { Caller, Deps } from '../http/deps.ts';

/**
 * The rows to fetch for a page: with ids below `before`, at most `limit`. That is one more than the page shows, to set
 * `has_more`.
 */
export type PageOfRows = { before: string | null; limit: number };

/** The parts of a request that a list needs. */
export type ListRequest = { deps: Deps; caller: Caller; query: { cursor?: string; limit: number } };

/**
 * Responds with a page of a list, newest first, which is the descending order of ids. `fetch` returns the rows with an
 * id below `before`. The cursor is bound to `name`, `filters` and the environment.
 */
export async function listResponse<Row extends { id: string }, Item>(
  { deps, caller, query }: ListRequest,
  list: {
    name: string;
    filters: object;
    fetch: (page: PageOfRows) => Promise<Row[]>;
    show: (row: Row) => Item;
  },
): Promise<RouteResponse<200, List<Item>>> {
  const scope: CursorScope = { caller, list: list.name, filters: list.filters };
  const before = query.cursor === undefined ? null : decodeCursor(deps, scope, query.cursor);
  const rows = await list.fetch({ before, limit: query.limit + 1 });
  const page = rows.slice(0, query.limit);
  const has_more = rows.length > query.limit;
  const next_cursor = has_more ? encodeCursor(deps, scope, page.at(-1)!.id) : null;
  return { status: 200, body: { object: 'list', data: page.map(list.show), has_more, next_cursor } };
}
