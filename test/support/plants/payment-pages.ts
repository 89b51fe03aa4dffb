import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import { aPlantedPayer, anAttempt } from './payment-attempts.ts';
import type { Plant } from './plant.ts';

const PAGE = 'pys_planted';

/** A sound page on which an invoice is paid, and of it what is changed. */
async function aPage(db: Db, { issued }: SoundLedger, changed: object): Promise<string> {
  await db.query(
    `insert into payment_pages
     select (jsonb_populate_record(null::payment_pages, jsonb_build_object('environment_id', environment_id,
       'invoice_id', id, 'customer_id', customer_id, 'currency', currency, 'id', '${PAGE}', 'amount', 5,
       'saves_method', false, 'provider_id', 'pp_planted', 'created_by', 'key_1', 'status', 'open',
       'expires_at', now(), 'next_read_at', now(), 'created_at', now()) || $2)).* from invoices where id = $1`,
    [issued.id, JSON.stringify(changed)],
  );
  return PAGE;
}

/** A payment in advance of the issued invoice's customer, of 5, by a page, or by `created_by`. */
async function aPayment(db: Db, { issued }: SoundLedger, created_by = PAGE): Promise<string> {
  await db.query(
    `with paid as (
       insert into payments (environment_id, id, customer_id, amount, to_balance, paid_at, created_at, created_by)
       select environment_id, 'pay_planted', customer_id, 5, 5, issued_at, issued_at, $2
       from invoices where id = $1 returning *),
     moved as (
       update customers c set balance = balance + 5 from paid
       where c.environment_id = paid.environment_id and c.id = paid.customer_id)
     insert into balance_entries (environment_id, id, customer_id, type, amount, payment_id, created_at, created_by)
     select environment_id, 'bal_planted', customer_id, 'deposit', 5, id, created_at, created_by from paid`,
    [issued.id, created_by],
  );
  return 'pay_planted';
}

/** Faults of payment sessions. */
export const PAYMENT_PAGE_PLANTS: readonly Plant[] = [
  {
    invariant: 'I70',
    what: 'a page with a payment that somebody else made',
    plant: async (db, ledger) => {
      await aPlantedPayer(db, ledger);
      const payment_id = await aPayment(db, ledger, 'key_1');
      return aPage(db, ledger, { status: 'complete', payment_id, next_read_at: null });
    },
  },
  {
    invariant: 'I70',
    what: 'a payment by a page that there is not',
    plant: (db, ledger) => aPayment(db, ledger),
  },
  {
    invariant: 'I71',
    what: 'a page in another currency',
    plant: async (db, ledger) => {
      await aPlantedPayer(db, ledger);
      return aPage(db, ledger, { currency: 'EUR' });
    },
  },
  {
    invariant: 'I71',
    what: 'a page beside an attempt',
    plant: async (db, ledger) => {
      await anAttempt(db, ledger, {});
      return aPage(db, ledger, {});
    },
  },
];
