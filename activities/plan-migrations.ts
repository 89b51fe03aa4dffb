import { noteRefusal, takeTurn, TurnIsOver } from '../src/billing/terms/migrate-subscription.ts';
import { transaction, type Pool, type TransactionLimits } from '../src/db/connection/pool.ts';
import { lastTurns, nextTurns, type Turn } from '../src/db/subscriptions/plan-migration-outcomes.ts';
import {
  finishMigration,
  readTerms,
  type MigrationKey,
  type MigrationTerms,
} from '../src/db/subscriptions/plan-migrations.ts';
import type { BillingSettings } from '../src/domain/subscription/subscription.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { refusalOf } from './impossible.ts';

/** Subscriptions of one call. */
const BATCH = 50;

type Deps = {
  pool: Pool;
  temporal: Pick<Temporal, 'nudge'>;
  settings: BillingSettings;
  patience: TransactionLimits;
  /** Whether a call before this one did not end. */
  is_retried: boolean;
};

/**
 * Takes the turns of the next subscriptions of a migration, each in a transaction that changes the subscription, writes
 * the outcome and moves the migration on, all or nothing; so it is safe to run twice, also at the same time. Returns
 * how many had their turn, and whether nothing is left.
 */
export async function moveSubscribers(
  deps: Deps,
  key: MigrationKey,
): Promise<{ moved: number; is_finished: boolean }> {
  const { pool } = deps;
  const terms = await readTerms(pool, key);
  if (terms.finished_at !== null) return { moved: 0, is_finished: true };
  if (deps.is_retried) await wakeLast(deps, key, terms);
  const of_status = terms.status === 'running' ? null : 'changed';
  const turns = await nextTurns(pool, key, { reached: terms.reached, of_status, limit: BATCH });
  if (turns.length === 0) return { moved: 0, is_finished: await finishMigration(pool, key, terms) };
  const changed: string[] = [];
  try {
    for (const turn of turns)
      if (await moveOne(deps, key, { terms, turn })) changed.push(turn.subscription_id);
  } catch (error) {
    // The next call reads what the migration has become.
    if (!(error instanceof TurnIsOver)) throw error;
  } finally {
    await wakeAll(deps, key, changed);
  }
  return { moved: turns.length, is_finished: false };
}

/** Returns whether the workflow of the subscription has something to see. */
async function moveOne(
  { pool, settings, patience }: Deps,
  key: MigrationKey,
  { terms, turn }: { terms: MigrationTerms; turn: Turn },
): Promise<boolean> {
  try {
    return await transaction(pool, (db) => takeTurn(db, key, { terms, turn, settings }), patience);
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    const { sentence: reason, details } = refused;
    await transaction(pool, (db) => noteRefusal(db, key, { terms, turn, reason, details }));
    return false;
  }
}

/** Wakes the workflows of the last batch again: the worker may have ended between a commit and its signal. */
async function wakeLast(deps: Deps, key: MigrationKey, { reached }: MigrationTerms): Promise<void> {
  await wakeAll(deps, key, await lastTurns(deps.pool, key, { reached, limit: BATCH }));
}

async function wakeAll(
  { temporal }: Deps,
  { environment_id }: MigrationKey,
  ids: readonly string[],
): Promise<void> {
  await temporal.nudge(
    ids.map((subscription_id) => ({ environment_id, subscription_id })),
    'wake',
  );
}
