import { parseArgs } from 'node:util';
import { configAtStart, type Config } from '../src/settings/config.ts';
import { findEnvironments } from '../src/db/account/accounts.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import { prepareDatabase } from '../src/db/connection/prepare.ts';
import { runningStack } from './running-stack.ts';
import { messageOf } from '../src/process/message-of.ts';
import { seedEvents, spreadEvenly } from './seed-events.ts';
import { seedPlan, seedSubscription } from './seed-plan.ts';

/**
 * `npm run seed`: events of many customers in the test environment, to see how everything performs on a large table.
 */
const USAGE = `Usage: npm run seed -- --events N [--customers N] [--days N] [--names N]
  --events N     how many events
  --customers N  whose they are, all with equally many (default 5000)
  --days N       the days up to now that they are spread over (default 30)
  --names N      how many event names they take turns in (default 10)`;

const MOST = { events: 1_000_000_000, customers: 1_000_000, days: 3650, names: 10_000 };
const SUBSCRIPTIONS = 10;
const PERIOD_DAYS = 30;
const DAY_MS = 86_400_000;

type Wanted = Record<keyof typeof MOST, number>;

const say = (line: string) => console.log(line);

function readArguments(): Wanted {
  try {
    return wantedOf(process.argv.slice(2));
  } catch (error) {
    console.error(`${messageOf(error)}\n${USAGE}`);
    process.exit(2);
  }
}

function wantedOf(args: string[]): Wanted {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { events: text, customers: text, days: text, names: text } });
  if (values.events === undefined) throw new Error('--events is missing');
  return {
    events: countOf('events', values.events),
    customers: countOf('customers', values.customers ?? '5000'),
    days: countOf('days', values.days ?? '30'),
    names: countOf('names', values.names ?? '10'),
  };
}

function countOf(option: keyof typeof MOST, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= MOST[option]) return number;
  throw new Error(`--${option} must be a whole number from 1 to ${MOST[option]}, not "${text}"`);
}

/**
 * DATABASE_URL, else the database of the stack that runs in the data directory. Throws in production, which takes no
 * generated data.
 */
function databaseUrl({ database_url, data_dir, is_production }: Config): string {
  if (is_production) throw new Error('NODE_ENV is production; seed data is not allowed in production');
  const url = database_url ?? runningStack(data_dir)?.database_url;
  if (url === undefined) throw new Error(`No stack is running in ${data_dir}. Start a stack with: npm start`);
  return url;
}

/** Fills the test environment; the ids of the customers begin with a prefix of this run. */
async function seed(database_url: string, pool: Pool, options: Wanted): Promise<void> {
  const environments = await findEnvironments(pool);
  if (environments === null) throw new Error('the database has no account yet; npm start creates it');
  const environment_id = environments.test;
  const now = Date.now();
  const prefix = `seeded-${now.toString(36)}`;
  const ids = Array.from({ length: options.customers }, (_, number) => `${prefix}-${number}`);
  const customers = spreadEvenly(ids, options.events);
  const terms = { ...options, environment_id, customers, until: new Date(now).toISOString() };
  // Before the events: the rollup adds up a property only if a charge needs it.
  const plan = await seedPlan(pool, environment_id, PERIOD_DAYS);
  say(`Storing ${options.events.toLocaleString('en')} events.`);
  const stored = await seedEvents(database_url, terms, say);
  const first_midnight = Math.ceil((now - options.days * DAY_MS) / DAY_MS) * DAY_MS;
  const start_date = new Date(first_midnight).toISOString();
  for (const customer_id of ids.slice(0, SUBSCRIPTIONS))
    await seedSubscription(pool, plan, { customer_id, start_date });
  say(`${stored.toLocaleString('en')} events of the customers ${ids[0]} to ${ids.at(-1)}.`);
  say(`The first of them, ${SUBSCRIPTIONS} at most, are subscribed to ${plan.id} from ${start_date} on.`);
}

async function run(options: Wanted): Promise<void> {
  const database_url = databaseUrl(configAtStart());
  await prepareDatabase(database_url);
  const pool = createPool(database_url, 1);
  try {
    await seed(database_url, pool, options);
  } finally {
    await pool.end();
  }
}

await run(readArguments()).catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
