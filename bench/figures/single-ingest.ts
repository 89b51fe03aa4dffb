import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPool } from '../../src/db/connection/pool.ts';
import type { Figure } from '../figure.ts';
import { authorization, openIngest, SINGLE_CONNECTIONS } from '../ingest.ts';
import { pgbenchLacks, runPgbench } from '../pgbench.ts';
import type { Place } from '../servers.ts';
import { PROPERTIES, singleRequest } from '../requests.ts';

const PGBENCH = { clients: 16, warm_up_seconds: 1, seconds: 4 };

export const singleIngest = singleFigure({
  name: 'T4',
  connections: SINGLE_CONNECTIONS,
  floor: 1,
  goal: 1.6,
});

export const wideSingleIngest = singleFigure({ name: 'T5', connections: 256, floor: 1.3, goal: 2 });

type Row = Pick<Figure, 'name' | 'floor' | 'goal'> & { connections: number };

function singleFigure({ connections, ...row }: Row): Figure {
  return {
    kind: 'ratio',
    ...row,
    title: `single POST on ${connections} connections / pgbench -c16 -j1 -M prepared, one insert into a table with the same columns and indexes`,
    unit: 'events/s',
    // Many short rounds, because the results of single ones differ by a third.
    rounds: 11,
    lacks: pgbenchLacks,
    async open(place) {
      const { api, tables, measure } = await openIngest(place);
      const prepare = () => singleRequest(authorization(api));
      const runInserts = await openInserts(place);
      return {
        async ours() {
          const result = await measure('events', { port: api.port, connections, prepare });
          place.say(
            `        ours: median ${result.p50_ms.toFixed(2)} ms, 99th percentile ${result.p99_ms.toFixed(2)} ms`,
          );
          return result.events_per_second;
        },
        async theirs() {
          await tables.empty();
          const { transactions, per_second } = await runInserts();
          await tables.check('naive_events', transactions);
          return per_second;
        },
      };
    },
  };
}

/** Returns a function that lets pgbench insert events one by one, after a warm-up. */
async function openInserts(
  place: Place,
): Promise<() => Promise<{ transactions: number; per_second: number }>> {
  const { clients, warm_up_seconds, seconds } = PGBENCH;
  const run = { database_url: place.database_url, script: await writeScript(place), clients };
  return async () => {
    const warm_up = await runPgbench({ ...run, seconds: warm_up_seconds });
    const { transactions, per_second } = await runPgbench({ ...run, seconds });
    return { transactions: warm_up.transactions + transactions, per_second };
  };
}

// pgbench would read a word after a colon as one of its variables.
const PROPERTIES_TEXT = JSON.stringify(PROPERTIES).replaceAll(':', ': ');

/** A script that inserts a row like the API's, for a random customer, with keys made by the server. */
async function writeScript({ database_url, logs }: Place): Promise<string> {
  const pool = createPool(database_url, 1);
  const { rows } = await pool.query<{ environment_id: number; lowest: string; highest: string }>(
    'select environment_id, min(key) as lowest, max(key) as highest from customers group by environment_id',
  );
  await pool.end();
  const { environment_id, lowest, highest } = rows[0]!;
  const script = `\\set customer_key random(${lowest}, ${highest})
insert into naive_events (key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp,
    timestamp_given, created_at, properties)
  values (gen_random_uuid(), ${environment_id}, :customer_key, 'api_call_0', gen_random_uuid()::text, now(), true,
    now(), '${PROPERTIES_TEXT}')
  on conflict (key_hash) do nothing;
`;
  mkdirSync(logs, { recursive: true });
  const path = join(logs, 'insert.sql');
  writeFileSync(path, script);
  return path;
}
