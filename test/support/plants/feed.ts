import { change, type Plant } from './plant.ts';

const ENVIRONMENT = '(select environment_id from customers where key = $1)';
const ENDPOINT = `insert into webhook_endpoints (environment_id, id, url, payload, secret, taken_up_to)
  select ${ENVIRONMENT}, 'whe_planted', 'https://example.com', 'full', '', 1`;
const delivery = (values: string) =>
  `insert into webhook_deliveries (environment_id, id, endpoint_id, change_id, type, object_id, created_at, status, sequence,
     attempts)
   select ${ENVIRONMENT}, 'whd_planted', 'whe_planted', 'chn_1', 'customer.created', 'cus_1', now(), ${values}`;
const row = (sequence: number) =>
  `insert into feed (environment_id, sequence, id, created_at, numbered_at, type, object_id)
   select ${ENVIRONMENT}, ${sequence}, 'chn_planted', now(), now(), 'customer.updated', 'cus_1'`;
const ends = (sequence: number) =>
  `insert into feeds (environment_id, last_sequence) select ${ENVIRONMENT}, ${sequence}
   on conflict (environment_id) do update set last_sequence = excluded.last_sequence`;

const AHEAD = `coalesce(c.test_clock, now()) + interval '61 days'`;

/** Faults of the feed, and of deliveries. */
export const FEED_PLANTS: readonly Plant[] = [
  {
    invariant: 'I46',
    what: 'a number that is missing',
    plant: async (db, { customer }) => {
      await change(db, customer.key, ends(900_003), row(900_001), row(900_003));
      return 'sequence 900003';
    },
  },
  {
    invariant: 'I46',
    what: 'a last number without a row',
    plant: async (db, { customer }) => {
      await change(db, customer.key, ends(900_002), row(900_001));
      return 'feed ';
    },
  },
  {
    invariant: 'I47',
    what: 'a delivery ahead of its endpoint',
    plant: async (db, { customer }) => {
      await change(db, customer.key, ENDPOINT, delivery(`'pending', 2, 0`));
      return 'whd_planted';
    },
  },
  {
    invariant: 'I47',
    what: 'a delivery to an endpoint that is deleted',
    plant: async (db, { customer }) => {
      const deleted = `update webhook_endpoints set deleted_at = now()`;
      await change(db, customer.key, ENDPOINT, delivery(`'failing', 1, 1`), deleted);
      return 'whd_planted';
    },
  },
  {
    invariant: 'I47',
    what: 'a delivery that nobody has answered',
    plant: async (db, { customer }) => {
      await change(db, customer.key, ENDPOINT, delivery(`'delivered', 1, 1`));
      return 'whd_planted';
    },
  },
  {
    invariant: 'I53',
    what: 'a renewal that is noted, and another one that is told',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        'update periods set end_noted = true where subscription_id = $1 and closed_at is null',
        `update subscriptions set noted_renewal = '2026-01-01Z' where id = $1`,
      ),
  },
  {
    invariant: 'I53',
    what: 'the end of a trial that is told too early',
    plant: (db, { draft }) =>
      change(
        db,
        draft.subscription_id,
        `update subscriptions s set noted_trial_end = ${AHEAD} from customers c
         where s.id = $1 and c.environment_id = s.environment_id and c.id = s.customer_id`,
      ),
  },
  {
    invariant: 'I53',
    what: 'an expiry that is told too early',
    plant: (db, { grant }) =>
      change(
        db,
        grant,
        `update credit_grants g set noted_expiry = ${AHEAD} from customers c
         where g.id = $1 and c.environment_id = g.environment_id and c.id = g.customer_id`,
      ),
  },
];
