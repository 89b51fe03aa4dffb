import { createPool } from '../src/db/connection/pool.ts';
import type { Place } from './servers.ts';
import { CUSTOMERS, PROPERTIES } from './requests.ts';

const BACKENDS = 2;
/** Rows of each backend. Together they are about as many as the other side stores; otherwise its table would be smaller. */
const ROWS = 200_000;

const COLUMNS =
  'key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp, timestamp_given, created_at, properties';

/**
 * Makes the server write one file of events for each of two backends. `run` copies both files concurrently into the table
 * naive_events, which is the most this database can store, and resolves with rows per second.
 */
export async function openCopy({
  database_url,
  stops,
}: Place): Promise<{ rows: number; run: () => Promise<number> }> {
  const pool = createPool(database_url, BACKENDS);
  stops.add(() => pool.end());
  const { rows } = await pool.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  const files = Array.from({ length: BACKENDS }, (_, at) => `${rows[0]!.folder}/bench-events-${at}`);
  for (const file of files) await pool.query(`copy (${EVENTS}) to '${file}'`);
  return {
    rows: ROWS * BACKENDS,
    async run() {
      const started_at = performance.now();
      await Promise.all(files.map((file) => pool.query(`copy naive_events (${COLUMNS}) from '${file}'`)));
      return (ROWS * BACKENDS * 1000) / (performance.now() - started_at);
    },
  };
}

/** Events like those sent to the API: random keys, all customers in turn. */
const EVENTS = `select gen_random_uuid(), c.environment_id, c.key, 'api_call_' || number % 10, gen_random_uuid()::text,
    now(), true, now(), '${JSON.stringify(PROPERTIES)}'::jsonb
  from generate_series(1, ${ROWS}) as number
  join (select environment_id, key, row_number() over () as place from customers) c
    on c.place = 1 + number % ${CUSTOMERS}`;
