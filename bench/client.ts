import type { Api } from './programs.ts';

const REQUESTS_AT_ONCE = 16;

/** Sends one request to the API and returns the body of its 2xx response. Throws for any other response. */
export async function call<T>(
  api: Api,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const response = await fetch(`${api.url}/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${api.live_key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`/v1/${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}

/** Runs `work` for every item, 16 concurrently, until the first error. Results are in the order of the items. */
export async function forEvery<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function takeItems(): Promise<void> {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, takeItems));
  return results;
}
