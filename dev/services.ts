import { fileURLToPath } from 'node:url';
import { isOk } from './ports.ts';
import { launch, type Launched, type StopSteps } from './processes.ts';

/** Our own programs, as paths from the project's root. */
export const SERVICES = { API: 'api/main.ts', Worker: 'worker/main.ts' } as const;

export type ServicePlace = {
  logs: string;
  environment: Readonly<Record<string, string>>;
  /** Addresses at which each service answers while its event loop runs. */
  health_urls?: Readonly<Partial<Record<keyof typeof SERVICES, string>>>;
  /** Ports at which a debugger reaches each service. */
  inspector_ports?: Readonly<Record<keyof typeof SERVICES, number>>;
};

// Work still running after 8 s is one transaction, which commits or not: killing it is safe.
const STOP_STEPS: StopSteps = [['SIGTERM', 8000]];

const NODE_OPTIONS = {
  API: [
    // A request's objects live until its commit. A young generation with room for all requests in flight avoids copying
    // them repeatedly.
    '--max-semi-space-size=96',
    // While the young generation is still small, all of it survives. V8 would conclude that such objects live long and
    // allocate them in the old generation; dead there, they keep young objects alive until the next full collection,
    // once a second.
    '--no-allocation-site-pretenuring',
    // Megabytes in the old generation before the first full collection.
    '--initial-old-space-size=200',
    // Buffers count towards that limit. By default V8 runs a full collection for every 64 MB of buffers: with batches
    // every other second.
    '--external-memory-accounted-in-global-limit',
  ],
  Worker: ['--max-semi-space-size=32'],
} as const;

/** Node exits if it does not know an option: the major version from which each is known. */
const SINCE: Readonly<Record<string, number>> = { '--external-memory-accounted-in-global-limit': 26 };

/** Node options of a service for a version of Node; docker-compose.yml repeats them. */
export function nodeOptionsOf(
  name: keyof typeof SERVICES,
  version: string = process.versions.node,
): readonly string[] {
  const major = Number.parseInt(version);
  return NODE_OPTIONS[name].filter((option) => major >= (SINCE[option] ?? 0));
}

/** Starts one of our own programs as a child process, which exits by itself when this process is gone. */
export async function startService(
  name: keyof typeof SERVICES,
  { logs, environment, health_urls = {}, inspector_ports }: ServicePlace,
): Promise<Launched> {
  // A bill may wait, an event may not.
  const low_priority = name === 'Worker';
  const program = fileURLToPath(new URL(`../${SERVICES[name]}`, import.meta.url));
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
    low_priority,
    logs,
    stop_steps: STOP_STEPS,
  });
  const health_url = health_urls[name];
  if (health_url === undefined) return launched;
  return { ...launched, responds: (within_ms) => isOk(health_url, within_ms) };
}
