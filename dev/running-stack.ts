import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Addresses and keys of the one-command stack that runs in a data directory. */
export type RunningStack = {
  api_url: string;
  dashboard_url: string;
  database_url: string;
  temporal_address: string;
  test_key: string;
  live_key: string;
};

/** Reads stack.json of the data directory; null if no stack runs there. */
export function runningStack(data_dir: string): RunningStack | null {
  try {
    return JSON.parse(readFileSync(join(data_dir, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}
