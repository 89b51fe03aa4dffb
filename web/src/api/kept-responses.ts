import type { Client } from './client.ts';

type Kept = { value: unknown; read_at_ms: number };

type Fetched = { fetch: object; path: string; value: unknown };

const RESPONSES_MAX = 50;
/** Responses by client, hence by environment; by what fetched them; by path, the oldest first. */
const responses = new WeakMap<Client, Map<object, Map<string, Kept>>>();

/**
 * Keeps a response, so that the way back shows it at once. `fetch` is what fetched it: a path alone does not say what
 * it was read into.
 */
export function keepResponse(client: Client, { fetch, path, value }: Fetched): void {
  const of_client = responses.get(client) ?? new Map<object, Map<string, Kept>>();
  responses.set(client, of_client);
  const of_fetch = of_client.get(fetch) ?? new Map<string, Kept>();
  of_client.set(fetch, of_fetch);
  of_fetch.delete(path);
  of_fetch.set(path, { value, read_at_ms: performance.now() });
  const [oldest] = of_fetch.keys();
  if (of_fetch.size > RESPONSES_MAX && oldest !== undefined) of_fetch.delete(oldest);
}

/** The last response for a path, unless this client has changed something since; else null. */
export function keptResponse<Result>(client: Client, fetch: object, path: string): Result | null {
  const response = responses.get(client)?.get(fetch)?.get(path);
  if (response === undefined || response.read_at_ms < client.changedAt()) return null;
  return response.value as Result;
}
