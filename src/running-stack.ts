import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The addresses of the one-command stack that runs in a data directory; null where none does. */
export function runningStack(
  data_dir: string,
): { database_url: string; temporal_address: string; dashboard_url: string } | null {
  try {
    return JSON.parse(readFileSync(join(data_dir, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}
