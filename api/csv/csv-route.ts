import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { rateLimited } from '../../src/domain/money/errors.ts';
import { columnsOf, csvOf, headerOf, type Column } from '../../src/objects/csv-text.ts';
import { createGate } from '../../src/queues/gate.ts';
import { route, type Request, type Route } from '../routing/route.ts';

/** CSV files that one process sends at once; a client may take an hour for one. */
const FILES_MAX = 10;
/**
 * Pages that they read at once, so that they leave most connections of the pool to others. A waiting page is never
 * refused.
 */
const reads = createGate({ running_max: 2, waiting_max: FILES_MAX, waiting_ms: 600_000 }, rateLimited);
/** Lines that are written in one turn of the event loop. */
const LINES_AT_ONCE = 200;

let open_files = 0;

type CsvRoute<Query extends TSchema, Row extends TObject> = Pick<
  Route,
  'path' | 'operation_id' | 'tag' | 'summary' | 'description' | 'may_take_long' | 'refusals'
> & {
  /** The filters of the list. Without `limit` and `cursor`: a file has all rows. */
  query: Query;
  /** Its members are the columns, but for `object`. */
  row: Row;
  /** The rows, in pages that are read one after the other. What the first page throws becomes the response. */
  pages: (request: Request<Static<Query>, unknown>) => AsyncIterable<readonly object[]>;
  /** The file that the query asks for in the place of this one; null: none. What it throws becomes the response. */
  otherFile?: (request: Request<Static<Query>, unknown>) => Promise<OtherFile | null>;
};

/** A file for another program, such as DATEV, in pieces that are read one after the other. */
export type OtherFile = { name: string; character_set: string; pieces: AsyncIterable<Buffer> };

/**
 * A list as a CSV file, which is sent while it is read: its length has no limit, and a slow client slows the reading
 * down.
 */
export function csvRoute<Query extends TSchema, Row extends TObject>(of: CsvRoute<Query, Row>) {
  const { row, pages, query, otherFile, ...described } = of;
  // A name stands once, where it stands first.
  const columns = columnsOf(row).filter(
    ({ name }, place, all) => name !== 'object' && all.findIndex((other) => other.name === name) === place,
  );
  const file_name = of.path.slice(of.path.lastIndexOf('/') + 1);
  return route({
    ...described,
    method: 'get',
    query,
    media_type: 'text/csv',
    responses: { 200: csvText(columns) },
    handle: async (request) => {
      const other = (await otherFile?.(request)) ?? null;
      if (other !== null) {
        const { name, character_set, pieces } = other;
        const body = await openFile(request, { head: [], pages: pieces, textsOf: (piece) => [piece] });
        return { status: 200, body, headers: headersOf(name, character_set) };
      }
      const file = { head: [headerOf(columns)], pages: pages(request), textsOf: textsOf(columns) };
      return { status: 200, body: await openFile(request, file), headers: headersOf(file_name, 'utf-8') };
    },
  });
}

function headersOf(file_name: string, character_set: string) {
  return {
    'Content-Disposition': `attachment; filename="${file_name}"`,
    'Content-Type': `text/csv; charset=${character_set}`,
  };
}

function csvText(columns: readonly Column[]) {
  const names = columns.map(({ name }) => `\`${name}\``).join(', ');
  return Type.Unsafe<Readable>({
    type: 'string',
    description: `UTF-8, with a header line. Columns: ${names}.`,
  });
}

/** Pages of a file, and what is written for each. */
type Content<Page> = {
  head: readonly string[];
  pages: AsyncIterable<Page>;
  textsOf: (page: Page) => Iterable<string | Buffer>;
};

/** Reads the first page before the response begins. Throws rate_limited if too many files are open. */
async function openFile<Page>(
  { deps, request_id }: Request<unknown, unknown>,
  content: Content<Page>,
): Promise<Readable> {
  if (open_files >= FILES_MAX) throw rateLimited();
  open_files++;
  const leave = () => void open_files--;
  const iterator = content.pages[Symbol.asyncIterator]();
  const read = () => reads.pass(() => iterator.next());
  try {
    const first = await read();
    const readNext = () =>
      read().catch((error: unknown) => {
        // The status is sent: the client only sees that the connection closes before the end.
        deps.log.error({ request_id, error });
        throw error;
      });
    return Readable.from(textsFrom(content, first, readNext)).once('close', leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function* textsFrom<Page>(
  { head, textsOf }: Content<Page>,
  first: IteratorResult<Page>,
  readNext: () => Promise<IteratorResult<Page>>,
) {
  yield* head;
  for (let page = first; page.done !== true; page = await readNext())
    for (const text of textsOf(page.value)) {
      await setImmediate();
      yield text;
    }
}

function textsOf(columns: readonly Column[]) {
  return function* (rows: readonly object[]) {
    for (let at = 0; at < rows.length; at += LINES_AT_ONCE)
      yield csvOf(columns, rows.slice(at, at + LINES_AT_ONCE));
  };
}
