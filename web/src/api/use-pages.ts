import { useLocation } from 'preact-iso/router';
import { useCallback, useState } from 'preact/hooks';
import { pathWith, type Query } from './client.ts';
import type { List } from './objects.ts';
import { useLoad, type Loaded } from './use-load.ts';

/** A list by pages; null where there is no such page. The page in sight stands in the address, as `cursor`. */
export type Pages<Item> = {
  loaded: Loaded<List<Item>>;
  newer: (() => void) | null;
  older: (() => void) | null;
};

/** Which page came before one that was reached from it; after a reload, the way back leads to the newest. */
const page_before = new Map<string, string | undefined>();

export function usePages<Item>(path: string, filters: Query = {}): Pages<Item> {
  const [{ cursor }, setQuery] = useQuery();
  const loaded = useLoad<List<Item>>(pathWith(path, { ...filters, cursor }));
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

/** A list beside others on a page, by pages that the address does not know. */
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

/** The query of the address, and a way to change some of it; the page's other parameters stay. */
export function useQuery(): [Query, (changes: Query, how?: 'push' | 'replace') => void] {
  const { path, query, route } = useLocation();
  const change = useCallback(
    (changes: Query, how: 'push' | 'replace' = 'push') =>
      route(pathWith(path, { ...query, ...changes }), how === 'replace'),
    [path, query, route],
  );
  return [query, change];
}
