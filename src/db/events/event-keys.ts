/**
 * SQL: the content of the event `e`, which a resend must equal (contract.md 2). `given` is SQL of the timestamp that was sent, null for
 * none.
 */
export function contentOf(given: string): string {
  return `event_content(e.customer_key, e.idempotency_key, e.event_name, ${given}, e.properties)`;
}

/** SQL: the content of the stored event `e`. */
export const STORED_CONTENT = contentOf('case when e.timestamp_given then e.timestamp end');

/** SQL: inserts the keys of the stored events in `relation`, in key order: two writers of the same keys wait for each other and never deadlock. */
export function insertKeysOf(relation: string): string {
  return `insert into event_keys (key_hash, content_hash, event_id, timestamp, created_at)
    select e.key_hash, ${STORED_CONTENT}, e.id, e.timestamp, e.created_at
    from ${relation} as e order by e.key_hash`;
}

/** SQL: `insert` into the table events, without `returning`, and the keys of its rows. Fails if a key exists. */
export function insertWithKeys(insert: string): string {
  return `with stored as (${insert} returning *) ${insertKeysOf('stored')}`;
}

/** SQL: the event `e` has this key hash. Its index is events_timestamp: add `e.environment_id = `. */
export function isOfKey(key_hash: string): string {
  return `(e.timestamp, e.id) = (select k.timestamp, k.event_id from event_keys k where k.key_hash = ${key_hash})`;
}
