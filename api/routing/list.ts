import { decodeCursor, encodeCursor, type CursorScope } from './cursor.ts';
import type { RouteResponse } from './route.ts';
import type { Caller, Deps } from '../http/deps.ts';

/** Where a page of a list that is sorted by id begins, and one row more than it shows: that row says that there are more. */
export type PageOfRows = { before: string | null; limit: number };

/** What a list reads of its request. */
export type ListRequest = { deps: Deps; caller: Caller; query: { cursor?: string; limit: number } };

/**
 * A page of a list that is newest first, which ids are in when they are descending. `fetch` returns the rows with an id below
 * `before`; `filters` are what the cursor is bound to besides the environment.
 */
export async function listResponse<Row extends { id: string }>(
  { deps, caller, query }: ListRequest,
  list: {
    name: string;
    filters: object;
    fetch: (page: PageOfRows) => Promise<Row[]>;
    show: (row: Row) => object;
  },
): Promise<RouteResponse> {
  const scope: CursorScope = { caller, list: list.name, filters: list.filters };
  const before = query.cursor === undefined ? null : decodeCursor(deps, scope, query.cursor);
  const rows = await list.fetch({ before, limit: query.limit + 1 });
  const shown = rows.slice(0, query.limit);
  const has_more = rows.length > query.limit;
  const next_cursor = has_more ? encodeCursor(deps, scope, shown.at(-1)!.id) : null;
  return { status: 200, body: { object: 'list', data: shown.map(list.show), has_more, next_cursor } };
}
