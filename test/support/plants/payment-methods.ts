import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import type { Plant } from './plant.ts';

/** A provider that is deleted, at which the customer was. */
async function aDeletedProvider(db: Db, { customer }: SoundLedger): Promise<void> {
  await db.query(
    `insert into payment_providers (environment_id, id, kind, account, key_last_four, webhook_url, created_by, deleted_at)
     select environment_id, 'pp_planted', 'stripe', 'acct_1', '0000', 'http://localhost', 'key_1', now()
     from customers where id = $1`,
    [customer.id],
  );
  await db.query(
    `insert into provider_customers (environment_id, provider_id, customer_id, reference)
     select environment_id, 'pp_planted', id, 'cus_1' from customers where id = $1`,
    [customer.id],
  );
}

/** Faults of payment methods. */
export const PAYMENT_METHOD_PLANTS: readonly Plant[] = [
  {
    invariant: 'I65',
    what: 'a method of a deleted provider',
    plant: async (db, ledger) => {
      await aDeletedProvider(db, ledger);
      await db.query(
        `insert into payment_methods (environment_id, id, customer_id, provider_id, reference, type, label, is_default)
         select environment_id, 'pmd_planted', id, 'pp_planted', 'pm_1', 'card', 'Visa 4242', true
         from customers where id = $1`,
        [ledger.customer.id],
      );
      return 'pmd_planted';
    },
  },
];
