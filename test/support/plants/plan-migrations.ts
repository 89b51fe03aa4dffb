import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import type { Plant } from './plant.ts';

const ID = 'mig_planted';

/** Inserts a migration of the subscription of the issued invoice, whose outcome is `status`; it counts `changed` of them. */
async function aMigration(
  db: Db,
  { issued }: SoundLedger,
  { changed, status, is }: { changed: number; status: 'changed' | null; is: 'done' | 'stopped' },
): Promise<string> {
  await db.query(
    `insert into plan_migrations (environment_id, id, from_plan_id, from_plan_ids, to_plan_id, at, settle, status,
       reached, total, changed, created_by, finished_at)
     select environment_id, $2, id, array[id], id, 'now', 'balance', $3, $4, 1, $5, 'key_1', now()
     from plans where id = $1`,
    [issued.plan_id, ID, is, issued.subscription_id, changed],
  );
  await db.query(
    `insert into plan_migration_outcomes (environment_id, migration_id, subscription_id, status, changed_at)
     select environment_id, $2, id, $3::text, case when $3::text is not null then now() end from subscriptions where id = $1`,
    [issued.subscription_id, ID, status],
  );
  return ID;
}

/** Faults of plan migrations. */
export const PLAN_MIGRATION_PLANTS: readonly Plant[] = [
  {
    invariant: 'I50',
    what: 'a count that is not that of the outcomes',
    plant: (db, ledger) => aMigration(db, ledger, { changed: 0, status: 'changed', is: 'done' }),
  },
  {
    invariant: 'I50',
    what: 'a migration that is done without an outcome for each subscription',
    plant: (db, ledger) => aMigration(db, ledger, { changed: 0, status: null, is: 'done' }),
  },
  {
    invariant: 'I50',
    what: 'a subscription without an outcome that was reached',
    plant: (db, ledger) => aMigration(db, ledger, { changed: 0, status: null, is: 'stopped' }),
  },
];
