import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { inheritedEnvironment } from '../../src/settings/config.ts';
import { anyFreePort, isOk, LOOPBACK } from '../../dev/ports.ts';
import { startPostgres } from '../../dev/postgres.ts';
import { launch, waitUntilReady, type Launched } from '../../dev/processes.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { temporalAddress } from '../support/servers/temporal.ts';
import { COMPOSE, environmentOf } from './compose.ts';
import type { Image } from './image.ts';

type Settings = Readonly<Record<string, string>>;

/**
 * The processes that `docker compose up` starts, without Docker: the commands of docker-compose.yml, as the user of the image and in its
 * folder.
 */
export type Machine = {
  folder: string;
  image: Image;
  /** Settings in .env. */
  settings: Settings;
  postgres_port: number;
  temporal_address: string;
};

export type Process = Launched & { port: number };

const START_LIMIT_MS = 120_000;
const ONCE_LIMIT_MS = 120_000;
const STOP_MS = 45_000;

/** Starts PostgreSQL and Temporal, with the superuser and the password that the postgres image would give it. */
export async function openMachine(folder: string, image: Image, settings: Settings): Promise<Machine> {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const postgres = await startPostgres({
    data_dir: join(folder, 'postgres'),
    durable: true,
    say: console.log,
  });
  atEnd(postgres.stop);
  const admin = new pg.Client(postgres.admin_url);
  await admin.connect();
  // `npm start` has made the role already; the image has not.
  await admin.query('alter database tidemark owner to tidemark');
  await admin.query('drop owned by tidemark_service');
  await admin.query('drop role tidemark_service');
  await admin.query(`alter role tidemark password ${pg.escapeLiteral(settings['POSTGRES_PASSWORD']!)}`);
  await admin.end();
  return {
    folder,
    image,
    settings,
    postgres_port: postgres.port,
    temporal_address: await temporalAddress(),
  };
}

/** The environment of a service, with the addresses of this machine in place of the names in Docker's network. */
function environmentHere(machine: Machine, name: string, ports: Settings): Record<string, string> {
  const { image, settings, postgres_port, temporal_address } = machine;
  const environment = environmentOf(name, settings);
  for (const [key, value] of Object.entries(environment))
    environment[key] = value
      .replace('@postgres:5432/', `@${LOOPBACK}:${postgres_port}/`)
      .replace('temporal:7233', temporal_address)
      .replace('0.0.0.0', LOOPBACK)
      .replace('172.30.77.0/24', '127.0.0.0/8');
  const path = `${join(image.root, 'usr/local/bin')}:/usr/bin:/bin`;
  return { PATH: path, HOME: '/nonexistent', ...image.environment, ...environment, ...ports };
}

/** `env -i` with it: nothing of this process's own environment. */
function commandHere(environment: Settings, command: readonly string[]): string[] {
  return ['-i', ...Object.entries(environment).map(([name, value]) => `${name}=${value}`), ...command];
}

/** The user of the image, where this process may become another user. */
function userOf({ image }: Machine): object {
  return process.getuid?.() === 0 ? image.user : {};
}

/** Runs a service that ends by itself. Adds its output to its log, and returns it. Throws if it fails. */
export async function runOnce(machine: Machine, name: string): Promise<string> {
  const args = commandHere(environmentHere(machine, name, {}), COMPOSE.services[name]!.command as string[]);
  const { stdout, stderr } = await promisify(execFile)('env', args, {
    cwd: machine.image.workdir,
    timeout: ONCE_LIMIT_MS,
    ...userOf(machine),
  });
  appendFileSync(join(machine.folder, 'logs', `${name}.log`), stdout + stderr);
  return stdout + stderr;
}

/** Starts one process of `api` or `worker` and waits until it is ready. */
export async function startProcess(
  machine: Machine,
  { name, number, port }: { name: 'api' | 'worker'; number: number; port?: number },
): Promise<Process> {
  const listens_at = port ?? (await anyFreePort());
  const ports = {
    [name === 'api' ? 'PORT' : 'WORKER_PORT']: `${listens_at}`,
    METRICS_PORT: `${await anyFreePort()}`,
  };
  const environment = environmentHere(machine, name, ports);
  const launched = await launch({
    name: `${name}-${number}`,
    command: 'env',
    // In the image's folder: `env -C` needs no shell.
    args: [
      '-C',
      machine.image.workdir,
      ...commandHere(environment, COMPOSE.services[name]!.command as string[]),
    ],
    logs: join(machine.folder, 'logs'),
    stop_steps: [['SIGTERM', STOP_MS]],
    ...(process.getuid?.() === 0 ? { user: machine.image.user } : {}),
  });
  atEnd(launched.stop);
  await waitUntilReady(launched, START_LIMIT_MS, () => isOk(`http://${LOOPBACK}:${listens_at}/readyz`));
  return { ...launched, port: listens_at };
}

/** Starts Caddy with deploy/Caddyfile and a certificate of its own authority. Resolves with the certificate of that authority. */
export async function startCaddy(
  { folder, settings }: Machine,
  context: string,
  { apis, https_port }: { apis: readonly Process[]; https_port: number },
): Promise<string> {
  const data = join(folder, 'caddy');
  mkdirSync(data);
  // What the image has by its ports: a certificate's authority that no other program trusts, and ports that are free here.
  const global = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${await anyFreePort()}\n\thttps_port ${https_port}\n}\n`;
  const file = join(data, 'Caddyfile');
  writeFileSync(file, `${global}import ${join(context, 'deploy/Caddyfile')}\n`);
  const addresses = apis.map(({ port }) => `${LOOPBACK}:${port}`);
  const caddy = await launch({
    name: 'Caddy',
    command: 'caddy',
    args: ['run', '--config', file, '--adapter', 'caddyfile'],
    environment: {
      PUBLIC_URL: settings['PUBLIC_URL']!,
      CADDY_TLS: 'tls internal',
      XDG_DATA_HOME: data,
      XDG_CONFIG_HOME: data,
      API_PROCESSES: addresses.join(' '),
      API_SERVICE: addresses[0]!,
    },
    logs: join(folder, 'logs'),
    stop_steps: [['SIGTERM', 5000]],
  });
  atEnd(caddy.stop);
  const authority = join(data, 'caddy/pki/authorities/local/root.crt');
  const answers = () =>
    promisify(execFile)('curl', ['-sSf', '--cacert', authority, `${settings['PUBLIC_URL']}/healthz`]).then(
      () => true,
      () => false,
    );
  await waitUntilReady(caddy, START_LIMIT_MS, answers);
  return authority;
}

/** A command `docker` for the shell of an operator: it knows `compose exec -T SERVICE ...` and `compose logs SERVICE`. Returns its folder. */
export function dockerCommand(machine: Machine): string {
  const bin = join(machine.folder, 'bin');
  mkdirSync(bin);
  const environment = environmentHere(machine, 'api', {});
  const quoted = commandHere(environment, []).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const as_user =
    process.getuid?.() === 0
      ? `setpriv --reuid ${machine.image.user.uid} --regid ${machine.image.user.gid} --clear-groups `
      : '';
  const script = [
    '#!/bin/sh',
    'case "$1 $2" in',
    `"compose logs") cat "${join(machine.folder, 'logs')}/$3.log" ;;`,
    `"compose exec") shift 4; cd "${machine.image.workdir}" && exec ${as_user}env ${quoted.join(' ')} "$@" ;;`,
    '*) echo "docker $*: not by hand" >&2; exit 2 ;;',
    'esac',
  ];
  writeFileSync(join(bin, 'docker'), script.join('\n'));
  chmodSync(join(bin, 'docker'), 0o755);
  return `${bin}:${inheritedEnvironment()['PATH']}`;
}
