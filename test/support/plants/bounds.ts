import * as given from '../ledger/billing.ts';
import { change, insertEvent, WRITTEN_EVENT, type Plant } from './plant.ts';

/** Faults of tenants, keys and settings. */
export const BOUNDS_PLANTS: readonly Plant[] = [
  {
    invariant: 'I22',
    what: "an event of another environment's customer",
    plant: (db, { customer }) =>
      insertEvent(db, { ...WRITTEN_EVENT, environment_id: 1, customer_key: customer.key }),
  },
  {
    invariant: 'I22',
    what: 'an event of a customer that does not exist',
    plant: (db) => insertEvent(db, { ...WRITTEN_EVENT, customer_key: '999999999' }),
  },
  {
    invariant: 'I22',
    what: 'a row whose parent is not there',
    plant: async (db, { draft }) => {
      await db.query(`set local session_replication_role = replica`);
      await db.query(
        `insert into cut_offs (environment_id, subscription_id, epoch, snapshot)
         select 1, $1, max(epoch), pg_current_snapshot() from epochs`,
        [draft.subscription_id],
      );
      return 'cut_offs 1, ';
    },
  },
  {
    invariant: 'I22',
    what: 'a foreign key that leaves out the environment',
    plant: (db) =>
      change(
        db,
        'constraint loose of credit_grants',
        'alter table customers add unique (id)',
        'alter table credit_grants add constraint loose foreign key (customer_id) references customers (id)',
      ),
  },
  {
    invariant: 'I22',
    what: 'an invoice for another customer than its subscription has',
    plant: async (db, { draft, late }) => {
      await db.query(
        'update invoices set customer_id = (select customer_id from invoices where id = $2) where id = $1',
        [draft.id, late.id],
      );
      return draft.id;
    },
  },
  {
    invariant: 'I26',
    what: 'a kept answer with a key',
    plant: async (db) => {
      await db.query(
        `insert into idempotency_keys (environment_id, key, fingerprint, claim, claimed_at, status, body)
         values ($1, 'kept', '\\x00', gen_random_uuid(), now(), 201, '{"secret": "tm_sk_live_0123456789abcdef"}')`,
        [given.LIVE],
      );
      return 'idempotency key kept';
    },
  },
  {
    invariant: 'I30',
    what: 'no limit to waiting',
    plant: (db) => change(db, 'setting lock_timeout', 'set local lock_timeout = 0'),
  },
  {
    invariant: 'I30',
    what: 'commits that do not wait for the disk',
    plant: (db) => change(db, 'setting synchronous_commit', 'set local synchronous_commit = off'),
  },
];
