import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import type { Plant } from './plant.ts';

async function aPlan(
  db: Db,
  { issued }: SoundLedger,
  { attempts, next_attempt_at }: { attempts: number; next_attempt_at: string },
): Promise<string> {
  await db.query(
    `insert into collections (environment_id, invoice_id, customer_id, status, attempts, first_at, next_attempt_at)
     select environment_id, id, customer_id, 'scheduled', $2, '2026-03-02T00:00:00Z', $3 from invoices where id = $1`,
    [issued.id, attempts, next_attempt_at],
  );
  return issued.id;
}

/** Faults of plans of charges. */
export const COLLECTION_PLANTS: readonly Plant[] = [
  {
    invariant: 'I68',
    what: 'a plan that counts an attempt that there is not',
    plant: (db, ledger) => aPlan(db, ledger, { attempts: 1, next_attempt_at: '2026-03-05T00:00:00Z' }),
  },
  {
    invariant: 'I69',
    what: 'a next charge before the first one',
    plant: (db, ledger) => aPlan(db, ledger, { attempts: 0, next_attempt_at: '2026-03-01T00:00:00Z' }),
  },
];
