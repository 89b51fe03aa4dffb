import type { Config } from '../src/settings/config.ts';
import { hasSignedIn } from '../src/db/account/sessions.ts';
import { findAccountId, openAccount } from '../src/db/account/accounts.ts';
import { createPool, transaction } from '../src/db/connection/pool.ts';
import { prepareDatabase } from '../src/db/connection/prepare.ts';
import { newSignInLink } from '../src/db/account/sign-in-link.ts';
import { connectTemporal } from '../src/temporal/temporal.ts';
import { setUpAtStart, type SetUp } from '../src/temporal/setup.ts';
import { dashboardUrl, databaseUrl, temporalAddress } from './database.ts';
import { continueFrom, type LastNumbers } from './last-numbers.ts';
import { printResult, type Printed } from './output.ts';

/** Someone may read the output of a first start later, in a log: the link is not valid for long. */
const LINK_HOURS = 1;

type SetUpAccount = {
  account_id: string;
  is_new: boolean;
  /** Null once somebody has signed in. */
  sign_in_url: string | null;
};

/**
 * Migrates the database, creates the account, registers what Temporal needs and enters the account as the owner of the
 * namespace. Prints a sign-in link while nobody has ever signed in. Idempotent, and safe to run twice at once. Then
 * sets the invoice counters, if numbers are given.
 */
export async function setUp(
  config: Config,
  options: Printed & { invoiceNumbersFrom?: LastNumbers },
): Promise<void> {
  const { invoiceNumbersFrom: numbers } = options;
  const applied_migrations = await prepareDatabase(databaseUrl(config));
  const account = await setUpAccount(config);
  const temporal = await setUpTemporal(config, account.account_id, numbers);
  const { is_new, account_id, sign_in_url } = account;
  const has_changed = applied_migrations.length > 0 || is_new || temporal.registered.length > 0;
  const result = {
    is_set_up: true,
    has_changed,
    applied_migrations,
    account_id,
    is_new_account: is_new,
    temporal,
    sign_in_url,
    ...(numbers === undefined ? {} : { last_invoice_numbers: numbers }),
  };
  const changes = [
    ...(applied_migrations.length > 0 ? [`Migrations applied: ${applied_migrations.join(', ')}.`] : []),
    ...(is_new ? [`Account created: ${account_id}.`] : []),
    ...(temporal.registered.length > 0 ? [`Registered in Temporal: ${temporal.registered.join(', ')}.`] : []),
  ];
  const text = [
    'The database and Temporal are set up.',
    ...(has_changed ? changes : ['Everything was there; nothing has changed.']),
    ...(temporal.missing === null ? [] : [`${temporal.missing}.`]),
    ...numbersText(numbers),
    ...(sign_in_url === null ? [] : [`Sign in, once and within an hour: ${sign_in_url}`]),
  ].join('\n');
  printResult(options, result, text);
}

async function setUpAccount(config: Config): Promise<SetUpAccount> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    const { is_new } = await transaction(pool, openAccount);
    const account_id = (await findAccountId(pool))!;
    const has_user = await hasSignedIn(pool, account_id);
    const sign_in_url = has_user ? null : await newSignInLink(pool, dashboardUrl(config), LINK_HOURS);
    return { account_id, is_new, sign_in_url };
  } finally {
    await pool.end();
  }
}

async function setUpTemporal(
  config: Config,
  account_id: string,
  numbers: LastNumbers | undefined,
): Promise<SetUp> {
  const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
  try {
    const done = await setUpAtStart(temporal, account_id);
    if (numbers !== undefined) await continueFrom(config, temporal, numbers);
    return done;
  } finally {
    await temporal.close();
  }
}

function numbersText(numbers: LastNumbers = {}): string[] {
  return Object.entries(numbers).map(
    ([mode, number]) =>
      `The last ${mode} invoice has the number ${number}; the next invoice gets the number after it.`,
  );
}
