import { pathWith, type Client } from './client.ts';
import type { List } from './objects.ts';

const PAGES_MAX = 10;
const LIMIT = '200';

/** Fetches all pages of a list, up to 2,000 objects; `has_more` is true if the list is longer. For useLoad. */
export async function everyPage<Item>(
  client: Client,
  path: string,
  signal: AbortSignal,
): Promise<List<Item>> {
  const data: Item[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const list: List<Item> = await client.get(
      pathWith(path, { limit: LIMIT, cursor: cursor ?? undefined }),
      signal,
    );
    data.push(...list.data);
    cursor = list.next_cursor;
    if (cursor === null) break;
  }
  return { data, has_more: cursor !== null, next_cursor: cursor };
}
