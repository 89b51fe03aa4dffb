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
      change(db, customer.key, `update event_keys set content_hash = key_hash ${OF_CUSTOMER}`),
  },
  {
    invariant: 'I44',
    what: 'a redacted event of another content',
    plant: (db, { customer }) =>
      change(
        db,
        customer.key,
        `update event_keys set content_hash = key_hash, redacted_hash = key_hash ${OF_CUSTOMER}`,
      ),
  },
  {
    invariant: 'I44',
    what: 'a redacted event without the hash of what was sent',
    plant: (db, { customer }) =>
      change(
        db,
        customer.key,
        `update event_keys k set content_hash = null, redacted_hash = event_content(e.customer_key, e.idempotency_key,
           e.event_name, case when e.timestamp_given then e.timestamp end, e.properties)
         from events e where e.key_hash = k.key_hash and e.customer_key = $1`,
      ),
  },
  {
    invariant: 'I44',
    what: 'an event that a finished redaction left as it was',
    plant: (db, { customer }) =>
      change(
        db,
        customer.key,
        `update events set properties = '{"ip": "127.0.0.1"}' where customer_key = $1`,
        `insert into redactions (environment_id, customer_id, customer_key, properties, redacted_at, redacted_by, epoch,
           finished_at)
         select environment_id, id, key, '{ip}', now(), 'key', (select max(epoch) from epochs), now() from customers
         where key = $1`,
      ),
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
