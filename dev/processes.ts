import { execFile, spawn, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../src/settings/config.ts';
import { messageOf } from '../src/process/message-of.ts';
import { lastLines, limitLog, openLog } from './log-file.ts';
import { holderOf, identityOf } from './pid-file.mjs';
import { lowerPriority } from './priority.ts';

/** A system user; null is the present one. */
export type SystemUser = { readonly uid: number; readonly gid: number } | null;

/** Signals in order, each with the time to wait after it. SIGKILL follows the last. */
export type StopSteps = readonly [StopStep, ...StopStep[]];
type StopStep = readonly [signal: NodeJS.Signals, wait_ms: number];

/**
 * A running part of the stack. `exited` resolves with a description of its end. `responds` asks it for a sign of life
 * and resolves with whether one came within `within_ms`; a part without it is not health-checked.
 */
export type Running = {
  readonly name: string;
  readonly responds?: (within_ms: number) => Promise<boolean>;
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
};

export type Launched = Running & { readonly child: ChildProcess; lastLines(): string };

export type LaunchOptions = {
  /** Name in messages. */
  name: string;
  command: string;
  args: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** Folder of `<name>.log`, and of `<name>.pid` while it runs. */
  logs: string;
  user?: SystemUser;
  /** Opens an IPC channel: the process sends messages up, and notices when this process is gone. */
  channel?: boolean;
  /** Runs at low priority. */
  low_priority?: boolean;
  stop_steps: StopSteps;
};

const execute = promisify(execFile);

const live = new Map<ChildProcess, NodeJS.Signals>();

// However this process ends, except by SIGKILL, none of its children stay behind.
process.on('exit', () => {
  for (const [child, signal] of live) child.kill(signal);
});

/**
 * Starts a process in its own process group: Ctrl-C in a terminal then reaches only this process, which stops the parts
 * in order.
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { name, command, stop_steps } = options;
  const path = join(options.logs, name.toLowerCase());
  const log = openLog(`${path}.log`);
  const child = spawn(command, options.args, {
    detached: true,
    env: inheritedEnvironment(options.environment),
    stdio: ['ignore', log.descriptor, log.descriptor, ...(options.channel === true ? ['ipc' as const] : [])],
    ...options.user,
  });
  const exited = exitOf(child, path);
  await once(child, 'spawn').catch((error: unknown) => {
    throw new Error(`${name} could not be started with ${command}: ${messageOf(error)}`);
  });
  closeSync(log.descriptor);
  const pid = child.pid!;
  live.set(child, stop_steps[0][0]);
  writePid(`${path}.pid`, pid);
  if (options.low_priority === true) lowerPriority({ pid });
  const stop = async () => {
    await stopProcess(pid, stop_steps);
    await exited;
  };
  return {
    name,
    pid,
    child,
    exited,
    stop,
    lastLines: () => `last lines of ${path}.log:\n${lastLines(`${path}.log`, log.from_byte)}`,
  };
}

/**
 * Writes the pid for the next process that cleans up. On a full disk there is no pid file, and the child runs all the
 * same.
 */
function writePid(file: string, pid: number): void {
  try {
    writeFileSync(file, identityOf(pid) ?? '', { mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}

/** Runs a command to its end, with `input` on its standard input. If it fails, throws an error with its output. */
export async function run(
  command: string,
  args: readonly string[],
  options: ExecFileOptions & { input?: string },
): Promise<void> {
  const running = execute(command, args, options);
  live.set(running.child, 'SIGTERM');
  running.child.stdin?.end(options.input);
  await running.finally(() => live.delete(running.child));
}

function exitOf(child: ChildProcess, path: string): Promise<string> {
  const log_watch = setInterval(() => limitLog(`${path}.log`), 30_000).unref();
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearInterval(log_watch);
      live.delete(child);
      rmSync(`${path}.pid`, { force: true });
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  });
}

/**
 * Polls `isReady` until it is true. If the process ends or the time is up first, stops it and throws an error with its
 * last lines.
 */
export async function waitUntilReady(
  launched: Launched,
  limit_ms: number,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const { name, child } = launched;
  const deadline = performance.now() + limit_ms;
  while (!(await isReady())) {
    const has_ended = child.exitCode !== null || child.signalCode !== null;
    if (has_ended) throw new Error(`${name} ended during its start; ${launched.lastLines()}`);
    if (performance.now() > deadline) {
      await launched.stop();
      throw new Error(`${name} was not ready after ${limit_ms / 1000} s; ${launched.lastLines()}`);
    }
    await delay(50);
  }
}

/** A check for waitUntilReady: whether the process has called announceReady(). */
export function announced({ child }: Launched): () => boolean {
  let is_ready = false;
  child.once('message', () => (is_ready = true));
  return () => is_ready;
}

/** Stops the processes that a killed parent had started and that still run. */
export async function stopLeftovers(logs: string): Promise<void> {
  const names = existsSync(logs) ? readdirSync(logs).filter((name) => name.endsWith('.pid')) : [];
  await Promise.all(names.map((name) => stopLeftover(join(logs, name))));
}

async function stopLeftover(pid_file: string): Promise<void> {
  const pid = holderOf(pid_file);
  if (pid !== null) await stopProcess(pid, [['SIGINT', 8000]]);
  rmSync(pid_file, { force: true });
}

/** Sends the signals of `steps` in turn, then SIGKILL, until the process is gone. */
export async function stopProcess(pid: number, steps: StopSteps): Promise<void> {
  const identity = identityOf(pid);
  if (identity === null) return;
  for (const [signal, wait_ms] of [...steps, ['SIGKILL', 10_000] as const]) {
    if (!sendSignal(pid, signal)) return;
    const deadline = performance.now() + wait_ms;
    while (performance.now() < deadline) {
      if (identityOf(pid) !== identity) return;
      await delay(20);
    }
  }
  throw new Error(`process ${pid} does not stop`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it ended in the meantime
  }
}
