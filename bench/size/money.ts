import { seedAccount } from '../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { listJournal } from '../../src/db/invoicing/journal.ts';
import { markOpened } from '../../src/db/invoicing/closed-months.ts';
import { firstOfNextMonth } from '../../src/domain/time/buckets.ts';
import { addDays } from '../../src/domain/time/period.ts';
import { call } from '../client.ts';
import type { Measure } from '../figure.ts';
import { processorTimeOfServer } from '../processor-time.ts';
import { startApi, type Api } from '../programs.ts';
import type { Place } from '../servers.ts';
import { seedInvoices } from './invoices.ts';
import { liveEnvironment, withPool } from './tables.ts';

/** Entries of a page of the journal, as its file reads them. */
const JOURNAL_PAGE = 500;
const NAME_WIDTH = 44;

/** One that reads all invoices of all time is measured beside the others. */
type Report = { name: string; read: () => Promise<unknown>; reads_all?: true };
type Asked = { api: Api; pool: Pool; environment_id: number };

/** Fills the database of a place with invoices. */
export async function fillWithInvoices({ database_url, invoices, say }: Place): Promise<void> {
  await seedAccount(database_url, null);
  const environment_id = await liveEnvironment(database_url);
  say(`  a table of ${invoices.toLocaleString('en')} invoices:`);
  await withPool(database_url, (pool) => seedInvoices(pool, environment_id, { invoices, say }));
}

/** Returns a function that reads every report once, and returns the longest processor time in ms. */
export async function openReports(place: Place): Promise<Measure> {
  const api = await startApi(place);
  const environment_id = await liveEnvironment(place.database_url);
  const pool = createPool(place.database_url, 1);
  place.stops.add(() => pool.end());
  await pool.query('checkpoint');
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const reports = await reportsOf({ api, pool, environment_id });
  return async () => {
    let longest_ms = 0;
    for (const { name, read, reads_all = false } of reports) {
      const [used, started_at] = [processorTimeOfServer(rows[0]!.pid), performance.now()];
      await read();
      const took_ms = performance.now() - started_at;
      const used_ms = (processorTimeOfServer(rows[0]!.pid) - used) / 1000;
      place.say(`  ${name.padEnd(NAME_WIDTH)}${used_ms.toFixed(0).padStart(6)} ms of ${took_ms.toFixed(0)}`);
      if (!reads_all) longest_ms = Math.max(longest_ms, used_ms);
    }
    return longest_ms;
  };
}

async function reportsOf(asked: Asked): Promise<Report[]> {
  const { api } = asked;
  const now = new Date().toISOString();
  const day = (days_back: number) => addDays(now, -days_back).slice(0, 10);
  const next_month = firstOfNextMonth(day(0));
  const year = `from=${firstOfNextMonth(day(366))}&to=${next_month}&currency=EUR`;
  const month = day(45).slice(0, 7);
  const get = (name: string, path: string): Report => ({ name, read: () => call(api, path) });
  const { data } = await call<{ data: { id: string }[] }>(api, 'invoices?status=paid&limit=1');
  return [
    get('revenue of a year by month', `revenue?${year}`),
    get('revenue of a year by month and plan', `revenue?${year}&group_by=plan`),
    get('revenue of a year by month and customer', `revenue?${year}&group_by=customer`),
    get('revenue of a year by day', `revenue?${year}&by=day`),
    get('recurring revenue of a year', `recurring-revenue?${year}`),
    get(
      'movements of recurring revenue of a month',
      `recurring-revenue/movements?month=${month}&currency=EUR`,
    ),
    get('receivables', 'receivables'),
    ...[30, 180, 360].map((back) => get(`receivables ${back} days back`, `receivables?as_of=${day(back)}`)),
    get('comparison of two invoices', `invoices/${data[0]!.id}/comparison`),
    get('documents of the journal of a month', `journal/documents?month=${month}`),
    get('summary of the journal of a month', `journal/summary?month=${month}`),
    pageOfJournal(asked, month),
    close(asked, month),
    get('list of invoices', 'invoices'),
    { ...get('sums of invoices', 'invoices/summary'), reads_all: true },
  ];
}

/** A page in the middle of a month. */
function pageOfJournal({ pool, environment_id }: Asked, month: string): Report {
  const from = `${month}-01T00:00:00.000Z`;
  const range = { from, to: addDays(from, 31), limit: JOURNAL_PAGE };
  const after = { at: addDays(from, 15), entry: '' };
  return {
    name: `a page of journal.csv, ${JOURNAL_PAGE} entries`,
    read: () => listJournal(pool, environment_id, { ...range, after }),
  };
}

function close({ api, pool, environment_id }: Asked, month: string): Report {
  return {
    name: 'close of a month',
    async read() {
      await call(api, 'closed-months', { month });
      await markOpened(pool, environment_id, { month, reason: 'to be closed again', by: 'bench' });
    },
  };
}
