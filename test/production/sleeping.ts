import type { Client } from '@temporalio/client';
import { call } from '../../bench/client.ts';
import { residentMegabytes } from '../../bench/load-tests/memory.ts';
import { numbersBelow, waitUntil } from '../../bench/waiting.ts';
import { workflowLists } from '../../api/dashboard/workflow-lists.ts';
import { readConfig } from '../../src/settings/config.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { newId } from '../../src/keys/ids.ts';
import { connectTemporal } from '../../src/temporal/temporal.ts';
import {
  RECONCILE_SCHEDULE,
  RECONCILE_WORKFLOW,
  SUBSCRIPTION_WORKFLOW,
  workflowIdOf,
} from '../../workflows/messages.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { startApi, startWorker } from './deployment.ts';
import { runDrill, type Drill } from './drill.ts';
import { placeOnCluster } from './place-on-cluster.ts';

/**
 * Many subscriptions sleep until the end of a year, on a Temporal cluster of several processes. Their rows are copies; the reconciler
 * starts their workflows. Measures the reconciler, the lists of workflows and the start of a worker. `npm run production -- sleeping COUNT`.
 */
const COUNT = Number(process.argv[2] ?? 20_000);
const ROWS_AT_ONCE = 10_000;
const LIMIT_MS = 3 * 3_600_000;
const PROGRESS_MS = 60_000;

export const run = () =>
  runDrill(async (drill, folder) => {
    const { say, expect } = drill;
    const { live_key, place, pool } = await placeOnCluster(folder, drill);
    const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: place.temporal_address }));
    atEnd(temporal.close);
    const { client } = temporal;

    const { api } = await startApi(place, 'api', live_key);
    const charges = [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '1.00' }];
    const plan = await call<{ id: string }>(api, 'pricing-plans', {
      name: 'Yearly',
      interval: 'year',
      charges,
    });
    await call(api, 'customers', { external_id: 'original' });
    await call(api, 'subscriptions', { customer_id: 'original', plan_id: plan.id });
    const [rows_ms, sample] = await timed(() => copySubscriptions(pool, COUNT - 1));
    say(`the rows of ${COUNT} subscriptions are stored after ${inSeconds(rows_ms)}`);

    const worker = await startWorker(place, 'worker');
    const [asleep_ms] = await timed(() => waitUntilAsleep(client, drill));
    say(`the reconciler has started ${COUNT} workflows, and all sleep, after ${inSeconds(asleep_ms)}`);
    say(
      `${Math.round((COUNT / asleep_ms) * 1000)} workflows a second; 100,000 would take ${inSeconds((asleep_ms * 100_000) / COUNT)}`,
    );

    const reconciled = await reconcileOnce(client, temporal.runningIds);
    say(
      `a run of the reconciler takes ${inSeconds(reconciled.ms)}, of which the list takes ${inSeconds(reconciled.list_ms)}`,
    );
    expect('the reconciler finds nothing to start', reconciled.started === 0);
    for (const { name, query } of workflowLists(new Date().toISOString())) {
      const [count_ms, { count }] = await timed(() => client.workflow.count(query));
      const [page_ms] = await timed(() => firstPage(client, query));
      say(`list "${name}": ${count} counted in ${inSeconds(count_ms)}, first page in ${inSeconds(page_ms)}`);
    }
    await worker.stop();
    const [start_ms] = await timed(() => worker.start());
    say(`a worker is ready ${inSeconds(start_ms)} after its start`);
    const [woken_ms] = await timed(() => wakeOne(client, sample));
    say(
      `one of the sleeping subscriptions has taken its next step ${inSeconds(woken_ms)} after the signal wake`,
    );
    say(`the worker uses ${residentMegabytes(worker.pid())} MB`);
    const { rows } = await pool.query<{ name: string; size: string }>(
      `select datname as name, pg_size_pretty(pg_database_size(datname)) as size from pg_database
     where datname like 'temporal%' or datname = current_database() order by datname`,
    );
    for (const { name, size } of rows) say(`database ${name}: ${size}`);
  });

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const started_at = performance.now();
  const result = await work();
  return [performance.now() - started_at, result];
}

function inSeconds(ms: number): string {
  return ms < 120_000
    ? `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`
    : `${(ms / 60_000).toFixed(1)} minutes`;
}

/** Copies the only subscription `count` times, each with a customer of its own; returns the id of one of them. */
async function copySubscriptions(pool: Pool, count: number): Promise<string> {
  let last = '';
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const numbers = numbersBelow(Math.min(ROWS_AT_ONCE, count - first));
    const [customers, subscriptions] = [numbers.map(() => newId('cus')), numbers.map(() => newId('sub'))];
    await pool.query(
      `with copied as (
         select * from unnest($1::text[], $2::text[]) as copied(customer_id, subscription_id)
       ), original as (
         select s.environment_id, s.plan_id, s.start_date, s.created_at, c.currency, c.metadata
         from subscriptions s join customers c on c.id = s.customer_id where c.external_id = 'original'
       ), made_customers as (
         insert into customers (environment_id, id, external_id, currency, metadata, created_at)
         select environment_id, customer_id, customer_id || '-external', currency, metadata, created_at from original, copied
       )
       insert into subscriptions (environment_id, id, customer_id, plan_id, start_date, created_at)
       select environment_id, subscription_id, customer_id, plan_id, start_date, created_at from original, copied`,
      [customers, subscriptions],
    );
    await pool.query(
      `insert into periods
         (environment_id, subscription_id, period_start, period_end, kind, interval_start, interval_end, full_period_start)
       select p.environment_id, copied.id, period_start, period_end, kind, interval_start, interval_end, full_period_start
       from periods p join subscriptions s on s.id = p.subscription_id
       join customers c on c.id = s.customer_id, unnest($1::text[]) as copied(id)
       where c.external_id = 'original'`,
      [subscriptions],
    );
    last = subscriptions.at(-1)!;
  }
  return last;
}

const RUNNING = `WorkflowType = '${SUBSCRIPTION_WORKFLOW}' and ExecutionStatus = 'Running'`;

async function waitUntilAsleep(client: Client, { say }: Drill): Promise<void> {
  let said_at = performance.now();
  await waitUntil('starting the workflows', LIMIT_MS, async () => {
    const { count } = await client.workflow
      .count(`${RUNNING} and BillingState = 'collecting_usage'`)
      .catch(() => ({ count: 0 }));
    if (performance.now() - said_at > PROGRESS_MS) {
      said_at = performance.now();
      say(`${count} sleep`);
    }
    return count === COUNT;
  });
}

/** Runs the reconciler once more and waits for its result. */
async function reconcileOnce(client: Client, runningIds: () => AsyncIterable<string>) {
  const before = new Date();
  await client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
  const query = `WorkflowType = '${RECONCILE_WORKFLOW}' and ExecutionStatus = 'Completed' and StartTime > '${before.toISOString()}'`;
  const runs = async () => {
    for await (const run of client.workflow.list({ query })) return run;
    return null;
  };
  await waitUntil('the reconciler', LIMIT_MS, async () => (await runs()) !== null);
  const { workflowId, runId, startTime, closeTime } = (await runs())!;
  const { started } = (await client.workflow.getHandle(workflowId, runId).result()) as { started: number };
  const [list_ms] = await timed(async () => {
    for await (const _ of runningIds());
  });
  return { ms: closeTime!.getTime() - startTime.getTime(), list_ms, started };
}

async function firstPage(client: Client, query: string): Promise<void> {
  for await (const _ of client.workflow.list({ query, pageSize: 100 })) return;
}

async function wakeOne(client: Client, subscription_id: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowIdOf(subscription_id));
  const before = (await handle.describe()).historyLength;
  await handle.signal('wake');
  // The signal, a workflow task, the step, and another workflow task.
  await waitUntil('the step', LIMIT_MS, async () => (await handle.describe()).historyLength >= before + 9);
}
