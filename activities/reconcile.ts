import { heartbeat, log } from '@temporalio/activity';
import { compareNumbers } from '../src/billing/close/compare-numbers.ts';
import { pageOfCollections } from '../src/db/collection/open-attempts.ts';
import { overdueSubscriptions, pageOfLiveSubscriptions } from '../src/db/subscriptions/live-subscriptions.ts';
import { listLastNumbers, unparkCounted } from '../src/db/invoicing/numbering.ts';
import { greaterNumber, rememberedOf, type LastNumber } from '../src/domain/invoice/numbering.ts';
import { allEndpoints, sleepersWithChanges } from '../src/db/webhooks/endpoints.ts';
import { transaction, type Pool } from '../src/db/connection/pool.ts';
import { migrationsToRun } from '../src/db/subscriptions/plan-migrations.ts';
import { subscriptionsWithRequests } from '../src/db/subscriptions/regenerations.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import type { SubscriptionInput } from '../workflows/messages.ts';
import { writeOffExpiredGrants } from './expired-credit.ts';

/** The functions of Temporal that the reconciler uses. */
export type ReconcileTemporal = Pick<
  Temporal,
  | 'nudge'
  | 'runningIds'
  | 'rememberedNumbers'
  | 'startEndpoints'
  | 'wakeEndpoints'
  | 'wakeMigrations'
  | 'wakeCollections'
  | 'runningCollections'
>;

const PAGE_SIZE = 1000;
const STARTS_AT_ONCE = 50;
/** Migrations that are started again at most; the rest follows in the next run. */
const MIGRATIONS_MAX = 50;

/**
 * Starts the workflow of every subscription that should have one and has none: its nudge was lost, it was terminated,
 * or Temporal lost its database. Wakes each subscription whose period ended a while ago and is not billed, and each
 * with an unserved request to regenerate an invoice, and each plan migration that has work to do. Starts the workflow
 * of each open attempt to charge an invoice, and of each plan that goes on. The result holds the last invoice numbers: Temporal thereby remembers them
 * if the database is restored to an earlier moment.
 */
export async function reconcileSubscriptions(deps: {
  pool: Pool;
  temporal: ReconcileTemporal;
}): Promise<{ started: number; live: number; last_numbers: LastNumber[] }> {
  const remembered = await deps.temporal.rememberedNumbers();
  const halted = await transaction(deps.pool, (db) => compareNumbers(db, remembered));
  for (const reason of halted) log.error('live invoices are not issued', { reason });
  await writeOffExpiredGrants(deps.pool, heartbeat);
  const running = await listRunning(deps.temporal.runningIds());
  let live = 0;
  let started = await nudgeAll(deps.temporal, await unparkCounted(deps.pool, PAGE_SIZE));
  started += await nudgeAll(deps.temporal, await overdueSubscriptions(deps.pool, PAGE_SIZE), {
    is_repeated: true,
  });
  started += await nudgeAll(deps.temporal, await subscriptionsWithRequests(deps.pool, PAGE_SIZE), {
    is_repeated: true,
  });
  await reconcileEndpoints(deps);
  await deps.temporal.wakeMigrations(await migrationsToRun(deps.pool, MIGRATIONS_MAX));
  await reconcileCollections(deps);
  let after = '';
  for (;;) {
    const page = await pageOfLiveSubscriptions(deps.pool, { after, limit: PAGE_SIZE });
    live += page.length;
    started += await nudgeAll(
      deps.temporal,
      page.filter(({ subscription_id }) => !running.has(subscription_id)),
    );
    const last = page.at(-1);
    if (last === undefined) return { started, live, last_numbers: await lastNumbers(deps.pool, remembered) };
    after = last.subscription_id;
  }
}

/**
 * Starts the workflows of webhook endpoints that should run and do not, and wakes those that sleep although changes are
 * there.
 */
async function reconcileEndpoints({
  pool,
  temporal,
}: {
  pool: Pool;
  temporal: ReconcileTemporal;
}): Promise<void> {
  await temporal.startEndpoints(await allEndpoints(pool));
  await temporal.wakeEndpoints(await sleepersWithChanges(pool));
  heartbeat();
}

/** Starts the workflows of plans and open attempts that do not run, and wakes those whose time a test clock has passed. */
async function reconcileCollections({
  pool,
  temporal,
}: {
  pool: Pool;
  temporal: ReconcileTemporal;
}): Promise<void> {
  const running = await listRunning(temporal.runningCollections());
  let after = '';
  for (;;) {
    const page = await pageOfCollections(pool, { after, limit: PAGE_SIZE });
    const missing = page.filter(({ invoice_id, is_time }) => is_time || !running.has(invoice_id));
    for (let first = 0; first < missing.length; first += STARTS_AT_ONCE) {
      const starting = missing.slice(first, first + STARTS_AT_ONCE);
      await temporal.wakeCollections(
        starting.map(({ environment_id, invoice_id }) => ({ environment_id, invoice_id })),
      );
      heartbeat();
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.invoice_id;
  }
}

/**
 * The ids of all running workflows of a type. Sends a heartbeat for each page, because many pages take minutes.
 */
async function listRunning(ids: AsyncIterable<string>): Promise<Set<string>> {
  const running = new Set<string>();
  for await (const id of ids) {
    running.add(id);
    if (running.size % PAGE_SIZE === 0) heartbeat(running.size);
  }
  return running;
}

/** Keeps the remembered number where the database's counter is behind it or is not to be trusted. */
async function lastNumbers(pool: Pool, remembered: readonly LastNumber[]): Promise<LastNumber[]> {
  return (await listLastNumbers(pool)).flatMap(
    ({ last_number, last_credit_note_number, last_sequence, ...environment }) => {
      const invoice = greaterNumber(last_number, rememberedOf(remembered, environment));
      const note = greaterNumber(
        last_credit_note_number,
        rememberedOf(remembered, environment, 'credit_notes'),
      );
      const sequence = greaterNumber(last_sequence, rememberedOf(remembered, environment, 'changes'));
      if (invoice === null || note === null || sequence === null) return [];
      return [
        { ...environment, last_number: invoice, last_credit_note_number: note, last_sequence: sequence },
      ];
    },
  );
}

async function nudgeAll(
  temporal: Pick<Temporal, 'nudge'>,
  missing: readonly SubscriptionInput[],
  options = { is_repeated: false },
): Promise<number> {
  let reached = 0;
  for (let first = 0; first < missing.length; first += STARTS_AT_ONCE) {
    reached += await temporal.nudge(missing.slice(first, first + STARTS_AT_ONCE), 'wake', options);
    heartbeat(reached);
  }
  return reached;
}
