import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, readConfig } from '../../../src/settings/config.ts';
import { anyFreePort } from '../../../dev/ports.ts';
import { connectTemporal } from '../../../src/temporal/temporal.ts';
import { atEnd } from './at-end.ts';
import { freeNamespace } from './temporal.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

type Settings = Readonly<Record<string, string>>;

export type Program = {
  child: ChildProcess;
  /** Resolves once it says that it is ready. Rejects if it ends before. */
  ready: Promise<void>;
  /** Sends SIGTERM and resolves with the exit code. */
  end: () => Promise<number | null>;
};

const SECRET = 'the secret of a test';

/** Starts `api/main.ts` or `worker/main.ts` as a process of its own, with the settings of production. It ends with the run. */
export function startProgram(file: 'api/main.ts' | 'worker/main.ts', settings: Settings): Program {
  const child = fork(file, {
    cwd: ROOT,
    execArgv: [],
    env: { ...inheritedEnvironment(), NODE_ENV: 'production', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const end = async () => {
    child.kill('SIGTERM');
    await exited;
    return child.exitCode;
  };
  atEnd(async () => void (await end()));
  const ready = Promise.race([once(child, 'message').then(() => true), exited.then(() => false)]).then(
    (is_ready) => {
      if (!is_ready) throw new Error(`${file} ended with ${child.exitCode}`);
    },
  );
  ready.catch(() => undefined);
  return { child, ready, end };
}

/** Starts a worker, for whose account the namespace is free. `url` is that of its port. */
export async function startWorkerProgram(settings: Settings): Promise<Program & { url: string }> {
  if (settings['TEMPORAL_ADDRESS'] !== undefined) {
    const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: settings['TEMPORAL_ADDRESS'] }));
    await freeNamespace(temporal);
    await temporal.close();
  }
  const port = await anyFreePort();
  const program = startProgram('worker/main.ts', {
    WORKER_PORT: `${port}`,
    TIDEMARK_SECRET: SECRET,
    ...settings,
  });
  return { ...program, url: `http://127.0.0.1:${port}` };
}

/** Starts an API. `url` is that of its port, `metrics_url` that of its metrics. */
export async function startApiProgram(
  settings: Settings,
): Promise<Program & { url: string; metrics_url: string }> {
  const port = await anyFreePort();
  const metrics_port = await anyFreePort();
  const program = startProgram('api/main.ts', {
    PORT: `${port}`,
    METRICS_PORT: `${metrics_port}`,
    TIDEMARK_SECRET: SECRET,
    RATE_LIMIT: 'off',
    ...settings,
  });
  const loopback = 'http://127.0.0.1';
  return { ...program, url: `${loopback}:${port}`, metrics_url: `${loopback}:${metrics_port}/metrics` };
}
