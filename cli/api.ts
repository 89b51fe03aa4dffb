import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ErrorDetail } from '../src/domain/money/errors.ts';
import type { ErrorContent } from '../src/objects/error.ts';
import type { Config } from '../src/settings/config.ts';
import { runningStack } from '../dev/running-stack.ts';
import { messageOf } from '../src/process/message-of.ts';
import { Failure } from './failure.ts';
import { integerFrom } from './help.ts';
import { jsonOption, type Printed } from './output.ts';

/**
 * Limit of a request, above the 100 s after which the API gives up a response that makes a bill or reads a report
 * (contract.md 1).
 */
const REQUEST_LIMIT_MS = 110_000;
const PAGE_MAX = 200;

export type ApiOptions = Printed & { url?: string; key?: string; live: boolean };
export type PageOptions = { limit: number; cursor?: string };

type Query = Readonly<Record<string, string | number | undefined>>;
type Sent = {
  query?: Query;
  body?: object;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
};

/** A client of the HTTP API. Throws an ApiFailure for every response that is not 2xx. */
export type Api = {
  url: string;
  call: <Body>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    content?: Sent,
  ) => Promise<{ body: Body; headers: Headers }>;
  get: <Body>(path: string, query?: Query) => Promise<Body>;
  post: <Body>(path: string, body: object) => Promise<Body>;
  /** A file, which may take any time to arrive. Reading it throws if the connection is lost before its end. */
  file: (path: string, query?: Query) => Promise<AsyncIterable<Uint8Array>>;
};

/** A response that is not 2xx; `status` is null if there was no response. */
export class ApiFailure extends Failure {
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/** Temporary: the API restarts or limits the rate. */
export function isPassing(error: unknown): error is ApiFailure {
  if (!(error instanceof ApiFailure)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}

/** Adds the options of a command that calls the API. */
export function askingApi(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <url>',
        'address of the API (default: TIDEMARK_URL, then the running stack)',
      ).argParser(readUrl),
    )
    .option('--key <key>', 'API key (default: TIDEMARK_KEY, then a key of the running stack)')
    .addOption(liveOption())
    .addOption(jsonOption());
}

/** The option `--live`; without it a command uses the test environment. */
export function liveOption(): Option {
  return new Option('--live', 'use the live environment instead of the test environment').default(false);
}

/** Adds the options of a command that prints a list. */
export function printingList(command: Command): Command {
  return askingApi(command)
    .addOption(
      new Option('--limit <number>', 'maximum number of objects')
        .argParser(integerFrom(1, PAGE_MAX))
        .default(50),
    )
    .option('--cursor <cursor>', 'cursor from the previous page');
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:3000.');
}

/**
 * The API by the options, else the settings, else the running stack. Throws a Failure if none of them gives an address
 * and a key.
 */
export function openApi(config: Config, options: ApiOptions): Api {
  const { url, key } = accessOf(config, options);
  const call: Api['call'] = (method, path, content = {}) => request({ url, key, method, path, ...content });
  return {
    url,
    call,
    get: async <Body>(path: string, query?: Query) =>
      (await call<Body>('GET', path, query === undefined ? {} : { query })).body,
    post: async <Body>(path: string, body: object) => (await call<Body>('POST', path, { body })).body,
    file: (path, query = {}) => openFile({ url, key, method: 'GET', path, query }),
  };
}

function accessOf(config: Config, options: ApiOptions): { url: string; key: string } {
  const stack = runningStack(config.data_dir);
  const url = options.url ?? config.tidemark_url ?? stack?.api_url;
  if (url === undefined) {
    const remedy = 'start a stack with npm start, or set --url or TIDEMARK_URL';
    throw new Failure(`no stack is running in ${config.data_dir}: ${remedy}`);
  }
  // Keys of the running stack are sent to its own address only: no other server may learn them.
  const keys = stack?.api_url === url ? stack : undefined;
  const stack_key = options.live ? keys?.live_key : keys?.test_key;
  const key = options.key ?? config.tidemark_key ?? stack_key;
  if (key === undefined) throw new Failure(`no API key for ${url}; set --key or TIDEMARK_KEY`);
  if (options.live && !key.startsWith('tm_sk_live_'))
    throw new Failure('--live requires a live key, but the key is not a live key', 2);
  return { url: url.replace(/\/+$/, ''), key };
}

type Request = Sent & { url: string; key: string; method: string; path: string };

async function request<Body>(api_request: Request): Promise<{ body: Body; headers: Headers }> {
  const { url, signal } = api_request;
  const limit = AbortSignal.timeout(REQUEST_LIMIT_MS);
  const all = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  let text: string;
  let response: Response;
  try {
    response = await respond({ ...api_request, signal: all });
    text = await response.text();
  } catch (error) {
    signal?.throwIfAborted();
    throw noResponse(url, error);
  }
  if (!response.ok) throw new ApiFailure(refusalOf(url, response.status, text), response.status);
  return { body: parsed(url, text), headers: response.headers };
}

async function openFile(file_request: Request): Promise<AsyncIterable<Uint8Array>> {
  const { url } = file_request;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), REQUEST_LIMIT_MS);
  const response = await respond({ ...file_request, signal: late.signal })
    .catch((error: unknown) => {
      throw noResponse(url, error);
    })
    .finally(() => clearTimeout(timer));
  if (!response.ok || response.body === null)
    throw new ApiFailure(refusalOf(url, response.status, await response.text()), response.status);
  return response.body;
}

function respond({
  url,
  key,
  method,
  path,
  query = {},
  body,
  headers = {},
  signal,
}: Request): Promise<Response> {
  return fetch(`${url}${path}${searchOf(query)}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function noResponse(url: string, error: unknown): ApiFailure {
  return new ApiFailure(`${url} does not respond: ${messageOf(error)}`, null);
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, `${value}`);
  return search.size === 0 ? '' : `?${search}`;
}

function parsed<Body>(url: string, text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`the response of ${url} is not JSON; check that it is a Tidemark API`);
  }
}

type Refusal = { error: ErrorContent };

/** Every fault with its field, one a line below the word `error:`. */
export function faultLines(faults: readonly Pick<ErrorDetail, 'param' | 'message'>[]): string {
  return faults
    .map(({ param, message }) => (param === null ? message : `${message} (${param})`))
    .join('\n       ');
}

/** Lists every fault with its field, then the request id. A proxy in front of the API may answer in another form. */
function refusalOf(url: string, status: number, text: string): string {
  try {
    const { error }: Refusal = JSON.parse(text);
    const faults = error.details.length > 0 ? error.details : [{ param: null, message: error.message }];
    return `${faultLines(faults)}\n       ${status}, request ${error.request_id}`;
  } catch {
    return `${url} responded with the status ${status}`;
  }
}
