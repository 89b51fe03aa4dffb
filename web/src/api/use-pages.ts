import { useLocation } from 'preact-iso/router';
import { useCallback, useState } from 'preact/hooks';
import { pathWith, type Query } from './client.ts';
import type { List } from './objects.ts';
import { useLoad, type Loaded } from './use-load.ts';

/**
 * A list by pages; `newer` and `older` are null if there is no such page. The address holds the current page as
 * `cursor`.
 */
export type Pages<Item, Page extends List<Item> = List<Item>> = {
  loaded: Loaded<Page>;
  newer: (() => void) | null;
  older: (() => void) | null;
};

/** The previous page of each page reached by its link. Lost on a reload: `newer` then leads to the newest page. */
const page_before = new Map<string, string | undefined>();

/**
 * Fetches the current page of a list, which may have members of its own, and offers the way to its neighbours.
 */
export function usePages<Item, Page extends List<Item> = List<Item>>(
  path: string,
  filters: Query = {},
): Pages<Item, Page> {
  const [{ cursor }, setQuery] = useQuery();
  const loaded = useLoad<Page>(pathWith(path, { ...filters, cursor }));
  const next_cursor = loaded.value?.next_cursor ?? null;
  const older = () => {
    if (next_cursor === null) return;
    page_before.set(next_cursor, cursor);
    setQuery({ cursor: next_cursor });
  };
  return {
    loaded,
    newer: cursor === undefined ? null : () => setQuery({ cursor: page_before.get(cursor) }),
    older: next_cursor === null ? null : older,
  };
}

/** Reads pages as usePages does, for a list beside others on a page; the address does not hold the cursor. */
export function usePagesWithin<Item>(path: string, filters: Query = {}): Pages<Item> {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const loaded = useLoad<List<Item>>(pathWith(path, { ...filters, cursor: cursors.at(-1) }));
  const next_cursor = loaded.value?.next_cursor ?? null;
  return {
    loaded,
    newer: cursors.length === 0 ? null : () => setCursors(cursors.slice(0, -1)),
    older: next_cursor === null ? null : () => setCursors([...cursors, next_cursor]),
  };
}

/** The query of the address, and a function that changes some parameters and keeps the others. */
export function useQuery(): [Query, (changes: Query, how?: 'push' | 'replace') => void] {
  const { path, query, route } = useLocation();
  const change = useCallback(
    (changes: Query, how: 'push' | 'replace' = 'push') =>
      route(pathWith(path, { ...query, ...changes }), how === 'replace'),
    [path, query, route],
  );
  return [query, change];
}
