import { Fault, faultOf, isNotPermitted, unreachable } from './fault.ts';

/** Query parameters; absent and empty ones are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

/**
 * The API in one environment, or of one portal link. Each call rejects with a Fault, or with an AbortError if its
 * signal aborts.
 */
export type Client = {
  get: <Result>(path: string, signal?: AbortSignal) => Promise<Result>;
  /** A file, by the name that the API gives it. A plain link would not do: it sends no environment header. */
  file: (path: string) => Promise<File>;
  post: <Result>(path: string, body?: object) => Promise<Result>;
  put: <Result>(path: string, body: object) => Promise<Result>;
  patch: <Result>(path: string, body: object) => Promise<Result>;
  delete: <Result>(path: string) => Promise<Result>;
  /** A query with a body: a POST that changes nothing. */
  ask: <Result>(path: string, body: object, signal?: AbortSignal) => Promise<Result>;
  /** The time, by `performance.now()`, at which the last of the other POSTs, PUTs, PATCHes and DELETEs succeeded. */
  changedAt: () => number;
};

/**
 * `identity` is the header by which the API knows the environment of a session, or the portal link. Calls
 * `on_signed_out` for a 401 that is not a lack of permission: there is no session or link, or it has ended.
 */
export function createClient(identity: Readonly<Record<string, string>>, on_signed_out: () => void): Client {
  const scope = JSON.stringify(identity);
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { ...identity, ...init.headers };
    const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
      throw init.signal?.aborted ? error : unreachable();
    });
    if (response.ok) return response;
    const fault = await faultOf(response);
    if (fault.status === 401 && !isNotPermitted(fault)) on_signed_out();
    throw fault;
  };
  let changed_at_ms = 0;
  const change = async (path: string, init: RequestInit) => {
    const response = await send(path, init);
    changed_at_ms = performance.now();
    return response.json();
  };
  return {
    changedAt: () => changed_at_ms,
    get: async (path, signal) => (await send(path, signal === undefined ? {} : { signal })).json(),
    file: async (path) => {
      const response = await send(path, {});
      const blob = await response.blob().catch(() => {
        throw unreachable();
      });
      return new File([blob], nameIn(response.headers), { type: blob.type });
    },
    post: async (path, body = {}) => {
      const text = JSON.stringify(body);
      return withKeyOf(`${scope} ${path} ${text}`, (key) =>
        change(path, written('POST', text, { 'Idempotency-Key': key })),
      );
    },
    put: (path, body) => change(path, written('PUT', JSON.stringify(body), {})),
    patch: (path, body) => change(path, written('PATCH', JSON.stringify(body), {})),
    delete: async (path) =>
      withKeyOf(`${scope} DELETE ${path}`, (key) =>
        change(path, { method: 'DELETE', headers: { 'Idempotency-Key': key } }),
      ),
    ask: async (path, body, signal) =>
      (
        await send(path, {
          ...written('POST', JSON.stringify(body), {}),
          ...(signal === undefined ? {} : { signal }),
        })
      ).json(),
  };
}

/** The name of a file in its Content-Disposition; empty without one. */
function nameIn(headers: Headers): string {
  return /filename="([^"]*)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? '';
}

function written(method: string, body: string, headers: Record<string, string>): RequestInit {
  return { method, body, headers: { 'Content-Type': 'application/json', ...headers } };
}

/**
 * Idempotency keys of POSTs and DELETEs with an unknown outcome: a retry reuses the key, so that the server executes
 * the request once.
 */
const keys_in_doubt = new Map<string, string>();

async function withKeyOf<Result>(request: string, send: (key: string) => Promise<Result>): Promise<Result> {
  const key = keys_in_doubt.get(request) ?? randomKey();
  keys_in_doubt.set(request, key);
  try {
    const answer = await send(key);
    keys_in_doubt.delete(request);
    return answer;
  } catch (error) {
    const is_refused = error instanceof Fault && error.status >= 400 && error.status < 500;
    if (is_refused) keys_in_doubt.delete(request);
    throw error;
  }
}

function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** A path with query parameters, after those that it has. */
export function pathWith(path: string, query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  if (entries.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(entries).toString()}`;
}
