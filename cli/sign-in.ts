import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import { createPool } from '../src/db/connection/pool.ts';
import { newSignInLink } from '../src/db/account/sign-in-link.ts';
import { dashboardUrl, databaseUrl } from './database.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { jsonOption, printResult, type Printed } from './output.ts';

/** Adds `sign-in`. */
export function addSignIn(program: Command, config: Config): void {
  const command = program
    .command('sign-in')
    .description('create a link that signs in to the dashboard once, within 12 hours')
    .addOption(jsonOption());
  withExamples(command, ['sign-in', 'sign-in --json']).action((options: Printed) => signIn(config, options));
}

async function signIn(config: Config, options: Printed): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    const url = await newSignInLink(pool, dashboardUrl(config));
    if (url === null) throw new Failure('the database has no account yet; tidemark setup creates it');
    printResult(options, { object: 'sign_in_link', url }, url);
  } finally {
    await pool.end();
  }
}
