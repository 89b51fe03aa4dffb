/**
 * SQL: the hash of the content of the event `e`, which a resend must equal (contract.md 2). `timestamp` is SQL of the
 * timestamp that was sent, null for none.
 */
export function contentOf(timestamp: string): string {
  return `event_content(e.customer_key, e.idempotency_key, e.event_name, ${timestamp}, e.properties)`;
}

/** SQL: the hash of the content of the stored event `e`. */
export const STORED_CONTENT = contentOf('case when e.timestamp_given then e.timestamp end');

/**
 * SQL: the event `e` that was sent equals the stored one of its key `stored`, by the hash of that one if it was made,
 * and else by its content, which is then stored as it was sent (decision 56). One statement sees one of both, because
 * the hash is written in the transaction that changes the event, or before one that removes it.
 */
export const EQUALS_STORED = `case when stored.content_hash is not null
    then stored.content_hash = ${contentOf('e.timestamp')}
    else (stored.customer_key, stored.idempotency_key, stored.event_name, stored.properties)
        = (e.customer_key, e.idempotency_key, e.event_name, e.properties)
      and stored.given is not distinct from e.timestamp
    end`;

/**
 * SQL: inserts the keys of the stored events in `relation`, in key order: two writers of the same keys wait for each
 * other and never deadlock.
 */
export function insertKeysOf(relation: string): string {
  return `insert into event_keys (key_hash, event_id, timestamp, created_at)
    select e.key_hash, e.id, e.timestamp, e.created_at
    from ${relation} as e order by e.key_hash`;
}

/** SQL: `insert` into the table events, without `returning`, and the keys of its rows. Fails if a key exists. */
export function insertWithKeys(insert: string): string {
  return `with stored as (${insert} returning *) ${insertKeysOf('stored')}`;
}

/**
 * SQL: the event `e` has this key hash. Its index is events_timestamp: add `e.environment_id = `. The hash itself leads
 * a cluster to the one node that has the event.
 */
export function isOfKey(key_hash: string): string {
  return `e.key_hash = ${key_hash}
    and (e.timestamp, e.id) = (select k.timestamp, k.event_id from event_keys k where k.key_hash = ${key_hash})`;
}
