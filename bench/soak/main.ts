import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPool } from '../../src/db/connection/pool.ts';
import { call, forEvery } from '../client.ts';
import { familyMegabytes, parentOf, residentMegabytes } from '../load-tests/memory.ts';
import { runProgram } from '../program.ts';
import { startApi, startWorker } from '../programs.ts';
import { machineOf, reportMachine } from '../report.ts';
import { startServers, type Place } from '../servers.ts';
import { createStops } from '../stops.ts';
import { numbersBelow } from '../waiting.ts';
import { BILLED_EVENTS, billMeanwhile } from './billing.ts';
import { readOptions, type Options } from './options.ts';
import { reconcile } from './reconciliation.ts';
import { createSender, type Sender } from './sender.ts';

const CUSTOMERS = 500;
const BATCH_EVENTS = 100;
const PARTS = 10;
/** Daily periods of a customer who subscribed five days ago. */
const INVOICES_EACH = 5;

const say = (line: string) => console.log(line);
const stops = createStops();
const place_stops = createStops();

async function soak({ minutes, rate, batch_rate }: Options): Promise<number> {
  const servers = await startServers(stops, say);
  reportMachine(machineOf(servers), say);
  const place = await servers.place('soak', { subscriptions: 0, events: 0, invoices: 0 });
  place_stops.add(place.stops.run);
  const temporal_address = await place.temporal();
  // The API first: it creates the account that a worker needs.
  const api = await startApi(place, { temporal_address });
  const worker_pid = await startWorker(place, temporal_address);
  await forEvery(numbersBelow(CUSTOMERS), (number) =>
    call(api, 'customers', { external_id: `soak-${number}` }),
  );
  mkdirSync(place.logs, { recursive: true });
  const log = join(place.logs, 'acknowledged.jsonl');
  const sender = createSender(api, { customers: CUSTOMERS, log });
  const seconds = minutes * 60;
  say(`${rate} single events and ${batch_rate} batches of ${BATCH_EVENTS} a second for ${minutes} minutes`);
  const stopping = new AbortController();
  const billing = billMeanwhile(api, sender.sent.repeated, stopping.signal);
  const watch = watchParts(sender, seconds, {
    API: api.pid,
    worker: worker_pid,
    postgres: await serverOf(place),
  });
  await Promise.all([
    sender.offer({ events: 1, per_second: rate, seconds }),
    sender.offer({ events: BATCH_EVENTS, per_second: batch_rate, seconds }),
    watch,
  ]);
  stopping.abort();
  const billed = await billing;
  await sender.close();
  const { events, resent, repeated, left_out, contradictions } = sender.sent;
  say(`${resent} events sent again on purpose, ${left_out} requests left out, ${billed} customers billed`);
  for (const [fault, times] of repeated) say(`repeated ${times} times after: ${fault}`);
  for (const key of contradictions.slice(0, 20)) say(`new and stored before, or the other way round: ${key}`);
  const is_sound = await reconcile(
    {
      database_url: place.database_url,
      temporal_address,
      log,
      events: events + billed * BILLED_EVENTS,
      invoices: billed * INVOICES_EACH,
    },
    say,
  );
  return is_sound && contradictions.length === 0 ? 0 : 1;
}

type Pids = { API: number; worker: number; postgres: number };

/** Prints response times and memory after each tenth of the time, and finally the growth of memory since the first tenth. */
async function watchParts(sender: Sender, seconds: number, { API, worker, postgres }: Pids): Promise<void> {
  const sizes = () => ({
    API: residentMegabytes(API),
    worker: residentMegabytes(worker),
    postgres: familyMegabytes(postgres),
  });
  let first = sizes();
  const started_at = performance.now();
  for (let part = 1; part <= PARTS; part++) {
    await delay(started_at + ((seconds * part) / PARTS) * 1000 - performance.now());
    const now = sizes();
    if (part === 1) first = now;
    say(`${part} of ${PARTS}: ${sender.takeDurations().inWords()}; ${inMegabytes(now)}`);
    if (part < PARTS) continue;
    const drift = {
      API: now.API - first.API,
      worker: now.worker - first.worker,
      postgres: now.postgres - first.postgres,
    };
    say(`since the first tenth: ${inMegabytes(drift)}`);
  }
}

function inMegabytes(sizes: Pids): string {
  return Object.entries(sizes)
    .map(([name, megabytes]) => `${name} ${megabytes} MB`)
    .join(', ');
}

/** Pid of the postmaster, the parent of the connections' processes. */
async function serverOf({ database_url }: Place): Promise<number> {
  const pool = createPool(database_url, 1);
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = parentOf(rows[0]!.pid);
  await pool.end();
  return server;
}

const options = readOptions(process.argv.slice(2));
await runProgram([place_stops, stops], () => soak(options));
