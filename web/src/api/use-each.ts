import type { Client } from './client.ts';
import { Fault } from './fault.ts';
import { useLoad } from './use-load.ts';

type Identified = { id: string };

/** Fetches some objects below a path by their ids. What is not found, or not loaded yet, is not in the result. */
export function useEach<Item extends Identified>(
  path: string,
  ids: readonly string[],
): ReadonlyMap<string, Item> {
  const different = [...new Set(ids)].sort();
  const place = different.length === 0 ? null : [path, ...different].join(' ');
  const { value } = useLoad<Item[]>(place, eachOf);
  return new Map((value ?? []).map((item) => [item.id, item]));
}

async function eachOf<Item>(client: Client, place: string, signal: AbortSignal): Promise<Item[]> {
  const [path, ...ids] = place.split(' ');
  const found = await Promise.all(
    ids.map((id) =>
      client.get<Item>(`${path}/${id}`, signal).catch((error: unknown) => {
        if (error instanceof Fault && error.status === 404) return null;
        throw error;
      }),
    ),
  );
  return found.filter((item) => item !== null);
}
