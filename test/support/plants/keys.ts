import { change, type Plant } from './plant.ts';

const OF_CUSTOMER = `where key_hash in (select key_hash from events where customer_key = $1)`;

/** Faults of the keys of events, and of their places. */
export const KEY_PLANTS: readonly Plant[] = [
  {
    invariant: 'I44',
    what: 'an event without a key',
    plant: (db, { customer }) => change(db, customer.key, `delete from event_keys ${OF_CUSTOMER}`),
  },
  {
    invariant: 'I44',
    what: 'a key that is in another place',
    plant: (db, { customer }) =>
      change(db, customer.key, `update event_keys set event_id = event_id + 1 ${OF_CUSTOMER}`),
  },
  {
    invariant: 'I44',
    what: 'a key of another content',
    plant: (db, { customer }) =>
      change(db, customer.key, `update event_keys set content_hash = gen_random_uuid() ${OF_CUSTOMER}`),
  },
  {
    invariant: 'I44',
    what: 'an event in the bucket of a month long before it',
    plant: (db, { customer }) =>
      change(
        db,
        customer.key,
        'create table events_197001 partition of events for values in (197001)',
        'update events set bucket = 197001 where customer_key = $1',
      ),
  },
];
