import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import type { Plant } from './plant.ts';

const REFUND = 'prf_planted';
const DISPUTE = 'pdp_planted';

/** A payment in advance of 5.00 that a provider made, with its provider. */
async function aChargedPayment(db: Db, { issued }: SoundLedger): Promise<void> {
  await db.query(
    `insert into payment_providers (environment_id, id, kind, account, secret_key, key_last_four, webhook_url, created_by)
     select environment_id, 'pp_planted', 'stripe', 'acct_1', '', '0000', 'http://localhost', 'key_1'
     from invoices where id = $1`,
    [issued.id],
  );
  await db.query(
    `with paid as (
       insert into payments (environment_id, id, customer_id, amount, to_balance, paid_at, created_at, created_by,
         reference)
       select environment_id, 'pay_planted', customer_id, '5.00', '5.00', issued_at, issued_at, 'pp_planted', 'pi_1'
       from invoices where id = $1 returning *),
     moved as (
       update customers c set balance = balance + 5 from paid
       where c.environment_id = paid.environment_id and c.id = paid.customer_id)
     insert into balance_entries (environment_id, id, customer_id, type, amount, payment_id, created_at, created_by)
     select environment_id, 'bal_planted', customer_id, 'deposit', amount, id, created_at, created_by from paid`,
    [issued.id],
  );
}

/** A refund of a charged payment that the provider has not taken, and of it what is changed. */
async function aRefund(db: Db, ledger: SoundLedger, changed: object): Promise<string> {
  await aChargedPayment(db, ledger);
  await db.query(
    `insert into payment_refunds
     select (jsonb_populate_record(null::payment_refunds, jsonb_build_object('environment_id', environment_id,
       'id', '${REFUND}', 'payment_id', 'pay_planted', 'customer_id', customer_id, 'amount', 2, 'currency', currency,
       'reason', 'refund', 'provider_id', 'pp_planted', 'charge_reference', 'pi_1', 'status', 'pending',
       'created_at', now()) || $2)).* from invoices where id = $1`,
    [ledger.issued.id, JSON.stringify(changed)],
  );
  return REFUND;
}

/** A dispute of a charged payment that is won, and of it what is changed. */
async function aDispute(db: Db, ledger: SoundLedger, changed: object): Promise<string> {
  await aChargedPayment(db, ledger);
  await db.query(
    `insert into payment_disputes
     select (jsonb_populate_record(null::payment_disputes, jsonb_build_object('environment_id', environment_id,
       'id', '${DISPUTE}', 'payment_id', 'pay_planted', 'customer_id', customer_id, 'amount', 2, 'currency', currency,
       'reason', 'fraudulent', 'provider_id', 'pp_planted', 'charge_reference', 'pi_1', 'provider_reference', 'dp_1',
       'status', 'won', 'created_at', now(), 'ended_at', now()) || $2)).* from invoices where id = $1`,
    [ledger.issued.id, JSON.stringify(changed)],
  );
  return DISPUTE;
}

/** Faults of refunds and disputes. */
export const PAYMENT_REFUND_PLANTS: readonly Plant[] = [
  {
    invariant: 'I72',
    what: 'a refund that has taken what nothing reverses',
    plant: (db, ledger) => aRefund(db, ledger, { provider_reference: 're_1', taken_amount: 2 }),
  },
  {
    invariant: 'I72',
    what: 'a dispute that is open and not booked',
    plant: (db, ledger) => aDispute(db, ledger, { status: 'open', ended_at: null }),
  },
  {
    invariant: 'I73',
    what: 'a refund above what was charged',
    plant: async (db, ledger) => {
      await aRefund(db, ledger, { amount: 6 });
      return 'pi_1';
    },
  },
  {
    invariant: 'I74',
    what: 'a refund in another currency',
    plant: (db, ledger) => aRefund(db, ledger, { currency: 'KWD' }),
  },
  {
    invariant: 'I75',
    what: 'a pause by a refund that there is not',
    plant: async (db, { issued }) => {
      await db.query(
        `update invoices set collection_pause = '{"reason": "other", "until": null, "ends_at": null,
           "created_at": "2026-03-01T00:00:00.000Z", "created_by": "prf_gone"}' where id = $1`,
        [issued.id],
      );
      return issued.id;
    },
  },
];
