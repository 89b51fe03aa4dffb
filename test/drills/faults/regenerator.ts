import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { regenerateInvoice } from '../../../activities/regenerate.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { atEnd } from '../../support/at-end.ts';
import { NO_GRACE } from '../../support/billing.ts';

const THIS_FILE = fileURLToPath(import.meta.url);

/** A request to regenerate, and the wire or database that it uses. */
export type Job = {
  database_url: string;
  environment_id: number;
  subscription_id: string;
  regeneration_id: string;
};

/** A process that runs only the worker's regeneration activity, so that no Temporal server waits after a kill. */
export type Regenerator = {
  /** Serves requests concurrently. Rejects if the process ends before all are served. */
  serve: (jobs: readonly Job[]) => Promise<void>;
  /** Sends SIGKILL and waits until the process has ended. */
  kill: () => Promise<void>;
};

export function startRegenerator(): Regenerator {
  const child = fork(THIS_FILE, { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit').then(([code, signal]) => `ended with ${code ?? signal}`);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  atEnd(kill);
  return {
    kill,
    serve: async (jobs) => {
      const served = once(child, 'message').then(() => null);
      child.send(jobs);
      const end = await Promise.race([served, ended]);
      if (end !== null) throw new Error(`the regenerator ${end}`);
    },
  };
}

/** One connection per request, because each request has a wire of its own. */
async function serve({ database_url, ...key }: Job): Promise<void> {
  const pool = createPool(database_url, 1);
  await regenerateInvoice({ pool, settings: NO_GRACE, patience: {} }, key);
  await pool.end();
}

if (process.argv[1] === THIS_FILE) {
  process.on('message', (jobs: Job[]) => {
    void Promise.all(jobs.map(serve)).then(() => process.send!('served'));
  });
}
