import { useCallback, useEffect, useState } from 'preact/hooks';
import { useClient } from '../shell/session.tsx';
import { isWayBack } from './way-back.ts';
import type { Client } from './client.ts';
import { asFault, type Fault } from './fault.ts';
import { keepResponse, keptResponse } from './kept-responses.ts';

/** The response for a path; the previous response stays visible while the next one loads. */
export type Loaded<Result> = {
  value: Result | null;
  fault: Fault | null;
  is_loading: boolean;
  reload: () => void;
};

type Fetched<Result> = { path: string; value: Result | null; fault: Fault | null; is_loading: boolean };

/** Fetches a value that needs more than one GET. Must be the same function at every render. */
export type Fetch<Result> = (client: Client, path: string, signal: AbortSignal) => Promise<Result>;

const getOnce = <Result>(client: Client, path: string, signal: AbortSignal) =>
  client.get<Result>(path, signal);

/**
 * Fetches a path, and again whenever it changes or `reload` is called; aborts a request whose response is no longer
 * needed. Null fetches nothing. If only the query changes, the previous response stays visible; if the path changes, it
 * is discarded. On the way back, the response of that time is visible until the new one comes.
 */
export function useLoad<Result>(path: string | null, fetch: Fetch<Result> = getOnce): Loaded<Result> {
  const client = useClient();
  const [round, setRound] = useState(0);
  const [fetched, setFetched] = useState<Fetched<Result>>(() => ({
    ...nothing(path),
    value: path !== null && isWayBack() ? keptResponse<Result>(client, fetch, path) : null,
  }));
  const reload = useCallback(() => setRound((count) => count + 1), []);

  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    setFetched((before) => ({ ...stateAt(before, path), is_loading: true }));
    fetch(client, path, controller.signal).then(
      (value) => {
        keepResponse(client, { fetch, path, value });
        setFetched({ path, value, fault: null, is_loading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setFetched((before) => ({ ...before, fault: asFault(error), is_loading: false }));
      },
    );
    return () => controller.abort();
  }, [client, path, fetch, round]);

  const { value, fault, is_loading } = stateAt(fetched, path);
  return { value, fault, is_loading, reload };
}

const nothing = (path: string | null) => ({
  path: path ?? '',
  value: null,
  fault: null,
  is_loading: path !== null,
});

function stateAt<Result>(fetched: Fetched<Result>, path: string | null): Fetched<Result> {
  if (fetched.path === path) return fetched;
  return withoutQuery(fetched.path) === withoutQuery(path ?? '') && path !== null
    ? { ...fetched, path, fault: null, is_loading: true }
    : nothing(path);
}

const withoutQuery = (path: string) => path.split('?')[0];
