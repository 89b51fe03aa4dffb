import { accessSync, constants, existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { Config } from '../../src/settings/config.ts';
import { isFree, LOOPBACK } from '../../dev/ports.ts';
import { parseDatabaseUrl } from '../../src/settings/database-address.ts';
import { runningStack, type RunningStack } from '../../dev/running-stack.ts';
import { fail, ok, warn, type Check, type Finding } from './check.ts';

const CONNECT_LIMIT_MS = 2000;
const TEMPORAL_PORT = 7233;

/** Checks of the machine itself, which need no running server. */
export function machineChecks(config: Config): Check[] {
  return [
    {
      what: 'Node.js',
      needs: [],
      next_step: 'install Node.js 20.19 or newer',
      ask: () => nodeFinding(process.versions.node),
    },
    {
      what: 'data directory',
      needs: [],
      next_step: 'give this user write access, or set TIDEMARK_DATA_DIR to another folder',
      ask: () => dataDirFinding(config.data_dir),
    },
    {
      what: 'ports',
      needs: [],
      next_step: 'start the stack again: npm start',
      ask: () => portsFinding(config),
    },
  ];
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19) ? ok(version) : fail(`${version} is older than 20.19`);
}

function dataDirFinding(data_dir: string): Finding {
  if (!existsSync(data_dir)) return warn(`${data_dir} does not exist yet; npm start creates it`);
  accessSync(data_dir, constants.R_OK | constants.W_OK | constants.X_OK);
  return ok(data_dir);
}

/**
 * Checks the ports: if a stack runs, each of its ports must answer; if none does, the ports that the next stack would
 * use should be free.
 */
async function portsFinding(config: Config): Promise<Finding> {
  const stack = runningStack(config.data_dir);
  return stack === null ? freePortsFinding(config) : stackPortsFinding(stack);
}

async function stackPortsFinding(stack: RunningStack): Promise<Finding> {
  const { api_url, database_url, temporal_address } = stack;
  const addresses = [api_url, ...parseDatabaseUrl(database_url).urls, `http://${temporal_address}`].map(
    (address) => new URL(address),
  );
  // The address of an external server may have no port.
  const named = addresses.filter(({ port }) => port !== '');
  const silent: string[] = [];
  for (const { hostname, port, host } of named)
    if (!(await isListening(hostname.replace(/^\[|\]$/g, ''), Number(port)))) silent.push(host);
  if (silent.length > 0) return fail(`servers in stack.json do not respond: ${silent.join(', ')}`);
  return ok(`${named.map(({ port }) => port).join(', ')} answer`);
}

async function freePortsFinding(config: Config): Promise<Finding> {
  const { port, host, temporal_ui_port, temporal_address } = config;
  const addresses = [
    { port, host },
    ...(temporal_address === null
      ? [TEMPORAL_PORT, temporal_ui_port].map((port) => ({ port, host: LOOPBACK }))
      : []),
  ];
  const used_ports: number[] = [];
  for (const { port, host } of addresses) if (!(await isFree(port, host))) used_ports.push(port);
  if (used_ports.length === 0)
    return ok(`${addresses.map(({ port }) => port).join(', ')} are free; no stack is running here`);
  return warn(`in use: ${used_ports.join(', ')}; for a default port, npm start uses the next free port`);
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_LIMIT_MS });
    const answer = (is_listening: boolean) => {
      socket.destroy();
      resolve(is_listening);
    };
    socket.once('connect', () => answer(true));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}
