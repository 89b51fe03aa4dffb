import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call, forEvery } from '../../bench/client.ts';
import { createCustomers, createPlan } from '../../bench/period-end/customers.ts';
import { checkInvoices, readInvoices } from '../../bench/period-end/invoices.ts';
import { createSender } from '../../bench/soak/sender.ts';
import { waitUntil } from '../../bench/waiting.ts';
import { messageOf } from '../../src/process/message-of.ts';
import { DAY_MS, sleepUntil } from './closing.ts';
import { startApi, startWorker, type Part } from './deployment.ts';
import { runDrill, type Drill } from './drill.ts';
import { placeOnCluster } from './place-on-cluster.ts';
import { expectNoGap, expectSound } from './soundness.ts';
import type { TemporalCluster } from './temporal-cluster.ts';

/**
 * Two APIs and two workers on a Temporal cluster of five processes. Subscriptions end at one instant, while a history process, the matching
 * process, a worker and an API are killed one after the other and started again. Every invoice must be right.
 */
const SUBSCRIPTIONS = 200;
/** Time from the subscription to the end of the period. */
const PREPARATION_MS = 120_000;
const BETWEEN_KILLS_MS = 1500;
const DOWN_MS = 5000;
const CLOSE_LIMIT_MS = 600_000;
const EVENTS_A_SECOND = 20;

export const run = () =>
  runDrill(async (drill, folder) => {
    const { say, expect } = drill;
    const { live_key, place, pool, temporal } = await placeOnCluster(folder, drill);
    const [api_1, api_2, ...workers] = await Promise.all([
      startApi(place, 'api-1', live_key),
      startApi(place, 'api-2', live_key),
      startWorker(place, 'worker-1'),
      startWorker(place, 'worker-2'),
    ]);
    say('Two APIs and two workers run');

    const plan = await createPlan(api_2.api);
    const customers = await createCustomers(api_2.api, 'customer', { count: SUBSCRIPTIONS });
    const ends_at = new Date(Date.now() + PREPARATION_MS).toISOString();
    const start_date = new Date(Date.parse(ends_at) - DAY_MS).toISOString();
    await forEvery(customers, ({ external_id: customer_id }) =>
      call(api_2.api, 'subscriptions', { customer_id, plan_id: plan.id, start_date }),
    );
    say(
      `${SUBSCRIPTIONS} subscriptions end together in ${Math.round((Date.parse(ends_at) - Date.now()) / 1000)} s`,
    );
    await call(api_2.api, 'customers', { external_id: 'soak-0' });
    const logs = [api_1, api_2].map(({ name }) => join(folder, `${name}-acknowledged.jsonl`));
    const senders = [api_1, api_2].map(({ api }, at) => createSender(api, { customers: 1, log: logs[at]! }));

    await sleepUntil(ends_at, 200);
    const ended_at = performance.now();
    const seconds = () => ((performance.now() - ended_at) / 1000).toFixed(1);
    const offered = senders.map((sender) =>
      sender.offer({ events: 1, per_second: EVENTS_A_SECOND, seconds: 30 }),
    );
    const kills = [
      killAndStart(temporalPart(temporal, 'history-2'), drill),
      delay(BETWEEN_KILLS_MS).then(() => killAndStart(temporalPart(temporal, 'matching'), drill)),
      delay(2 * BETWEEN_KILLS_MS).then(() => killAndStart(workers[0]!, drill)),
      delay(3 * BETWEEN_KILLS_MS).then(() => killAndStart(api_1, drill)),
    ];
    await waitUntil('billing', CLOSE_LIMIT_MS, async () => {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*)::integer as count from invoices where period_end = $1 and number is not null',
        [ends_at],
      );
      return rows[0]!.count === SUBSCRIPTIONS;
    });
    say(`all ${SUBSCRIPTIONS} periods are billed ${seconds()} s after their end`);
    await Promise.all([...kills, ...offered]);
    for (const sender of senders) await sender.close();

    const fault = await faultOf(async () =>
      checkInvoices(await readInvoices(api_2.api, ends_at), customers, 1),
    );
    if (fault !== null) say(fault);
    expect('every invoice is right, its credit and tax too', fault === null);
    const sent = senders.reduce((sum, { sent: { events } }) => sum + events, 0);
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::integer as count from events where event_name like 'api%'`,
    );
    expect(`${sent} events were acknowledged, and as many are stored`, rows[0]!.count === sent);
    for (const { name, ended } of [api_1, api_2, ...workers]) expect(`${name} runs on`, ended() === null);
    await expectNoGap(pool, drill);
    await expectSound(place, logs, drill);
  });

type Killed = Pick<Part, 'name' | 'kill' | 'start'>;

function temporalPart({ kill, start }: TemporalCluster, name: 'history-2' | 'matching'): Killed {
  return { name, kill: () => kill(name), start: () => start(name) };
}

async function killAndStart({ name, kill, start }: Killed, { say }: Drill): Promise<void> {
  say(`${name} is killed`);
  await kill();
  await delay(DOWN_MS);
  await start();
  say(`${name} runs again`);
}

async function faultOf(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
