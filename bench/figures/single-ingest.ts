import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPool } from '../../src/db/pool.ts';
import type { Figure } from '../figure.ts';
import { authorization, openIngest } from '../ingest.ts';
import { pgbenchLacks, runPgbench } from '../pgbench.ts';
import type { Place } from '../servers.ts';
import { PROPERTIES, singleRequest } from '../requests.ts';

const CONNECTIONS = 64;
const PGBENCH = { clients: 16, warm_up_seconds: 1, seconds: 4 };

export const singleIngest: Figure = {
  kind: 'ratio',
  name: 'T4',
  title: 'single POST on 64 connections / pgbench -c16 -j1 -M prepared, one insert into the same table',
  unit: 'events/s',
  floor: 1,
  goal: 1.6,
  lacks: pgbenchLacks,
  async open(place) {
    const { api, tables, measure } = await openIngest(place);
    const script = await writeScript(place);
    const { clients, warm_up_seconds, seconds } = PGBENCH;
    const run = { database_url: place.database_url, script, clients };
    return {
      ours: () =>
        measure('events', {
          port: api.port,
          connections: CONNECTIONS,
          prepare: () => singleRequest(authorization(api)),
        }),
      async theirs() {
        await tables.empty();
        const warm_up = await runPgbench({ ...run, seconds: warm_up_seconds });
        const measured = await runPgbench({ ...run, seconds });
        await tables.check('events', warm_up.transactions + measured.transactions);
        return measured.per_second;
      },
    };
  },
};

// pgbench would take what follows a colon for one of its variables.
const PROPERTIES_TEXT = JSON.stringify(PROPERTIES).replaceAll(':', ': ');

/** A row like those that the API writes, of a customer at random, with keys that are made by the server. */
async function writeScript({ database_url, logs }: Place): Promise<string> {
  const pool = createPool(database_url, 1);
  const { rows } = await pool.query<{ environment_id: number; lowest: string; highest: string }>(
    'select environment_id, min(key) as lowest, max(key) as highest from customers group by environment_id',
  );
  await pool.end();
  const { environment_id, lowest, highest } = rows[0]!;
  const script = `\\set customer_key random(${lowest}, ${highest})
insert into events (key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp, timestamp_given, created_at, properties)
  values (gen_random_uuid(), ${environment_id}, :customer_key, 'api_call_0', gen_random_uuid()::text, now(), true, now(),
    '${PROPERTIES_TEXT}')
  on conflict (key_hash) do nothing;
`;
  mkdirSync(logs, { recursive: true });
  const path = join(logs, 'insert.sql');
  writeFileSync(path, script);
  return path;
}
