import { Fault, faultOf, unreachable } from './fault.ts';
import type { Environment } from './objects.ts';

/** Parameters of a path; an absent and an empty one are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The API as seen from one environment. Each call rejects with a Fault, or with an AbortError. */
export type Client = {
  get: <Result>(path: string, signal?: AbortSignal) => Promise<Result>;
  /** A file: the browser asks for none by itself, as it does not know the environment. */
  file: (path: string) => Promise<Blob>;
  post: <Result>(path: string, body?: object) => Promise<Result>;
  patch: <Result>(path: string, body: object) => Promise<Result>;
  /** A question that needs a body: a POST that changes nothing. */
  ask: <Result>(path: string, body: object, signal: AbortSignal) => Promise<Result>;
};

/** `on_signed_out` is told of every 401: no session, or one that has ended. */
export function createClient(environment: Environment, on_signed_out: () => void): Client {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { 'Tidemark-Environment': environment, ...init.headers };
    const response = await fetch(path, { ...init, headers }).catch((error: unknown) => {
      throw init.signal?.aborted ? error : unreachable();
    });
    if (response.status === 401) on_signed_out();
    if (!response.ok) throw await faultOf(response);
    return response;
  };
  return {
    get: async (path, signal) => (await send(path, signal === undefined ? {} : { signal })).json(),
    file: async (path) => (await send(path, {})).blob(),
    post: async (path, body = {}) => {
      const text = JSON.stringify(body);
      return withKeyOf(`${environment} ${path} ${text}`, async (key) =>
        (await send(path, written('POST', text, { 'Idempotency-Key': key }))).json(),
      );
    },
    patch: async (path, body) => (await send(path, written('PATCH', JSON.stringify(body), {}))).json(),
    ask: async (path, body, signal) =>
      (await send(path, { ...written('POST', JSON.stringify(body), {}), signal })).json(),
  };
}

function written(method: string, body: string, headers: Record<string, string>): RequestInit {
  return { method, body, headers: { 'Content-Type': 'application/json', ...headers } };
}

/** Keys of the POSTs whose outcome is not known: the same once more must not be done twice. */
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

/** A path with its parameters. */
export function pathWith(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
