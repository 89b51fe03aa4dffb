import { fileURLToPath } from 'node:url';
import { lowerPriority } from './priority.ts';
import { launch, type Launched, type StopSteps } from './processes.ts';

/** Our own programs, as files from the top of the project. */
export const SERVICES = { API: 'api/main.ts', Worker: 'activities/worker.ts' } as const;

export type ServicePlace = {
  logs: string;
  environment: Readonly<Record<string, string>>;
  /** Where each answers as long as its event loop turns. */
  health_urls?: Readonly<Partial<Record<keyof typeof SERVICES, string>>>;
  /** Where a debugger reaches each. */
  inspector_ports?: Readonly<Record<keyof typeof SERVICES, number>>;
};

// What a service is still at after that is one transaction, which happens or does not.
const STOP_STEPS: StopSteps = [['SIGTERM', 8000]];

const NODE_OPTIONS = {
  API: [
    // What a request is made of lives until its commit. With room for all that is under way, little is copied again and again.
    '--max-semi-space-size=96',
    // While that room is still small all of it survives, and V8 would take it for what lives long and make it old at once, from then
    // on: dead, it keeps what is young alive until everything is collected, once a second.
    '--no-allocation-site-pretenuring',
    // What may become old, in megabytes, before everything is collected for the first time.
    '--initial-old-space-size=200',
    // Buffers count into that. By itself V8 collects everything for each 64 MB of them, which batches are every other second.
    '--external-memory-accounted-in-global-limit',
  ],
  Worker: ['--max-semi-space-size=32'],
} as const;

/** A Node that does not know an option ends with it. */
const SINCE: Readonly<Record<string, number>> = { '--external-memory-accounted-in-global-limit': 26 };

/** What a Node of the version is told before our own program, in docker-compose.yml as well. */
export function nodeOptionsOf(
  name: keyof typeof SERVICES,
  version: string = process.versions.node,
): readonly string[] {
  const major = Number.parseInt(version);
  return NODE_OPTIONS[name].filter((option) => major >= (SINCE[option] ?? 0));
}

/** Starts one of our own programs in a process of its own, which ends by itself when this one is gone. */
export async function startService(
  name: keyof typeof SERVICES,
  { logs, environment, health_urls = {}, inspector_ports }: ServicePlace,
): Promise<Launched> {
  // A bill may wait, an event may not.
  const gives_way = name === 'Worker';
  const program = fileURLToPath(new URL(`../../${SERVICES[name]}`, import.meta.url));
  const launched = await launch({
    name,
    command: process.execPath,
    args: [
      ...nodeOptionsOf(name),
      ...(inspector_ports === undefined ? [] : [`--inspect=${inspector_ports[name]}`]),
      '--import',
      import.meta.resolve('tsx'),
      program,
    ],
    environment,
    channel: true,
    gives_way,
    logs,
    stop_steps: STOP_STEPS,
  });
  // It says one thing, that it is ready.
  if (gives_way) launched.child.once('message', () => lowerPriority(launched, 'ready'));
  const health_url = health_urls[name];
  return health_url === undefined ? launched : { ...launched, health_url };
}
