import { fileURLToPath } from 'node:url';
import { launch, type Launched, type StopSteps } from './processes.ts';

/** Our own programs, as files from the top of the project. */
export const SERVICES = { API: 'api/main.ts', Worker: 'activities/worker.ts' } as const;

export type ServicePlace = { logs: string; environment: Readonly<Record<string, string>> };

// What a service is still at after that is one transaction, which happens or does not.
const STOP_STEPS: StopSteps = [['SIGTERM', 8000]];

// What a request is made of lives until its commit. With room for all that is under way, little is copied again and again.
const YOUNG_MEGABYTES = { API: 96, Worker: 32 };

/** What Node is told before our own program, in docker-compose.yml as well. */
export function nodeOptionsOf(name: keyof typeof SERVICES): string[] {
  return [`--max-semi-space-size=${YOUNG_MEGABYTES[name]}`];
}

/** Starts one of our own programs in a process of its own, which ends by itself when this one is gone. */
export function startService(
  name: keyof typeof SERVICES,
  { logs, environment }: ServicePlace,
): Promise<Launched> {
  const program = fileURLToPath(new URL(`../../${SERVICES[name]}`, import.meta.url));
  return launch({
    name,
    command: process.execPath,
    args: [...nodeOptionsOf(name), '--import', import.meta.resolve('tsx'), program],
    environment,
    channel: true,
    // A bill may wait, an event may not.
    gives_way: name === 'Worker',
    logs,
    stop_steps: STOP_STEPS,
  });
}
