import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import { copyRow, type Plant } from './plant.ts';

/** Copies a plan as a version of the key `planted`, and returns the id of the copy. */
async function aVersion(db: Db, { issued }: SoundLedger, changed: { version: number; currency?: string }) {
  const id = `plan_planted_${changed.version}`;
  await copyRow(db, 'plans', { id: issued.plan_id }, { ...changed, id, key: 'planted' });
  return id;
}

/** Faults of the versions of a key. */
export const PLAN_PLANTS: readonly Plant[] = [
  {
    invariant: 'I49',
    what: 'a version that is missing',
    plant: async (db, ledger) => {
      await aVersion(db, ledger, { version: 1 });
      return aVersion(db, ledger, { version: 3 });
    },
  },
  {
    invariant: 'I49',
    what: 'a version in another currency',
    plant: async (db, ledger) => {
      await aVersion(db, ledger, { version: 1 });
      return aVersion(db, ledger, { version: 2, currency: 'JPY' });
    },
  },
];
