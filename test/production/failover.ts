import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { forEvery } from '../../bench/client.ts';
import { createSender } from '../../bench/soak/sender.ts';
import { numbersBelow } from '../../bench/waiting.ts';
import { provisionDatabase } from '../../src/db/connection/owner.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { atEnd } from '../support/servers/at-end.ts';
import * as closing from './closing.ts';
import { prepare, startApi, startWorker } from './deployment.ts';
import { openAddress } from './moving-address.ts';
import * as nodes from './postgres-node.ts';
import { findPrograms } from './postgres-programs.ts';
import { runDrill } from './drill.ts';
import { expectNoGap, expectSound } from './soundness.ts';
import { expectReportOfStandby, expectReportWithoutStandby } from './standby-report.ts';
import { startDevelopmentServer } from './temporal-dev.ts';

/**
 * Three failovers of PostgreSQL to a synchronous standby, each while periods close and events arrive. One API and one worker reach the
 * primary by an address that moves, the others by a URL with both hosts. The first API reads usage reports from the standby. Afterwards no
 * acknowledged event is lost or doubled, and every call of every customer is billed once.
 */
const FAILOVERS = 3;
const CUSTOMERS = 30;
const SENDERS_CUSTOMERS = 100;
const EVENTS_A_SECOND = 25;
const ROUND_SECONDS = 5;
/** Time from the subscription of a group to the end of its period. */
const PREPARATION_MS = 60_000;
/**
 * Calls of each customer: in time, late before the failover, late during the failover, late while the standby does not replay. The second
 * period has as many in time and during the failover.
 */
const CALLS = { in_time: 3, late: 2, during: 2, unreplayed: 1 };
const CALLS_EACH = 2 * (CALLS.in_time + CALLS.during) + CALLS.late + CALLS.unreplayed;

export const run = () =>
  runDrill(async (drill, folder) => {
    const { say, expect } = drill;
    const programs = await findPrograms(folder, say);
    const cluster = join(folder, 'cluster');
    nodes.makeFolder(programs, cluster);
    let primary = await nodes.aNode(programs, cluster, 'node-1');
    let standby = await nodes.aNode(programs, cluster, 'node-2');
    await nodes.initialize(programs, primary);
    await primary.start();
    await provisionDatabase(primary.admin_url, primary.url);
    const address = await openAddress(primary.port);
    const database_url = nodes.addressOf(address.port);
    const live_key = await prepare(database_url);
    await nodes.followSynchronously(programs, primary, standby);
    say(`${primary.name} is the primary, ${standby.name} its synchronous standby`);

    const place = { folder, database_url, temporal_address: await startDevelopmentServer(folder, say) };
    const with_hosts = { ...place, database_url: nodes.addressOf(primary.port, standby.port) };
    const reports = await openAddress(standby.port);
    const settings = { DATABASE_READ_URL: nodes.addressOf(reports.port) };
    const [api_1, api_2, ...workers] = await Promise.all([
      startApi({ ...place, settings }, 'api-1', live_key),
      startApi(with_hosts, 'api-2', live_key),
      startWorker(place, 'worker-1'),
      startWorker(with_hosts, 'worker-2'),
    ]);
    const apis = [api_1, api_2];
    const readers = { of_standby: api_1, of_primary: api_2 };
    const pool = createPool(database_url, 4);
    atEnd(() => pool.end());
    say('Two APIs and two workers run');

    const client = closing.clientOf(() => apis.map(({ api }) => api));
    const plan_id = (await closing.createCallsPlan(client)).id;
    await forEvery(numbersBelow(SENDERS_CUSTOMERS), (number) =>
      client.post('customers', { external_id: `soak-${number}` }),
    );
    const logs = apis.map(({ name }) => join(folder, `${name}-acknowledged.jsonl`));
    const senders = apis.map(({ api }, at) =>
      createSender(api, { customers: SENDERS_CUSTOMERS, log: logs[at]! }),
    );

    const groups: closing.Group[] = [];
    async function failOver(number: number): Promise<void> {
      const ends_at = new Date(Date.now() + PREPARATION_MS).toISOString();
      const wanted = { prefix: `group-${number}`, count: CUSTOMERS, calls: CALLS.in_time, plan_id, ends_at };
      const group = await closing.subscribeGroup(client, wanted);
      groups.push(group);
      await closing.waitForInvoices(pool, group, closing.firstEnd(group));
      await closing.sendCalls(client, group, { calls: CALLS.late, hours_before_end: 30 });
      await closing.sendCalls(client, group, { calls: CALLS.in_time, hours_before_end: 5 });
      await closing.sleepUntil(ends_at, -500);
      say(`failover ${number}: ${primary.name} stops at once, while ${CUSTOMERS} periods close`);
      const failed_at = performance.now();
      const seconds = () => ((performance.now() - failed_at) / 1000).toFixed(1);
      const answered = closing
        .sendCalls(client, group, { calls: CALLS.during, hours_before_end: 30 })
        .then(() => closing.sendCalls(client, group, { calls: CALLS.during, hours_before_end: 5 }))
        .then(() => say(`failover ${number}: events are accepted again after ${seconds()} s`));
      await primary.stop('immediate');
      await nodes.promote(programs, standby);
      address.moveTo(standby.port);
      say(`failover ${number}: ${standby.name} is the primary after ${seconds()} s`);
      await answered;
      await closing.waitForInvoices(pool, group, ends_at);
      say(`failover ${number}: all ${CUSTOMERS} periods are billed after ${seconds()} s`);
      reports.moveTo(primary.port);
      const customer_id = group.customers[0]!;
      await expectReportWithoutStandby(readers, customer_id, drill);
      rmSync(primary.data, { recursive: true });
      [primary, standby] = [standby, primary];
      await nodes.followSynchronously(programs, primary, standby);
      say(`failover ${number}: ${standby.name} is the synchronous standby`);
      const sendCalls = () =>
        closing.sendCalls(client, group, { calls: CALLS.unreplayed, hours_before_end: 30 });
      await expectReportOfStandby(readers, { standby, customer_id, sendCalls }, drill);
    }

    await sendUntil(senders, async () => {
      for (let number = 1; number <= FAILOVERS; number++) await failOver(number);
    });
    for (const sender of senders) await sender.close();
    await closing.closeNow(client, pool, groups);

    const sent = senders.reduce((sum, { sent }) => sum + sent.events, 0);
    const repeated = [client.repeated, ...senders.map(({ sent }) => sent.repeated)];
    for (const [cause, times] of repeated.flatMap((failures) => [...failures]))
      say(`repeated ${times} times after: ${cause.slice(0, 120)}`);
    for (const { name, ended } of [...apis, ...workers]) expect(`${name} runs on`, ended() === null);
    expect(
      `${sent} events were acknowledged, and as many are stored`,
      sent ===
        (await countOf(pool, `select count(*)::integer as count from events where event_name like 'api%'`)),
    );
    expect(
      'the epoch is unchanged',
      (await countOf(pool, 'select count(*)::integer as count from epochs')) === 1,
    );
    const wrong = await closing.wronglyBilled(pool, groups, CALLS_EACH);
    for (const line of wrong) say(line);
    expect(
      `${CALLS_EACH} calls of each of ${FAILOVERS * CUSTOMERS} customers are billed once`,
      wrong.length === 0,
    );
    await expectNoGap(pool, drill);
    await expectSound(place, logs, drill);
  });

type Sender = ReturnType<typeof createSender>;
/** Offers events in short rounds until the work is done, during an outage too; resolves when all are acknowledged. */
async function sendUntil(senders: readonly Sender[], work: () => Promise<void>): Promise<void> {
  let is_done = false;
  const load = senders.map(async (sender) => {
    const rounds: Promise<void>[] = [];
    while (!is_done) {
      rounds.push(sender.offer({ events: 1, per_second: EVENTS_A_SECOND, seconds: ROUND_SECONDS }));
      await delay(ROUND_SECONDS * 1000);
    }
    await Promise.all(rounds);
  });
  await work().finally(() => (is_done = true));
  await Promise.all(load);
}

async function countOf(pool: Pool, statement: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(statement);
  return rows[0]!.count;
}
