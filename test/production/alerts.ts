import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../src/settings/config.ts';
import { seedAccount } from '../../src/db/account/accounts.ts';
import { prepareDatabase } from '../../src/db/connection/prepare.ts';
import { anyFreePort } from '../../dev/ports.ts';
import { startPostgres } from '../../dev/postgres.ts';
import { connectTemporal } from '../../src/temporal/temporal.ts';
import { CHECK_SCHEDULE } from '../../workflows/messages.ts';
import { send } from '../support/servers/api.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { findUnpacked } from '../support/servers/debian.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aFolder } from '../support/servers/folder.ts';
import { startApiProgram, startWorkerProgram } from '../support/servers/programs.ts';
import { temporalAddress } from '../support/servers/temporal.ts';
import { testCustomersOn, times } from '../support/ledger/test-customer.ts';

const RULES = new URL('../../deploy/prometheus/rules.yml', import.meta.url);
/** A busy machine takes its time. */
const ALERT_LIMIT_MS = 300_000;
/** Number of batches, above the 20,000 of TidemarkRollupBehind. */
const BATCHES = 21;

const say = (line: string) => console.log(`${new Date().toISOString()} ${line}`);

/**
 * A Prometheus with our rules scrapes an API and a worker. The worker ends, the rollup stops, the data are broken: each time the alert fires,
 * and it resolves after the recovery.
 */
export async function run(): Promise<void> {
  const stack = await startStack();
  const alerts = await startPrometheus(stack.targets);
  await stack.check();
  await alerts.become('all is well', []);

  await stack.endWorker();
  await alerts.include('the worker ended', 'TidemarkWorkerDown');
  await stack.startWorker();
  await alerts.become('a worker runs again', []);

  const letRollupGo = await stack.holdRollup();
  await stack.sendEvents();
  await alerts.include('the rollup stands still', 'TidemarkRollupBehind');
  await letRollupGo();
  await alerts.become('the rollup goes on', []);

  // As test/support/plants/rollup.ts has it: a day that counts an event too many.
  await stack.database.query('update usage_days set events = events + 1');
  await stack.check();
  await alerts.include('the data are broken', 'TidemarkInvariantBreaches');
  await stack.database.query('update usage_days set events = events - 1');
  await stack.check();
  await alerts.become('the data are repaired', []);
}

async function startStack() {
  // An invariant of its own asks for durability.
  const postgres = await startPostgres({ data_dir: await aFolder(), durable: true, say: () => undefined });
  atEnd(postgres.stop);
  await prepareDatabase(postgres.url);
  const { live_key } = await seedAccount(postgres.url, null);
  const database = new pg.Client(postgres.url);
  await database.connect();
  atEnd(() => database.end());
  const settings = { DATABASE_URL: postgres.url, TEMPORAL_ADDRESS: await temporalAddress() };
  const temporal = connectTemporal(readConfig(settings));
  atEnd(() => temporal.close());
  const worker_port = `${await anyFreePort()}`;
  const startWorker = async () => {
    const worker = await startWorkerProgram({ ...settings, WORKER_PORT: worker_port });
    await worker.ready;
    return worker;
  };
  const api = await startApiProgram(settings);
  await api.ready;
  let worker = await startWorker();
  const given = testCustomersOn((path, sent = {}) => send(api.url + path, { key: live_key, ...sent }));
  return {
    database,
    targets: { 'tidemark-api': new URL(api.metrics_url).host, 'tidemark-worker': `127.0.0.1:${worker_port}` },
    startWorker: async () => void (worker = await startWorker()),
    endWorker: () => worker.end(),
    sendEvents: async () => {
      const customer = await given.customer({}, null);
      for (let sent = 0; sent < BATCHES; sent++) await given.use(customer, times(1000, {}));
    },
    /** Takes the rollup's lock from the workers until the returned function is called. */
    holdRollup: async () => {
      await database.query(`select pg_advisory_lock(hashtext('tidemark.rollup'))`);
      return () => database.query(`select pg_advisory_unlock(hashtext('tidemark.rollup'))`);
    },
    check: async () => {
      const { rows } = await database.query('select now()::text as asked_at');
      await temporal.client.schedule.getHandle(CHECK_SCHEDULE).trigger();
      const ended = `select from checks where finished_at > $1`;
      await eventually(
        () => database.query(ended, [rows[0].asked_at]),
        ({ rowCount }) => rowCount! > 0,
        ALERT_LIMIT_MS,
      );
    },
  };
}

/** The rules with seconds for minutes. */
function hastened(rules: string): string {
  return rules
    .replaceAll(/\bfor: (\d+)h/g, (_, hours: string) => `for: ${Number(hours) * 60}m`)
    .replaceAll(/\bfor: (\d+)m/g, 'for: $1s')
    .replaceAll(/\[\d+m\]/g, '[10s]');
}

async function startPrometheus(targets: Readonly<Record<string, string>>) {
  const folder = await aFolder();
  const program = await findUnpacked('prometheus', 'prometheus');
  if (program === null) throw new Error('prometheus is missing; the Debian package prometheus brings it');
  writeFileSync(join(folder, 'rules.yml'), hastened(readFileSync(RULES, 'utf8')));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: Object.entries(targets).map(([job_name, target]) => ({
      job_name,
      static_configs: [{ targets: [target] }],
    })),
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  mkdirSync(join(folder, 'series'));
  const address = `127.0.0.1:${await anyFreePort()}`;
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  atEnd(async () => {
    if (child.kill()) await once(child, 'exit');
  });
  return watchAlerts(`http://${address}/api/v1/alerts`);
}

type Alerts = { data: { alerts: { state: string; labels: { alertname: string } }[] } };

function watchAlerts(url: string) {
  const firing = async (): Promise<string[] | null> => {
    const response = await fetch(url).catch(() => null);
    if (response === null || !response.ok) return null;
    const { data } = (await response.json()) as Alerts;
    const names = data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    return [...new Set(names)].sort();
  };
  const wait = async (what: string, isDone: (names: string[]) => boolean) => {
    const names = await eventually(firing, (found) => found !== null && isDone(found), ALERT_LIMIT_MS);
    say(`${what}: ${names!.join(', ') || 'no alert'}`);
  };
  return {
    become: (what: string, expected: readonly string[]) =>
      wait(what, (names) => names.join() === expected.join()),
    include: (what: string, alert: string) => wait(what, (names) => names.includes(alert)),
  };
}
