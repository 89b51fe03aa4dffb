import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyFreePort, isOk, LOOPBACK } from '../../dev/ports.ts';
import { aFolder } from '../support/servers/folder.ts';
import { eventually } from '../support/servers/eventually.ts';

export const PROXIES = ['haproxy', 'nginx'] as const;
export type ProxyName = (typeof PROXIES)[number];

/** Configuration files that a deployment can use. The ports in them are replaced by those of a run. */
const FILES = { haproxy: 'haproxy.cfg', nginx: 'nginx.conf' } as const;
const PORTS = { clients: 8080, first: 3001, second: 3002 } as const;

export type Proxy = { url: string; stop: () => Promise<void> };

/** Whether the Debian package of a proxy is installed. */
export function isInstalled(name: ProxyName): boolean {
  return spawnSync('which', [name], { stdio: 'ignore' }).status === 0;
}

/** Starts a proxy with its file in deploy/, in front of two API processes that are ready. */
export async function startProxy(
  name: ProxyName,
  [first, second]: readonly [number, number],
): Promise<Proxy> {
  const folder = await aFolder();
  const clients = await anyFreePort();
  const path = join(folder, FILES[name]);
  const text = readFileSync(new URL(`../../deploy/${FILES[name]}`, import.meta.url), 'utf8');
  writeFileSync(path, withOwnFolder(withPorts(text, { clients, first, second }), folder));
  const child = spawn(name, argumentsOf(name, path, folder), { stdio: ['ignore', 'inherit', 'inherit'] });
  const url = `http://${LOOPBACK}:${clients}`;
  await eventually(
    () => isOk(`${url}/readyz`),
    (is_ready) => is_ready || child.exitCode !== null,
  );
  if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
  return { url, stop: () => stop(child) };
}

function withPorts(text: string, ports: Record<keyof typeof PORTS, number>): string {
  return Object.entries(PORTS).reduce((changed, [name, port]) => {
    if (!changed.includes(`${LOOPBACK}:${port}`)) throw new Error(`no port ${port} in the file of the proxy`);
    return changed.replaceAll(`${LOOPBACK}:${port}`, `${LOOPBACK}:${ports[name as keyof typeof PORTS]}`);
  }, text);
}

/** nginx of Debian writes into folders of the system, which a user other than root may not. */
function withOwnFolder(text: string, folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ');
  return text.replace(/^http \{$/m, `http {\n  access_log off; ${paths}`);
}

function argumentsOf(name: ProxyName, path: string, folder: string): string[] {
  if (name === 'haproxy') return ['-db', '-f', path];
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  return ['-c', path, '-e', 'stderr', '-g', `${user}daemon off; pid ${join(folder, 'nginx.pid')};`];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
