import { Command, Option } from 'commander';
import { newApiKey } from './api-key.ts';
import { readAcknowledgements, workflowsOf } from './check-inputs.ts';
import { readConfig, type Config } from './config.ts';
import { findEnvironments } from './db/accounts.ts';
import { insertKey, listKeys, revokeKey, type KeyKind } from './db/api-keys.ts';
import { checkInvariants, CHECK_STATEMENT_MS } from './db/invariants/check.ts';
import { createPool, type Pool } from './db/pool.ts';
import { forgetRollup } from './db/rollup.ts';
import { prepareDatabase } from './db/prepare.ts';
import { isSound, reportOf } from './invariant-report.ts';
import { newSignInLink } from './sign-in-link.ts';
import { runningStack } from './running-stack.ts';
import { connectTemporal } from './temporal.ts';

const config = readConfig();
const KEYS_SHOWN_MAX = 200;

const program = new Command('tidemark').description('Operate Tidemark from the command line.');

program
  .command('setup')
  .description('migrate the database and register namespace, search attributes and schedule with Temporal')
  .action(async () => {
    await prepareDatabase(databaseUrl(config));
    const temporal = connectTemporal(config);
    await temporal.setUp();
    await temporal.close();
    console.log('The database and Temporal are set up.');
  });

program
  .command('reconcile')
  .description(
    'check everything that must always hold, on the live database; changes nothing, exits 1 where something is found',
  )
  .option('--acked <file>', "a client's log of acknowledged events: JSON lines with id and idempotency_key")
  .action(async ({ acked }: { acked?: string }) => {
    const pool = createPool(databaseUrl(config), 2, { statement_ms: CHECK_STATEMENT_MS });
    const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
    try {
      const acknowledged = acked === undefined ? null : readAcknowledgements(acked);
      // Where Temporal does not answer, the rest is checked without it.
      const workflows = await workflowsOf(temporal, pool).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : error;
        console.error(`I23 is not checked, Temporal does not answer: ${reason}`);
        return null;
      });
      const checked = await checkInvariants(pool, { acknowledged, workflows });
      console.log(reportOf(checked));
      if (!isSound(checked)) process.exitCode = 1;
    } finally {
      await temporal.close();
      await pool.end();
    }
  });

const keys = program.command('keys').description('API keys of the account');
const live = new Option('--live', 'the live environment; the test environment without it').default(false);
const kind = new Option('--kind <kind>', 'what the key may do')
  .choices(['full', 'events_only'])
  .default('full');

keys
  .command('create')
  .description('make a key and show it, once')
  .addOption(live)
  .addOption(kind)
  .option('--name <name>', 'what it is for', 'Made on the command line')
  .action((options: { live: boolean; kind: KeyKind; name: string }) =>
    inEnvironment(options.live, async (pool, environment_id) => {
      const secret = newApiKey(options.live);
      const id = await insertKey(pool, environment_id, { secret, name: options.name, kind: options.kind });
      console.log(`${id}\n${secret}\nIt is shown this once.`);
    }),
  );

keys
  .command('list')
  .description('list the keys, newest first')
  .addOption(live)
  .action((options: { live: boolean }) =>
    inEnvironment(options.live, async (pool, environment_id) => {
      for (const key of await listKeys(pool, environment_id, { before: null, limit: KEYS_SHOWN_MAX })) {
        const state =
          key.revoked_at === null ? `last used ${key.last_used_at ?? 'never'}` : `revoked ${key.revoked_at}`;
        console.log(`${key.id}  ...${key.last_four}  ${key.kind.padEnd(11)}  ${state}  ${key.name}`);
      }
    }),
  );

keys
  .command('revoke')
  .description('refuse a key from now on, within 5 seconds in every process')
  .argument('<id>', 'key_...')
  .addOption(live)
  .action((id: string, options: { live: boolean }) =>
    inEnvironment(options.live, async (pool, environment_id) => {
      if (await revokeKey(pool, environment_id, id)) console.log(`${id} is revoked.`);
      else program.error(`${id} is no key of this environment, or is revoked already`);
    }),
  );

program
  .command('rebuild-rollup')
  .description(
    'forget the daily rollup of usage, for the worker to make it anew; bills stay right meanwhile, and take longer',
  )
  .action(async () => {
    const pool = createPool(databaseUrl(config), 1);
    try {
      await forgetRollup(pool);
      console.log('The worker makes the rollup anew from every event.');
    } finally {
      await pool.end();
    }
  });

program
  .command('sign-in')
  .description('make a link that signs in to the dashboard, once, within 12 hours')
  .action(async () => {
    const pool = createPool(databaseUrl(config), 1);
    try {
      const link = await newSignInLink(pool, dashboardUrl(config));
      console.log(link ?? program.error('the database has no account yet; npm start makes one'));
    } finally {
      await pool.end();
    }
  });

async function inEnvironment(
  livemode: boolean,
  work: (pool: Pool, environment_id: number) => Promise<void>,
): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    const environments = await findEnvironments(pool);
    if (environments === null) return program.error('the database has no account yet; npm start makes one');
    await work(pool, livemode ? environments.live : environments.test);
  } finally {
    await pool.end();
  }
}

/** DATABASE_URL, or the database of the stack that runs in the data directory. */
function databaseUrl({ database_url, data_dir }: Config): string {
  const url = database_url ?? runningStack(data_dir)?.database_url;
  return url ?? program.error(`no stack runs in ${data_dir}, and DATABASE_URL is not set`);
}

function dashboardUrl({ data_dir, host, port }: Config): string {
  return runningStack(data_dir)?.dashboard_url ?? `http://${host}:${port}/`;
}

/** That of the stack that runs in the data directory where none is set. */
function temporalAddress({ temporal_address, data_dir }: Config): string | null {
  return temporal_address ?? runningStack(data_dir)?.temporal_address ?? null;
}

await program.parseAsync();
