import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { readConfig } from '../../src/settings/config.ts';
import { waitUntil } from '../../bench/waiting.ts';
import { createPool } from '../../src/db/connection/pool.ts';
import { startPostgres } from '../../dev/postgres.ts';
import { connectTemporal } from '../../src/temporal/temporal.ts';
import { SUBSCRIPTION_WORKFLOW } from '../../workflows/messages.ts';
import { atEnd } from '../support/servers/at-end.ts';
import * as closing from './closing.ts';
import { prepare, startApi, startWorker, type Part } from './deployment.ts';
import { runDrill } from './drill.ts';
import { expectNoGap, expectSound } from './soundness.ts';
import { startDevelopmentServer } from './temporal-dev.ts';

/**
 * A changed workflow is rolled out: periods close with the old build only, with both, with the new one only, and with both again. No
 * workflow may fail to replay. At last the workers of the new build are killed while drafts are held: those of the old build then try runs
 * that the new one has begun. These tasks fail, a worker of the new build continues the runs, and every invoice comes all the same. As a
 * control, a worker with the same change but without patched() tries the drafts of the first group, and must fail.
 */
const CUSTOMERS = 20;
const CALLS = 3;
/** Time from the subscription of a group to the end of its period; in between, the workers change. */
const CHANGE_MS = 75_000;
const GRACE_MS = 15_000;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FAILURE_LIMIT_MS = 120_000;
const COPIED = ['activities', 'src', 'workflows', 'migrations', 'package.json', 'tsconfig.json'];
const BEFORE = `  const day = period_end.slice(0, 10);\n`;
/** A timer before the three steps of an invoice: a history without it does not replay with it, nor the other way round. */
const CHANGE = 'await workflow.sleep(10);';
const AFTER = `${BEFORE}  if (workflow.patched('drilled-pause')) ${CHANGE}\n`;
const AFTER_WITHOUT_PATCH = `${BEFORE}  ${CHANGE}\n`;

export const run = () =>
  runDrill(async (drill, folder) => {
    const { say, expect } = drill;
    const new_build = join(folder, 'new-build');
    copyWithChange(new_build, AFTER);
    const control_build = join(folder, 'control-build');
    copyWithChange(control_build, AFTER_WITHOUT_PATCH);
    const postgres = await startPostgres({ data_dir: join(folder, 'postgres'), durable: true, say });
    atEnd(postgres.stop);
    const temporal_address = await startDevelopmentServer(folder, say);
    const settings = { GRACE_PERIOD: `${GRACE_MS / 1000}s` };
    const place = { folder, database_url: postgres.url, temporal_address, settings };
    const live_key = await prepare(postgres.url);
    const [api, ...old] = await Promise.all([
      startApi(place, 'api', live_key),
      startWorker(place, 'old-1'),
      startWorker(place, 'old-2'),
    ]);
    const pool = createPool(postgres.url, 2);
    atEnd(() => pool.end());
    const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: temporal_address }));
    atEnd(temporal.close);
    const client = closing.clientOf(() => [api.api]);
    const plan_id = (await closing.createCallsPlan(client)).id;
    say('An API and two workers of the old build run');

    const groups: closing.Group[] = [];
    async function closeWith(what: string, change: () => Promise<unknown>): Promise<closing.Group> {
      const ends_at = new Date(Date.now() + CHANGE_MS).toISOString();
      const wanted = {
        prefix: `group-${groups.length + 1}`,
        count: CUSTOMERS,
        calls: CALLS,
        plan_id,
        ends_at,
      };
      const group = await closing.subscribeGroup(client, wanted);
      groups.push(group);
      await closing.waitForInvoices(pool, group, closing.firstEnd(group));
      await closing.sendCalls(client, group, { calls: CALLS, hours_before_end: 5 });
      await change();
      const left_ms = Date.parse(ends_at) - Date.now();
      say(`${what}: ${CUSTOMERS} periods end in ${(left_ms / 1000).toFixed(0)} s`);
      return group;
    }
    const draftsOf = ({ customers, ends_at }: closing.Group) =>
      waitUntil('drafts', FAILURE_LIMIT_MS, async () => {
        const { rows } = await pool.query<{ count: number }>(
          `select count(*)::integer as count from invoices i join customers c on c.id = i.customer_id
           where c.external_id = any($1) and i.period_end = $2`,
          [customers, ends_at],
        );
        return rows[0]!.count === customers.length;
      });
    async function replayFails(what: string, failed_before: number): Promise<void> {
      let failed = failed_before;
      await waitUntil(`a failed task of a run ${what}`, FAILURE_LIMIT_MS, async () => {
        ({ failed } = await readHistories(temporal.client));
        return failed > failed_before;
      });
      expect(`${failed - failed_before} runs ${what} fail to replay`, true);
    }
    async function billed(group: closing.Group): Promise<void> {
      await closing.waitForInvoices(pool, group, group.ends_at);
      const late_ms = Date.now() - Date.parse(group.ends_at) - GRACE_MS;
      say(
        `${group.prefix}: billed, the last at most ${(late_ms / 1000).toFixed(1)} s after the hold of its draft`,
      );
    }

    const first = await closeWith('old build only', async () => undefined);
    await draftsOf(first);
    await all(old, (worker) => worker.stop());
    const control = await startWorker(place, 'control', control_build);
    say('drafts are held, and only a worker of the control build runs');
    await replayFails('without patched()', 0);
    await control.kill();
    await all(old, (worker) => worker.start());
    await billed(first);
    const before = await readHistories(temporal.client);
    const young: Part[] = [];
    await billed(
      await closeWith('both builds', async () => {
        const starting = ['new-1', 'new-2'].map((name) => startWorker(place, name, new_build));
        young.push(...(await Promise.all(starting)));
      }),
    );
    await billed(await closeWith('new build only', () => all(old, (worker) => worker.stop())));
    await billed(await closeWith('both builds again', () => all(old, (worker) => worker.start())));
    const { failed, patched } = await readHistories(temporal.client);
    expect(`${patched} runs have the change, at least one of each new worker's groups`, patched >= CUSTOMERS);
    expect(
      `${failed - before.failed} runs had a failed task in the roll-out and its return`,
      failed === before.failed,
    );

    const group = await closeWith(
      'both builds, and the workers of the new one are killed',
      async () => undefined,
    );
    await draftsOf(group);
    await all(young, (worker) => worker.kill());
    say('drafts are held, and only workers of the old build run');
    await replayFails('of the new build', failed);
    await all(young, (worker) => worker.start());
    await billed(group);
    say('they were retried until a worker of the new build took them');

    for (const { name, ended } of [api, ...old, ...young]) expect(`${name} runs on`, ended() === null);
    const { rows } = await pool.query<{ parked: number }>(
      'select count(*)::integer as parked from subscriptions where attention is not null',
    );
    expect('no subscription needs attention', rows[0]!.parked === 0);
    const wrong = await closing.wronglyBilled(pool, groups, 2 * CALLS);
    for (const line of wrong) say(line);
    expect(
      `${2 * CALLS} calls of each of ${groups.length * CUSTOMERS} customers are billed once`,
      wrong.length === 0,
    );
    await expectNoGap(pool, drill);
    await expectSound(place, [], drill);
  });

/** Copies what a worker needs into a folder, with the change. */
function copyWithChange(copy: string, after: string): void {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const file = join(copy, 'workflows', 'subscription.ts');
  const source = readFileSync(file, 'utf8');
  const changed = source.replace(BEFORE, after);
  if (changed === source) throw new Error(`${file} has changed: this drill's change no longer fits`);
  writeFileSync(file, changed);
}

async function all(parts: readonly Part[], act: (part: Part) => Promise<void>): Promise<void> {
  await Promise.all(parts.map(act));
}

/** Counts of all runs of subscriptions: how many have a failed workflow task, and how many the change. */
async function readHistories(client: Client): Promise<{ failed: number; patched: number }> {
  let failed = 0;
  let patched = 0;
  for await (const { workflowId, runId } of client.workflow.list({
    query: `WorkflowType = '${SUBSCRIPTION_WORKFLOW}'`,
  })) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    if (events!.some((event) => Boolean(event.workflowTaskFailedEventAttributes))) failed++;
    if (events!.some(({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch'))
      patched++;
  }
  return { failed, patched };
}
