import { setTimeout as pause } from 'node:timers/promises';
import { TidemarkError } from './errors.ts';
import { memberOf } from './json.ts';
import { send, type Answer, type Connection } from './request.ts';
import { backOffMs, isTemporary } from './retry.ts';
import type { paths } from './schema.ts';

type Page<Item> = { data: Item[]; next_cursor: string | null };

/** A GET of the API that answers a page. */
type ListOperation<Item = unknown> = {
  parameters: { query?: object; path?: object };
  responses: { 200: { content: { 'application/json': Page<Item> } } };
};

/** The path of a list. */
export type ListPath = {
  [Path in keyof paths]: paths[Path] extends { get: ListOperation } ? Path : never;
}[keyof paths];

type QueryOf<Path extends ListPath> = Omit<NonNullable<paths[Path]['get']['parameters']['query']>, 'cursor'>;

/** The parts of a path in braces, such as `{ id: 'inv_...' }`; never for a path without. */
type PartsOf<Path extends ListPath> = NonNullable<paths[Path]['get']['parameters']['path']>;

/**
 * The arguments of `paginate` after the path: its query, optional if no parameter is required, and the parts of the
 * path in braces.
 */
export type ListArguments<Path extends ListPath> = [PartsOf<Path>] extends [never]
  ? Record<string, never> extends QueryOf<Path>
    ? [query?: QueryOf<Path>]
    : [query: QueryOf<Path>]
  : [query: QueryOf<Path>, parts: PartsOf<Path>];

export type ListItem<Path extends ListPath> =
  paths[Path]['get']['responses'][200]['content']['application/json']['data'][number];

const LIMIT_MS = 60_000;
/** A list is read for somebody who waits. */
const TRIES_MAX = 5;

/**
 * The objects of a list, page by page, from its first one on. A page that is not answered because of the connection,
 * the load or a fault of the server is asked for five times; then, and for every other fault, throws a TidemarkError,
 * or the error of the connection.
 */
export async function* paginate<Item>(
  connection: Connection,
  path: string,
  query: object = {},
  parts: object = {},
): AsyncGenerator<Item, void, undefined> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${memberOf(parts, name)}`));
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage(connection, `${filled}?${queryOf(query, cursor)}`);
    yield* page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

function queryOf(query: object, cursor: string | null): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined && value !== null) parameters.set(name, `${value}`);
  return parameters;
}

async function readPage<Item>(connection: Connection, path: string): Promise<Page<Item>> {
  for (let tries = 1; ; tries++) {
    const answer = await tryReading(connection, path, tries === TRIES_MAX);
    if (answer !== null && (tries === TRIES_MAX || !isTemporary(answer.status))) return pageOf(answer);
    await pause(answer?.retry_after_ms ?? backOffMs(tries));
  }
}

/** The answer, or null if the connection was lost; the last try throws the error instead. */
async function tryReading(connection: Connection, path: string, is_last: boolean): Promise<Answer | null> {
  try {
    return await send(connection, { path, limit_ms: LIMIT_MS });
  } catch (error) {
    if (is_last) throw error;
    return null;
  }
}

function pageOf<Item>({ status, body, request_id }: Answer): Page<Item> {
  if (status === 200 && isPage<Item>(body)) return body;
  throw new TidemarkError(status, body, request_id);
}

/** Whether an answer is a page: something else than Tidemark may answer at a wrong address. */
function isPage<Item>(body: unknown): body is Page<Item> {
  return Array.isArray(memberOf(body, 'data')) && memberOf(body, 'next_cursor') !== undefined;
}
