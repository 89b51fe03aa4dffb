import { installRuntime } from '../../activities/worker.ts';
import { readConfig } from '../../src/config.ts';

let is_installed = false;

/** Temporal's runtime is one for the process, whatever number of stacks it starts; it speaks only of what is wrong. */
export function quietRuntime(): void {
  if (!is_installed) installRuntime(readConfig({ LOG_LEVEL: 'error' }));
  is_installed = true;
}
