import type { Config } from '../../src/settings/config.ts';
import { findEnvironments, isPrepared } from '../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { numberingRefusal } from '../../src/db/invoicing/numbering.ts';
import { missingMigrations } from '../../src/db/connection/prepare.ts';
import { VERSION_MIN } from '../../src/db/connection/session-check.ts';
import { assertSameAccount, createStandbyPool, refuseBesideNodes } from '../../src/db/account/standby.ts';
import { LATE_SECONDS, unreadSeconds } from '../../src/db/changes/consumers.ts';
import { countUnrolled, UNROLLED_READ_MAX } from '../../src/db/events/rollup.ts';
import { emailWaitSeconds } from '../../src/db/emails/email-counts.ts';
import { readLoginRefusal } from '../../src/db/emails/sender.ts';
import { countEndpoints } from '../../src/db/webhooks/endpoints.ts';
import { listSetAside, type SetAside } from '../../src/db/customers/set-aside.ts';
import { databaseUrl } from '../database.ts';
import { clockFinding, fail, ok, warn, type Check, type Finding } from './check.ts';
import { paymentChecks } from './payments.ts';

const STATEMENT_MS = 4000;

const POSTGRES = 'PostgreSQL';
const MIGRATIONS = 'migrations';

/** Checks of the database. The connections stay open until the process ends. */
export function postgresChecks(config: Config): Check[] {
  let pool: Pool | null = null;
  const db = () => (pool ??= createPool(databaseUrl(config), 4, { statement_ms: STATEMENT_MS }));
  return [
    ...serverChecks(db),
    ...dataChecks(db),
    ...changeChecks(db),
    ...paymentChecks(db, [POSTGRES, MIGRATIONS]),
    ...standbyChecks(config, db),
  ];
}

function serverChecks(db: () => Pool): Check[] {
  return [
    {
      what: POSTGRES,
      needs: [],
      next_step: 'start PostgreSQL, with npm start or separately, and check DATABASE_URL',
      ask: async () => {
        const { rows } = await db().query<{ place: string }>(
          `select current_database() || coalesce(' on ' || host(inet_server_addr()) || ':' || inet_server_port(), '')
             as place`,
        );
        return ok(rows[0]!.place);
      },
    },
    {
      what: 'PostgreSQL version',
      needs: [POSTGRES],
      next_step: `move to PostgreSQL ${VERSION_MIN} or newer`,
      ask: async () => {
        const { rows } = await db().query<{ version: string }>(
          `select current_setting('server_version') as version`,
        );
        const { version } = rows[0]!;
        return Number.parseInt(version, 10) >= VERSION_MIN ? ok(version) : fail(`${version} is older`);
      },
    },
    {
      what: 'PostgreSQL durability',
      needs: [POSTGRES],
      next_step: 'set fsync and synchronous_commit to on; otherwise acknowledged events can be lost',
      ask: () => durabilityFinding(db()),
    },
    {
      what: 'PostgreSQL clock',
      needs: [POSTGRES],
      next_step: 'set the clocks of both machines, for example by NTP',
      ask: async () => {
        const from_ms = Date.now();
        const { rows } = await db().query<{ now: string }>('select clock_timestamp() as now');
        return clockFinding(Date.parse(rows[0]!.now), { from_ms, to_ms: Date.now() });
      },
    },
  ];
}

/** Checks of the standby; empty without DATABASE_READ_URL. */
function standbyChecks(config: Config, db: () => Pool): Check[] {
  const standby = createStandbyPool(config, { statement_ms: STATEMENT_MS });
  if (standby === null) return [];
  return [
    {
      what: 'PostgreSQL standby',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'check DATABASE_READ_URL; meanwhile reports are read from DATABASE_URL',
      ask: async () => {
        await refuseBesideNodes(db());
        await assertSameAccount(standby, db());
        return ok('responds, and has the account of DATABASE_URL');
      },
    },
  ];
}

async function durabilityFinding(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ fsync: string; synchronous_commit: string }>(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit`,
  );
  const { fsync, synchronous_commit } = rows[0]!;
  const detail = `fsync ${fsync}, synchronous_commit ${synchronous_commit}`;
  return fsync === 'on' && synchronous_commit !== 'off' ? ok(detail) : fail(detail);
}

/** Age of an email that is due, as in the alert. */
const EMAIL_LATE_SECONDS = 600;
const SET_ASIDE_SHOWN_MAX = 5;

/** Names the oldest customers that were set aside, and says if there are more. */
function setAsideFinding(customers: readonly SetAside[]): Finding {
  if (customers.length === 0) return ok('no customer');
  const sentences = customers
    .slice(0, SET_ASIDE_SHOWN_MAX)
    .map(
      ({ job, environment, customer_id, failed_at, reason }) =>
        `${job} of the ${environment} customer ${customer_id} since ${failed_at}: ${reason}`,
    );
  const more = customers.length > SET_ASIDE_SHOWN_MAX ? ['and others'] : [];
  return warn([...sentences, ...more].join('; '));
}

function changesFinding(seconds: number): Finding {
  return seconds <= LATE_SECONDS
    ? ok('all have their numbers')
    : warn(`the oldest has waited for its number for ${Math.round(seconds)} s; webhooks wait too`);
}

function webhooksFinding(counts: Awaited<ReturnType<typeof countEndpoints>>): Finding {
  const texts = counts.map(({ environment, status, count }) => `${count} ${status} (${environment})`);
  const detail = texts.length === 0 ? 'no endpoint' : texts.join(', ');
  return counts.some(({ status }) => status === 'parked') ? warn(detail) : ok(detail);
}

async function emailsFinding(pool: Pool): Promise<Finding> {
  const refused = await readLoginRefusal(pool);
  if (refused !== null)
    return warn(`the mail server refuses the login since ${refused.refused_at}: ${refused.refusal}`);
  const seconds = await emailWaitSeconds(pool);
  return seconds <= EMAIL_LATE_SECONDS
    ? ok('none waits for its try')
    : warn(`the oldest has waited for its try for ${Math.round(seconds)} s`);
}

async function numberingFinding(pool: Pool): Promise<Finding> {
  const environments = await findEnvironments(pool);
  const refusal = environments === null ? null : await numberingRefusal(pool, environments.live);
  if (refusal === null) return ok('live invoices are numbered');
  return refusal.retry_after_seconds === null ? fail(refusal.message) : warn(refusal.message);
}

/** Checks of the feed, of webhooks and of emails. */
function changeChecks(db: () => Pool): Check[] {
  return [
    {
      what: 'changes',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'check that a worker is running, and read its log',
      ask: async () => changesFinding(await unreadSeconds(db(), 'feed')),
    },
    {
      what: 'webhooks',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'the command webhooks list has the reasons; correct them, then resume the endpoints',
      ask: async () => webhooksFinding(await countEndpoints(db())),
    },
    {
      what: 'emails',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'check SMTP_URL and SMTP_PASSWORD, and that a worker is running',
      ask: () => emailsFinding(db()),
    },
  ];
}

function dataChecks(db: () => Pool): Check[] {
  return [
    {
      what: MIGRATIONS,
      needs: [POSTGRES],
      next_step: 'apply the migrations: npm run tidemark -- setup',
      ask: async () => {
        const missing = await missingMigrations(db());
        if (missing.length > 0) return fail(`not applied: ${missing.join(', ')}`);
        return (await isPrepared(db()))
          ? ok('all are applied')
          : fail('the epoch of this cluster is not stored yet');
      },
    },
    {
      what: 'account',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'create it: npm run tidemark -- setup',
      ask: async () =>
        (await findEnvironments(db())) === null
          ? fail('the database has no account')
          : ok('exists, with both environments'),
    },
    {
      what: 'invoice numbers',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'follow the instruction in the message; test data are still billed',
      ask: () => numberingFinding(db()),
    },
    {
      what: 'rollup',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'check that a worker is running, and read its log',
      ask: async () => {
        const count = await countUnrolled(db(), UNROLLED_READ_MAX);
        const detail = `${count} events are not rolled up`;
        return count < UNROLLED_READ_MAX
          ? ok(detail)
          : warn(`${detail}, or more; invoices take longer until a worker has rolled them up`);
      },
    },
    {
      what: 'set aside',
      needs: [POSTGRES, MIGRATIONS],
      next_step: 'a background job skips these customers; see docs/operations.md',
      ask: async () => setAsideFinding(await listSetAside(db(), SET_ASIDE_SHOWN_MAX + 1)),
    },
  ];
}
