import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inheritedEnvironment, readConfig, type Config } from '../src/settings/config.ts';
import { messageOf } from '../src/process/message-of.ts';
import { onNpmGone } from './npm-parent.ts';
import { foldersOf } from './postgres-home.ts';
import { startHotReload } from './hot-reload.ts';
import { createStack, INSPECTOR_PORTS, type Started } from './stack.ts';

/** `npm start`, and with `--develop` `npm run dev`. */
const USAGE = 'Usage: npm start -- [--data-dir DIR] [--port N]';
const STOP_LIMIT_MS = 14_000;

const say = (line: string) => console.log(line);

type Asked = { config: Config; for_development: boolean };

function askedBy(args: string[]): Asked {
  const { values } = parseArgs({
    args,
    options: { 'data-dir': { type: 'string' }, port: { type: 'string' }, develop: { type: 'boolean' } },
  });
  const config = readConfig({
    ...inheritedEnvironment(),
    ...(values['data-dir'] === undefined ? {} : { TIDEMARK_DATA_DIR: values['data-dir'] }),
    ...(values.port === undefined ? {} : { PORT: values.port }),
  });
  return {
    config: { ...config, data_dir: resolve(config.data_dir) },
    for_development: values.develop === true,
  };
}

function readArguments(): Asked {
  try {
    return askedBy(process.argv.slice(2));
  } catch (error) {
    console.error(`${messageOf(error)}\n${USAGE}`);
    process.exit(2);
  }
}

/** Starts the stack with the dashboard of the development server. */
async function withHotReload(stack: Started): Promise<Started> {
  const dashboard_url = await startHotReload(stack.api_url);
  const sign_in_url = stack.sign_in_url.replace(stack.dashboard_url, dashboard_url);
  return { ...stack, dashboard_url, sign_in_url };
}

function banner(stack: Started, { config, for_development }: Asked): string {
  const inspectors = Object.entries(INSPECTOR_PORTS).map(([name, port]) => `${name} at ${port}`);
  const rows = [
    ['Dashboard', stack.dashboard_url],
    ['Sign in (once)', stack.sign_in_url],
    ['API', `${stack.api_url}/v1`],
    ['API reference', `${stack.api_url}/docs`],
    ['Test key', stack.test_key],
    ['Temporal UI', stack.temporal_ui_url ?? `unknown; the server is at ${stack.temporal_address}`],
    ...(for_development ? [['Inspectors', inspectors.join(', ')]] : []),
    ['Data and logs', config.data_dir],
    ['See an invoice', 'npm run demo, in a second terminal'],
    ['Stop', 'Ctrl-C; the data is kept'],
    ['Delete data', `rm -r ${foldersOf(config.data_dir).join(' ')}, after stopping`],
  ];
  return [
    '',
    'Tidemark is running.',
    '',
    ...rows.map(([name = '', value]) => `  ${name.padEnd(16)}${value}`),
    '',
  ].join('\n');
}

const start_options = readArguments();
const { config, for_development } = start_options;
const stack = createStack(config, say, { for_development });
let is_stopping = false;

async function stop(code: number): Promise<void> {
  if (is_stopping) return;
  is_stopping = true;
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  await stack.stop();
  process.exit(code);
}

async function fail(error: unknown): Promise<void> {
  if (is_stopping) return;
  console.error(messageOf(error));
  await stop(1);
}

function leave(): void {
  if (!is_stopping) say('Stopping ...');
  void stop(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
onNpmGone(leave);
process.on('uncaughtException', (error) => void fail(error));

try {
  const started = await stack.start();
  const running_stack = for_development && !is_stopping ? await withHotReload(started) : started;
  if (!is_stopping) say(banner(running_stack, start_options));
} catch (error) {
  await fail(error);
}
