import { change, type Plant } from './plant.ts';

const OF_CUSTOMER = `where customer_key = $1 and property = ''`;

/** Faults of the rollup. */
export const ROLLUP_PLANTS: readonly Plant[] = [
  {
    invariant: 'I33',
    what: 'a day that counts an event too many',
    plant: (db, { customer }) =>
      change(db, customer.key, `update usage_days set events = events + 1 ${OF_CUSTOMER}`),
  },
  {
    invariant: 'I33',
    what: 'a day that is gone',
    plant: (db, { customer }) => change(db, customer.key, `delete from usage_days ${OF_CUSTOMER}`),
  },
  {
    invariant: 'I33',
    what: 'a day that knows nothing of the event stored last',
    plant: (db, { customer }) =>
      change(db, customer.key, `update usage_days set last_xid = '1' ${OF_CUSTOMER}`),
  },
  {
    invariant: 'I33',
    what: 'a total that is not that of the events',
    plant: (db, { customer }) =>
      change(
        db,
        customer.key,
        `insert into usage_days select environment_id, customer_key, event_name, 'planted', day, events, events, 99,
           null, first_stored_at, last_stored_at, last_epoch, last_xid from usage_days ${OF_CUSTOMER}`,
      ),
  },
  {
    invariant: 'I33',
    what: 'a cell of values that no event has',
    plant: (db, { customer }) =>
      change(
        db,
        customer.key,
        `insert into usage_cells select environment_id, customer_key, event_name, day, gen_random_uuid(), '',
           '{"planted": "x"}', events, 0, null, null from usage_days ${OF_CUSTOMER}`,
      ),
  },
  {
    invariant: 'I33',
    what: 'a day that a list would not look at',
    plant: (db) => change(db, 'api_call', `delete from event_days where event_name = $1`),
  },
];
