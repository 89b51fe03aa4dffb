import { hash } from 'node:crypto';
import Koa from 'koa';
import pg from 'pg';
import { readConfig } from '../src/settings/config.ts';
import { announceReady, exitWithParent } from '../src/process/lifecycle.ts';

/*
 * A first implementation as most people would write it: one transaction per request, one INSERT per event. It has no
 * authentication, validation, limits, logs or replay checks, and holds all customers in memory, so that only the INSERTs explain
 * the difference.
 */

type Event = {
  event_name: string;
  customer_id: string;
  idempotency_key: string;
  timestamp: string;
  properties: object;
};

const INSERT = `insert into naive_events (key_hash, environment_id, customer_key, event_name, idempotency_key,
    timestamp, timestamp_given, created_at, properties)
  values ($1, $2, $3, $4, $5, $6, true, now(), $7) on conflict (key_hash) do nothing`;

const { database_url, port, host } = readConfig();
const pool = new pg.Pool({ connectionString: database_url!, max: 10 });

type Customer = { environment_id: number; key: string; external_id: string };
const { rows } = await pool.query<Customer>('select environment_id, key, external_id from customers');
const customers = new Map(rows.map((customer) => [customer.external_id, customer]));

const app = new Koa();
app.use(async (ctx) => {
  const body = (await readJson(ctx.req)) as { events: Event[] } | Event;
  const events = 'events' in body ? body.events : [body];
  await insertAll(events);
  ctx.status = 201;
  ctx.body = { created: events.length };
});

async function readJson(request: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function insertAll(events: readonly Event[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const event of events) await client.query(INSERT, valuesOf(event));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

function valuesOf({ event_name, customer_id, idempotency_key, timestamp, properties }: Event): unknown[] {
  const { environment_id, key } = customers.get(customer_id)!;
  const key_hash = hash('sha256', `${environment_id}\0${idempotency_key}`, 'hex').slice(0, 32);
  return [key_hash, environment_id, key, event_name, idempotency_key, timestamp, JSON.stringify(properties)];
}

const server = app.listen(port, host, announceReady);
exitWithParent(async () => {
  server.close();
  server.closeAllConnections();
  await pool.end();
});
