import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import type { Json } from './api.ts';
import { atEnd } from './at-end.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

type Settings = Readonly<Record<string, string>>;
export type Ran = { code: number | null; stdout: string; stderr: string };
export type Running = { child: ChildProcess; output: () => Ran; ended: Promise<Ran> };

/** Starts the command line with these settings and without those of this process. stdin is not a terminal. */
export function startCommand(settings: Settings, args: readonly string[], input = ''): Running {
  return startProgram(settings, ['cli/main.ts', ...args], { input });
}

/** `input`: what it reads from stdin. */
type Place = { cwd?: string; uid?: number; input?: string };

/** Starts any program of ours, by arguments of Node. */
export function startProgram(
  settings: Settings,
  args: readonly string[],
  { input = '', ...place }: Place = {},
): Running {
  const {
    DATABASE_URL: _,
    TEMPORAL_ADDRESS: __,
    TIDEMARK_URL: ___,
    TIDEMARK_KEY: ____,
    ...inherited
  } = inheritedEnvironment();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    ...place,
    env: { ...inherited, TIDEMARK_DATA_DIR: '/nowhere', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that reads nothing may have ended before.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const output: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  atEnd(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close').then(() => ({ ...output, code: child.exitCode }));
  return { child, output: () => output, ended };
}

/** Runs a command to its end. */
export function runCommand(settings: Settings, ...args: string[]): Promise<Ran> {
  return startCommand(settings, args).ended;
}

/** An API, or a stack with one. */
type Server = { test_key: string } & ({ url: string } | { api_url: string });

/** Runs commands with the key of a test environment, each after the words of `group`, such as `plans`. */
export function commandsOf(serverOf: () => Server, ...group: string[]) {
  const settings = () => {
    const server = serverOf();
    return { TIDEMARK_URL: 'url' in server ? server.url : server.api_url, TIDEMARK_KEY: server.test_key };
  };
  const run = (...args: string[]): Promise<Ran> => runCommand(settings(), ...group, ...args);
  /** Runs a command that must succeed and print nothing to stderr; returns its stdout. */
  const printed = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stderr], [0, ''], stderr);
    return stdout;
  };
  const json = async (...args: string[]): Promise<Json> => JSON.parse(await printed(...args, '--json'));
  /** Runs a command that reads `input` from stdin. */
  const sent = (input: string, ...args: string[]): Promise<Ran> =>
    startCommand(settings(), [...group, ...args], input).ended;
  return { settings, run, printed, json, sent };
}
