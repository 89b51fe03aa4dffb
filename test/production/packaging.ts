import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { anyFreePort, isOk, LOOPBACK } from '../../dev/ports.ts';
import type { Json } from '../support/servers/api.ts';
import { aFolder } from '../support/servers/folder.ts';
import { linesToFirstInvoice } from './first-invoice.ts';
import { buildImage } from './image.ts';
import { startLoad, type Load } from './https-load.ts';
import {
  dockerCommand,
  openMachine,
  runOnce,
  startCaddy,
  startProcess,
  type Machine,
  type Process,
} from './machine.ts';

/**
 * `npm run production -- packaging`: what docker-compose.yml and the Dockerfile do, by hand on this machine, which needs no Docker. Makes
 * the image's folder by the steps of the Dockerfile, runs the commands of the services as the image's user, with Caddy in front, and the
 * ten lines of docs/operations.md. Then restarts the API processes under load. Needs caddy and curl, and best the rights of root. `--image
 * FOLDER` keeps the image's folder there, or uses it if it is there already.
 */
const { values } = parseArgs({ options: { image: { type: 'string' } }, args: process.argv.slice(2) });
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SHELL_LIMIT_MS = 120_000;
/** Passwords with each character that means something in a URL or to a shell. */
const PASSWORDS = { POSTGRES_PASSWORD: 'a/b#c?d@e:f%g&h+i j', DATABASE_PASSWORD: 'k/l#m?n@o:p%q&r+s t' };
/** Caddy notices a process that hangs by two checks of 2 s each. */
const NOTICED_MS = 5000;

const say = (line: string) => console.log(line);

async function shell(lines: readonly string[], cwd: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const args = ['-e', '-o', 'pipefail', '-c', lines.join('\n')];
  const options = { cwd, env: environment, timeout: SHELL_LIMIT_MS };
  return (await promisify(execFile)('bash', args, options)).stdout;
}

function readSettings(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^(\w+)=(?:'(.*)'|.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value ?? line.slice(name.length + 1)]];
    }),
  );
}

/** The lines before `docker compose up`: a clone with its .env, in which two passwords are then replaced by difficult ones. */
async function prepare(folder: string, https_port: number, lines: readonly string[]): Promise<string> {
  const here = lines.map((line) =>
    line.replace('https://billing.example.com', `https://localhost:${https_port}`),
  );
  await shell(here, folder, { PATH: pathHere(), REPOSITORY: ROOT });
  const clone = join(folder, 'tidemark');
  for (const [name, value] of Object.entries(PASSWORDS))
    appendFileSync(join(clone, '.env'), `${name}='${value}'\n`);
  return clone;
}

function pathHere(): string {
  return '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
}

async function oneShots(machine: Machine): Promise<void> {
  say('database-owner and setup, twice each');
  const outputs = [];
  for (const name of ['database-owner', 'setup', 'database-owner', 'setup'])
    outputs.push(await runOnce(machine, name));
  say(outputs[1]!.trim());
  assert.match(outputs[1]!, new RegExp(`${machine.settings['PUBLIC_URL']}/\\S+`));
  assert.match(outputs[3]!, /nothing has changed/);
}

async function checkProxy(url: string, authority: string): Promise<void> {
  const headOf = async (path: string) =>
    (
      await promisify(execFile)('curl', [
        '-sS',
        '-o',
        '/dev/null',
        '-D',
        '-',
        '--cacert',
        authority,
        `${url}${path}`,
      ])
    ).stdout;
  assert.match(await headOf('/metrics'), / 404/);
  const ready = await headOf('/readyz');
  assert.match(ready, / 200/);
  assert.match(ready, /strict-transport-security/i);
  say('over HTTPS: /readyz 200 with HSTS, /metrics 404');
}

async function expectNone(load: Load, what: string): Promise<void> {
  const { sent, failures } = await load.end();
  say(`${what}: ${sent} requests, ${failures.length} failed`);
  assert.deepEqual(failures.slice(0, 5), []);
}

async function restart(
  machine: Machine,
  { number, process }: { number: number; process: Process },
): Promise<Process> {
  await process.stop();
  return startProcess(machine, { name: 'api', number, port: process.port });
}

type Target = Parameters<typeof startLoad>[0];

async function restartUnderLoad(machine: Machine, apis: readonly Process[], target: Target): Promise<void> {
  const both = startLoad(target);
  let [first, second] = [apis[0]!, apis[1]!];
  first = await restart(machine, { number: 1, process: first });
  second = await restart(machine, { number: 2, process: second });
  await expectNone(both, 'two API processes, each restarted');

  process.kill(second.pid, 'SIGSTOP');
  await pause(NOTICED_MS);
  const one_hangs = startLoad(target);
  await pause(NOTICED_MS);
  await expectNone(one_hangs, 'one of two API processes hangs');
  process.kill(second.pid, 'SIGCONT');

  await second.stop();
  const alone = startLoad(target);
  first = await restart(machine, { number: 1, process: first });
  await pause(NOTICED_MS);
  const { sent, failures } = await alone.end();
  // A request waits up to 30 s; on a busy machine a process may take longer to start.
  say(`the only API process, restarted: ${sent} requests, ${failures.length} failed`);
  assert.deepEqual(new Set(failures), new Set(failures.length === 0 ? [] : ['503']));
  assert.ok(await isOk(`http://${LOOPBACK}:${first.port}/readyz`));
}

async function packaging(): Promise<void> {
  const folder = await aFolder();
  chmodSync(folder, 0o755);
  const lines = linesToFirstInvoice('docker');
  const up = lines.findIndex((line) => line.startsWith('docker compose up'));
  const https_port = await anyFreePort();
  const clone = await prepare(folder, https_port, lines.slice(0, up));
  say('the image, by the steps of the Dockerfile');
  const image = await buildImage(clone, values.image ?? join(folder, 'images'));
  const machine = await openMachine(folder, image, readSettings(join(clone, '.env')));
  await oneShots(machine);
  say('api (two processes), worker and caddy');
  await startProcess(machine, { name: 'worker', number: 1 });
  const apis = [
    await startProcess(machine, { name: 'api', number: 1 }),
    await startProcess(machine, { name: 'api', number: 2 }),
  ];
  const authority = await startCaddy(machine, clone, { apis, https_port });

  say('the lines after docker compose up');
  const PATH = dockerCommand(machine);
  const key_file = join(folder, 'key');
  const rest = [...lines.slice(up + 1), `printf %s "$KEY" > '${key_file}'`];
  writeFileSync(key_file, '');
  const output = await shell(rest, clone, { PATH, CURL_CA_BUNDLE: authority });
  const { data }: Json = JSON.parse(output.trim().split('\n').at(-1)!);
  const [{ number, status, livemode, total }] = data;
  say(`invoice ${number}: ${status}, ${livemode ? 'live' : 'test'}, ${total}`);
  assert.deepEqual([data.length, number, status, livemode], [1, 'INV-000001', 'open', true]);

  const url = machine.settings['PUBLIC_URL']!;
  await checkProxy(url, authority);
  const key = readFileSync(key_file, 'utf8');
  await restartUnderLoad(machine, apis, { url, key, authority, customer_id: 'acme' });
}

/** Rejects if a step of the path from an empty machine to the first live invoice fails. */
export async function run(): Promise<void> {
  await packaging();
  say('packaging: sound');
}
