import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the one-command stack that runs in a data directory is, and its keys; null where none does. */
export type RunningStack = {
  api_url: string;
  dashboard_url: string;
  database_url: string;
  temporal_address: string;
  test_key: string;
  live_key: string;
};

export function runningStack(data_dir: string): RunningStack | null {
  try {
    return JSON.parse(readFileSync(join(data_dir, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}
