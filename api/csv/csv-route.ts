import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { rateLimited } from '../../src/domain/money/errors.ts';
import { columnsOf, csvOf, headerOf, type Column } from '../../src/objects/csv-text.ts';
import { createGate } from '../queues/gate.ts';
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
  'path' | 'operation_id' | 'tag' | 'summary' | 'description' | 'may_take_long'
> & {
  /** The filters of the list. Without `limit` and `cursor`: a file has all rows. */
  query: Query;
  /** Its members are the columns, but for `object`. */
  row: Row;
  /** The rows, in pages that are read one after the other. What the first page throws becomes the response. */
  pages: (request: Request<Static<Query>, unknown>) => AsyncIterable<readonly object[]>;
};

/**
 * A list as a CSV file, which is sent while it is read: its length has no limit, and a slow client slows the reading
 * down.
 */
export function csvRoute<Query extends TSchema, Row extends TObject>(of: CsvRoute<Query, Row>) {
  const { row, pages, query, ...described } = of;
  const columns = columnsOf(row).filter(({ name }) => name !== 'object');
  const file_name = of.path.slice(of.path.lastIndexOf('/') + 1);
  return route({
    ...described,
    method: 'get',
    query,
    media_type: 'text/csv',
    responses: { 200: csvText(columns) },
    handle: async (request) => ({
      status: 200,
      body: await openFile(columns, request, pages(request)),
      headers: { 'Content-Disposition': `attachment; filename="${file_name}"` },
    }),
  });
}

function csvText(columns: readonly Column[]) {
  const names = columns.map(({ name }) => `\`${name}\``).join(', ');
  return Type.Unsafe<Readable>({
    type: 'string',
    description: `UTF-8, with a header line. Columns: ${names}.`,
  });
}

type Page = IteratorResult<readonly object[]>;

/** Reads the first page before the response begins. Throws rate_limited if too many files are open. */
async function openFile(
  columns: readonly Column[],
  { deps, request_id }: Request<unknown, unknown>,
  pages: AsyncIterable<readonly object[]>,
): Promise<Readable> {
  if (open_files >= FILES_MAX) throw rateLimited();
  open_files++;
  const leave = () => void open_files--;
  const iterator = pages[Symbol.asyncIterator]();
  const read = () => reads.pass(() => iterator.next());
  try {
    const first = await read();
    const readNext = () =>
      read().catch((error: unknown) => {
        // The status is sent: the client only sees that the connection closes before the end.
        deps.log.error({ request_id, error });
        throw error;
      });
    return Readable.from(textOf(columns, first, readNext)).once('close', leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function* textOf(columns: readonly Column[], first: Page, readNext: () => Promise<Page>) {
  yield headerOf(columns);
  for (let page = first; page.done !== true; page = await readNext()) {
    for (let at = 0; at < page.value.length; at += LINES_AT_ONCE) {
      await setImmediate();
      yield csvOf(columns, page.value.slice(at, at + LINES_AT_ONCE));
    }
  }
}
