import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import type { Plant } from './plant.ts';

const ATTEMPT = 'pat_planted';

/** A provider, and the customer of the issued invoice there. */
export async function aPlantedPayer(db: Db, { issued }: SoundLedger): Promise<void> {
  const key = [issued.id];
  await db.query(
    `insert into payment_providers (environment_id, id, kind, account, secret_key, key_last_four, webhook_url, created_by)
     select environment_id, 'pp_planted', 'stripe', 'acct_1', '', '0000', 'http://localhost', 'key_1'
     from invoices where id = $1`,
    key,
  );
  await db.query(
    `insert into provider_customers (environment_id, provider_id, customer_id, reference)
     select environment_id, 'pp_planted', customer_id, 'cus_1' from invoices where id = $1`,
    key,
  );
}

/** A sound attempt, and of it what is changed. Its payment in advance is one more. */
export async function anAttempt(db: Db, ledger: SoundLedger, changed: object): Promise<string> {
  const { issued } = ledger;
  await aPlantedPayer(db, ledger);
  await db.query(
    `insert into payment_methods (environment_id, id, customer_id, provider_id, reference, type, label, is_default)
     select environment_id, 'pmd_planted', customer_id, 'pp_planted', 'pm_1', 'card', 'Visa 4242', true
     from invoices where id = $1`,
    [issued.id],
  );
  await db.query(
    `insert into payment_attempts
     select (jsonb_populate_record(null::payment_attempts, jsonb_build_object('environment_id', environment_id,
       'invoice_id', id, 'customer_id', customer_id, 'currency', currency, 'id', '${ATTEMPT}', 'number', 1, 'amount', 5,
       'provider_id', 'pp_planted', 'payment_method_id', 'pmd_planted', 'by', 'person', 'created_by', 'key_1',
       'status', 'pending', 'created_at', now(), 'at', now(), 'is_mailed', false) || $2)).* from invoices where id = $1`,
    [issued.id, JSON.stringify(changed)],
  );
  await db.query(
    `insert into collections (environment_id, invoice_id, customer_id, status, attempts)
     select environment_id, invoice_id, customer_id, case status when 'pending' then 'charging' else 'none' end, 1
     from payment_attempts where id = $1`,
    [ATTEMPT],
  );
  return ATTEMPT;
}

/** A payment of the issued invoice's customer that goes to the balance, by an attempt. */
async function aPayment(db: Db, { issued }: SoundLedger, amount: string): Promise<string> {
  await db.query(
    `with paid as (
       insert into payments (environment_id, id, customer_id, amount, to_balance, paid_at, created_at, created_by)
       select environment_id, 'pay_planted', customer_id, $2, $2, issued_at, issued_at, '${ATTEMPT}'
       from invoices where id = $1 returning *),
     moved as (
       update customers c set balance = balance + $2::numeric from paid
       where c.environment_id = paid.environment_id and c.id = paid.customer_id)
     insert into balance_entries (environment_id, id, customer_id, type, amount, payment_id, created_at, created_by)
     select environment_id, 'bal_planted', customer_id, 'deposit', $2, id, created_at, created_by from paid`,
    [issued.id, amount],
  );
  return 'pay_planted';
}

/** Faults of charges. */
export const PAYMENT_ATTEMPT_PLANTS: readonly Plant[] = [
  {
    invariant: 'I66',
    what: 'an attempt whose payment is of another amount',
    plant: async (db, ledger) => {
      const payment_id = await aPayment(db, ledger, '4.00');
      return anAttempt(db, ledger, { status: 'succeeded', payment_id, ended_at: '2026-03-01T00:00:00Z' });
    },
  },
  {
    invariant: 'I66',
    what: 'a payment by an attempt that there is not',
    plant: (db, ledger) => aPayment(db, ledger, '5.00'),
  },
  {
    invariant: 'I67',
    what: 'an attempt in another currency',
    plant: (db, ledger) => anAttempt(db, ledger, { currency: 'EUR' }),
  },
];
