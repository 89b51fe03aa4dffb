import { uuidOfEventId } from '../events/event-id.ts';
import { STORED_CONTENT } from '../events/event-keys.ts';
import type { Db } from '../connection/pool.ts';
import {
  byCode,
  bySql,
  codePart,
  missingIndex,
  type Acknowledgement,
  type Fault,
  type UnitFault,
} from './invariant.ts';
import { OF_DAY, ONE_UNIT } from './unit.ts';

/** SQL: the name of an event in a fault. */
const NAME = `format('event %s of customer %s, key %s', id, customer_key, idempotency_key)`;

/** SQL: what identifies the event, as src/db/events/event-id.ts says. */
const KEY_HASH = `encode(
  substring(sha256(
    convert_to(e.environment_id::text, 'UTF8') || '\\x00' || convert_to(e.idempotency_key, 'UTF8')) for 16),
  'hex')::uuid`;

const INSTANTS = `between timestamptz '1970-01-01 00:00+00' and timestamptz '9999-12-31 23:59:59.999+00'`;

const NUMBERS = `not in ('NaN', 'Infinity', '-Infinity')`;

/** Invariants of stored events, and whether all their numbers and instants can be counted. */
export const EVENT_INVARIANTS = [
  {
    ...byCode(
      'I1',
      'Every acknowledged event is stored with the id and the idempotency key of its acknowledgement.',
      [
        codePart('client_log', async (db, _, { acknowledged, limit }) => {
          const faults: UnitFault[] = [];
          for await (const page of acknowledged ?? []) {
            faults.push(
              ...(await lostEvents(db, page)).map((lost) => ({ ...faultOf(lost), unit: ONE_UNIT })),
            );
            if (faults.length >= limit) break;
          }
          return faults.slice(0, limit);
        }),
      ],
    ),
    needs: 'acknowledged' as const,
  },
  bySql(
    'I2',
    'An idempotency key belongs to at most one event of its environment, enforced by a unique index.',
    // With the index, one key has one event if each event has the hash of its key.
    {
      usage_day: [
        {
          tables: `found as materialized (
            select unit.place, e.id, e.environment_id, e.idempotency_key from unit join events e on ${OF_DAY}
            where e.key_hash <> ${KEY_HASH})`,
          faults: `select place,
              format('event %s of environment %s, key %s', id, environment_id, idempotency_key) as "row",
            'does not have the hash of its key, so that the key may belong to another event, too' as what from found`,
        },
      ],
      database: [missingIndex('event_keys', '(key_hash)')],
    },
  ),
  bySql(
    'I44',
    'The key of each event has the place of its event and, where it has a hash, that of its content, no event has a property that was redacted, and an event in the bucket of a month is at most 24 hours ahead of it.',
    {
      usage_day: [
        {
          tables: `found as materialized (
            select unit.place, e.id, e.customer_key, e.idempotency_key, k.key_hash is null as has_no_key,
              (k.event_id, k.timestamp, k.created_at) <> (e.id, e.timestamp, e.created_at) as is_elsewhere,
              k.redacted_hash is not null and k.content_hash is null as has_no_hash
            from unit join events e on ${OF_DAY} left join event_keys k on k.key_hash = e.key_hash
            where (k.event_id, k.timestamp, k.created_at) is distinct from (e.id, e.timestamp, e.created_at)
              or coalesce(k.redacted_hash, k.content_hash) <> ${STORED_CONTENT}
              or k.redacted_hash is not null and k.content_hash is null)`,
          faults: `select place, ${NAME} as "row", case
              when has_no_key then 'has no row among the keys, so that a resend would be billed again'
              when is_elsewhere then 'has a key that is in another place'
              when has_no_hash
              then 'was redacted without the hash of what was sent, so that a resend would be refused'
              else 'has a key with the hash of another content, so that a resend would be refused' end as what
            from found`,
        },
        {
          tables: `found as materialized (
            select unit.place, e.id, e.customer_key, e.idempotency_key, e.timestamp, e.bucket
            from unit join events e on ${OF_DAY}
            where e.bucket > 0
              and e.bucket < to_char((e.timestamp - interval '24 hours') at time zone 'UTC', 'YYYYMM')::integer)`,
          faults: `select place, ${NAME} as "row",
              format('has the timestamp %s in the bucket %s, where no bill reads it', timestamp, bucket) as what
            from found`,
        },
        {
          tables: `redacted as materialized (
            select unit.*, r.properties, r.epoch, r.xid
            from unit join redactions r on r.customer_key = unit.customer_key
            where r.finished_at is not null
          ), found as materialized (
            select unit.place, e.id, e.customer_key, e.idempotency_key, unit.properties
            from redacted as unit join events e on ${OF_DAY}
            where e.properties ?| unit.properties
              and (e.epoch < unit.epoch or (e.epoch = unit.epoch and e.created_xid < unit.xid)))`,
          faults: `select place, ${NAME} as "row",
              format('has a property that was redacted, one of %s', array_to_string(properties, ', ')) as what
            from found`,
        },
      ],
    },
  ),
  bySql('I28', 'Every time of an event is in the years 1970 to 9999, and every amount is a finite number.', {
    usage_day: [
      {
        tables: `found as materialized (
          select unit.place, e.id, e.idempotency_key, e.timestamp, e.created_at from unit join events e on ${OF_DAY}
          where not (e.timestamp ${INSTANTS} and e.created_at ${INSTANTS}))`,
        faults: `select place, format('event %s, key %s', id, idempotency_key) as "row",
            format('has the timestamp %s, stored at %s', timestamp, created_at) as what
          from found`,
      },
    ],
    invoice: [
      `select format('invoice %s', id) as "row", format('subtotal %s, tax %s, total %s, paid %s, credit %s',
         subtotal, tax_amount, total, amount_paid, credits_applied) as what
       from invoices
       where environment_id = unit.environment_id and id = unit.id
         and not (subtotal ${NUMBERS} and tax_rate ${NUMBERS} and tax_amount ${NUMBERS} and total ${NUMBERS}
           and amount_paid ${NUMBERS} and credits_applied ${NUMBERS})`,
      `select format('line item %s', id) as "row",
         format('quantity %s, credit %s, amount %s', quantity, credits_applied, amount) as what
       from line_items
       where environment_id = unit.environment_id and invoice_id = unit.id
         and not (quantity ${NUMBERS} and credits_applied ${NUMBERS} and billable_quantity ${NUMBERS}
           and amount ${NUMBERS})`,
    ],
    grant: [
      `select format('credit grant %s', id) as "row", format('amount %s, remaining %s', amount, remaining) as what
       from credit_grants where environment_id = unit.environment_id and id = unit.id
         and not (amount ${NUMBERS} and remaining ${NUMBERS})`,
      `select format('ledger entry %s of credit grant %s', id, grant_id) as "row", format('amount %s', amount) as what
       from credit_ledger where environment_id = unit.environment_id and grant_id = unit.id
         and not (amount ${NUMBERS})`,
      `select format('credit of line item %s', line_item_id) as "row", format('amount %s', amount) as what
       from credit_draws where environment_id = unit.environment_id and grant_id = unit.id and not (amount ${NUMBERS})`,
    ],
  }),
];

/** `stored_key` is null if nothing is stored under the id. */
type LostEvent = Acknowledgement & { stored_key: string | null };

/**
 * Acknowledged events that are not stored under their id and key. The id derives from the key's hash, so an event with
 * the right id and key is the acknowledged one.
 */
export async function lostEvents(db: Db, page: readonly Acknowledgement[]): Promise<LostEvent[]> {
  const { rows } = await db.query<LostEvent>(
    `with environment as materialized (select id from environments),
     key as materialized (
       select k.key_hash, k.event_id, k.timestamp, k.content_hash from event_keys k where k.key_hash = any($2::uuid[])
     ), stored as materialized (
       select e.key_hash, e.idempotency_key from key k join environment n on true
       join events e on e.environment_id = n.id and e.timestamp = k.timestamp and e.id = k.event_id
       where e.key_hash = k.key_hash
     )
     select acked.id, acked.idempotency_key, e.idempotency_key as stored_key
     from unnest($1::text[], $2::uuid[], $3::text[]) with ordinality as acked(id, key_hash, idempotency_key, place)
     left join key k on k.key_hash = acked.key_hash
     left join stored e on e.key_hash = acked.key_hash
     -- The key of an archived event stays, with its hash; its text is in a file.
     where e.idempotency_key is distinct from acked.idempotency_key and not (
       k.content_hash is not null and e.idempotency_key is null
       and k.timestamp < (select max(archived_to) from customers))
     order by acked.place`,
    [
      page.map(({ id }) => id),
      page.map(({ id }) => uuidOfEventId(id)),
      page.map(({ idempotency_key }) => idempotency_key),
    ],
  );
  return rows;
}

function faultOf({ id, idempotency_key, stored_key }: LostEvent): Fault {
  return {
    row: `event ${id}, key ${idempotency_key}`,
    what:
      stored_key === null
        ? 'was acknowledged but is not stored'
        : `is stored with a different key, ${stored_key}`,
  };
}
