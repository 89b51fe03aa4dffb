import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../bench/waiting.ts';
import { inheritedEnvironment, readConfig } from '../../src/settings/config.ts';
import { provisionDatabase } from '../../src/db/connection/owner.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { isOk } from '../../dev/ports.ts';
import type { SystemUser } from '../../dev/processes.ts';
import { connectTemporal } from '../../src/temporal/temporal.ts';
import { RECONCILE_SCHEDULE } from '../../workflows/messages.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { runCommand } from '../support/servers/command.ts';
import { eventually } from '../support/servers/eventually.ts';
import * as closing from './closing.ts';
import { prepare, startApi, startWorker } from './deployment.ts';
import * as nodes from './postgres-node.ts';
import { findPrograms, type Programs } from './postgres-programs.ts';
import { runDrill, type Drill } from './drill.ts';
import { startDevelopmentServer } from './temporal-dev.ts';

/**
 * Loses PostgreSQL and restores it, once to a point in time and once from a dump, with the commands of docs/operations.md. Customers
 * already have invoices that the restored database does not know, and clients have events that it lost. No invoice number may have two
 * meanings afterwards, and every call is billed once.
 */
const CUSTOMERS = 20;
/** Calls of each customer: in the first period, in the second before the backup, and after the moment to which the database is restored. */
const CALLS = { first: 3, kept: 2, lost: 2 };
const CALLS_EACH = CALLS.first + CALLS.kept + CALLS.lost;
/** Time from the subscription to the end of the second period: the backup must be complete before. */
const PERIOD_LEFT_MS = 100_000;

const ARCHIVE_LIMIT_MS = 120_000;
const WAITING = /^fail +invoice numbers +(Live invoices wait.*)$/m;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OPERATIONS = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** A way to back up and restore: the settings that PostgreSQL needs for it, and both steps. */
type Way = {
  name: string;
  is_archived: boolean;
  settings: (archive: string) => string;
  backUp: (lines: Lines) => Promise<void>;
  restore: (lines: Lines, restored: nodes.Node) => Promise<void>;
};

/** Runs the block of docs/operations.md that has this name, as the user of the server or as this user. */
type Lines = (name: string, as_server?: 'as the server') => Promise<void>;

export const run = () =>
  runDrill(async (drill, folder) => {
    const programs = await findPrograms(folder, drill.say);
    const ways: Way[] = [
      {
        name: 'point-in-time',
        is_archived: true,
        settings: (archive) => settingsOf('archive').replaceAll('/archive', archive),
        backUp: (lines) => lines('base backup', 'as the server'),
        restore: (lines) => lines('restore to a time', 'as the server'),
      },
      {
        name: 'dump',
        is_archived: false,
        settings: () => '',
        backUp: (lines) => lines('dump'),
        restore: async (lines, restored) => {
          await nodes.initialize(programs, restored);
          await restored.start();
          await lines('restore a dump');
        },
      },
    ];
    for (const way of ways) await loseAndRestore(way, { folder: join(folder, way.name), programs }, drill);
  });

async function loseAndRestore(
  way: Way,
  { folder, programs }: { folder: string; programs: Programs },
  drill: Drill,
): Promise<void> {
  const expect: Drill['expect'] = (what, is_so) => drill.expect(`${way.name}: ${what}`, is_so);
  const say = (line: string) => drill.say(`${way.name}: ${line}`);
  nodes.makeFolder(programs, folder);
  const archive = join(folder, 'archive');
  nodes.makeFolder(programs, archive);
  const node = await nodes.aNode(programs, folder, 'node');
  const restored = await nodes.aNode(programs, folder, 'restored', node.port);
  await nodes.initialize(programs, node, `port = ${node.port}\n${way.settings(archive)}`);
  await node.start();
  await provisionDatabase(node.admin_url, node.url);
  const live_key = await prepare(node.url);
  const temporal_address = await startDevelopmentServer(folder, say);
  const place = { folder, database_url: node.url, temporal_address };
  const [api, worker] = await Promise.all([startApi(place, 'api', live_key), startWorker(place, 'worker')]);
  const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: temporal_address }));
  atEnd(temporal.close);
  const client = closing.clientOf(() => [api.api]);
  const settings = {
    ...{ BACKUP: join(folder, 'backup'), ARCHIVE: archive, DUMP: join(folder, 'tidemark.dump') },
    ...{ RESTORED: restored.data, DATABASE_URL: node.url, DATABASE_ADMIN_URL: node.admin_url },
  };
  let until = '';
  const lines: Lines = (name, as_server) =>
    runLines(
      blockOf(name),
      { ...settings, UNTIL: until },
      { programs, user: as_server === undefined ? null : programs.user },
    );
  const command = (...args: string[]) =>
    runCommand({ DATABASE_URL: node.url, TEMPORAL_ADDRESS: temporal_address }, ...args);
  const onDatabase = async <T>(work: (pool: Pool) => Promise<T>): Promise<T> => {
    const pool = createPool(node.url, 2);
    return work(pool).finally(() => pool.end());
  };

  const plan_id = (await closing.createCallsPlan(client)).id;
  const ends_at = new Date(Date.now() + PERIOD_LEFT_MS).toISOString();
  const wanted = { prefix: way.name, count: CUSTOMERS, calls: CALLS.first, plan_id, ends_at };
  const group = await closing.subscribeGroup(client, wanted);
  await onDatabase((pool) => closing.waitForInvoices(pool, group, closing.firstEnd(group)));
  await closing.sendCalls(client, group, { calls: CALLS.kept, hours_before_end: 5 });
  await way.backUp(lines);
  until = (await nodes.query<{ now: string }>(node, 'select clock_timestamp()::text as now'))[0]!.now;
  expect('the backup is complete before the second period ends', Date.now() < Date.parse(ends_at));
  await closing.sendCalls(client, group, { calls: CALLS.lost, hours_before_end: 5 });
  await onDatabase((pool) => closing.waitForInvoices(pool, group, ends_at));
  const given = await onDatabase(readInvoices);
  say(`${given.length} invoices are given to customers, ${CUSTOMERS} of them after the backup`);
  await temporal.client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
  await eventually(temporal.rememberedNumbers, (numbers) =>
    numbers.some(({ last_number }) => last_number === `${given.length}`),
  );
  if (way.is_archived) await finishWalFile(node, archive);
  const log = join(folder, 'acknowledged.jsonl');
  const acknowledged = [...client.calls];
  writeFileSync(log, acknowledged.map((call) => `${JSON.stringify(call)}\n`).join(''));

  await Promise.all([api.stop(), worker.stop()]);
  await node.stop('immediate');
  rmSync(node.data, { recursive: true });
  say('the database is lost');
  await way.restore(lines, restored);
  say('the database is restored');
  await Promise.all([api.start(), worker.start()]);
  expect('/readyz answers 200', await isOk(`${api.api.url}/readyz`));
  const { stdout } = await eventually(
    () => command('doctor'),
    (doctor) => WAITING.test(doctor.stdout),
  );
  say(`doctor: ${WAITING.exec(stdout)![1]}`);

  const checked = await command('reconcile', '--acked', log);
  say(lastLine(checked.stdout));
  const missing = existsSync(`${log}.missing`) ? linesOf(`${log}.missing`) : [];
  expect(`${missing.length} events are missing`, missing.length === CUSTOMERS * CALLS.lost);
  const lost = acknowledged.filter((call) => missing.some((key) => key === call.idempotency_key));
  const sent = lost.map(({ id: _, ...call }) => call);
  await closing.send(client, sent.slice(0, sent.length / 2));
  const continued = await command('setup', '--invoice-numbers-from', `live=${given.length}`);
  expect('setup lets live invoices continue', continued.code === 0);
  await onDatabase((pool) => closing.waitForInvoices(pool, group, ends_at));
  await closing.send(client, sent.slice(sent.length / 2));
  say('the waiting periods are billed, and clients sent the missing events again, half of them late');
  await onDatabase(async (pool) => {
    await closing.closeNow(client, pool, [group]);
    const wrong = await closing.wronglyBilled(pool, [group], CALLS_EACH);
    for (const line of wrong) say(line);
    expect(`${CALLS_EACH} calls of each of ${CUSTOMERS} customers are billed once`, wrong.length === 0);
    const present = new Map((await readInvoices(pool)).map(({ number, meaning }) => [number, meaning]));
    const changed = given.filter(({ number, meaning }) => (present.get(number) ?? meaning) !== meaning);
    const kept = given.filter(({ number }) => present.has(number)).length;
    expect(
      `none of the ${given.length} given numbers is on another invoice (${kept} are the same invoice)`,
      changed.length === 0,
    );
  });
  const sound = await command('reconcile', '--acked', log);
  if (sound.code !== 0) say(sound.stdout + sound.stderr);
  expect('reconcile finds no breach and no missing event', sound.code === 0);
  await Promise.all([api.stop(), worker.stop()]);
  await restored.stop('fast');
}

/** PostgreSQL would do so after archive_timeout. */
async function finishWalFile(node: nodes.Node, archive: string): Promise<void> {
  const statement = 'select pg_walfile_name(pg_switch_wal()) as name';
  const [wal] = await nodes.query<{ name: string }>(node, statement);
  await waitUntil('the archive', ARCHIVE_LIMIT_MS, () => existsSync(join(archive, wal!.name)));
}

/** Live invoices: their number, and customer, period and total as its meaning. */
async function readInvoices(pool: Pool): Promise<{ number: string; meaning: string }[]> {
  const { rows } = await pool.query<{ number: string; meaning: string }>(
    `select number::text as number, concat_ws(' ', customer_id, period_start, total) as meaning
     from invoices where number is not null order by invoices.number`,
  );
  return rows;
}

/** The lines of docs/operations.md under this name. */
function blockOf(name: string): string {
  const [, lines] = new RegExp(`<!-- ${name} -->\n\`\`\`sh\n([^]*?)\`\`\``).exec(OPERATIONS) ?? [];
  if (lines === undefined) throw new Error(`docs/operations.md has no lines of "${name}"`);
  return lines;
}

function settingsOf(name: string): string {
  const [, lines] = new RegExp(`<!-- ${name} -->\n\`\`\`ini\n([^]*?)\`\`\``).exec(OPERATIONS) ?? [];
  if (lines === undefined) throw new Error(`docs/operations.md has no settings of "${name}"`);
  return lines;
}

async function runLines(
  lines: string,
  settings: Readonly<Record<string, string>>,
  { programs, user }: { programs: Programs; user: SystemUser },
): Promise<void> {
  const inherited = inheritedEnvironment();
  const child = spawn('bash', ['-euo', 'pipefail', '-c', lines], {
    cwd: user === null ? ROOT : '/',
    env: { ...inherited, ...settings, PATH: `${programs.bin}${delimiter}${inherited['PATH']}` },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...user,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`exit code ${code} of the lines\n${lines}`);
}

function linesOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { idempotency_key: string }).idempotency_key);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
