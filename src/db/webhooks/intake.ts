import { newId } from '../../keys/ids.ts';
import type { Db } from '../connection/pool.ts';
import type { Target } from './endpoints.ts';

/** Numbers of the feed that one call reads. */
export const TAKEN_AT_ONCE = 500;

type Taken = { sequence: number; change_id: string; type: string; object_id: string };

/**
 * Makes deliveries of the next changes of an active endpoint, up to `up_to`, and moves its place, in one statement;
 * `status` is theirs. `names` are the whole names of its types; null is all. Returns the new place; null if its place,
 * its types or its state have changed since `endpoint` was read.
 */
export async function takeChanges(
  db: Db,
  environment_id: number,
  request: {
    endpoint: Pick<Target, 'id' | 'taken_up_to' | 'types'>;
    up_to: number;
    names: readonly string[] | null;
    status: 'pending' | 'skipped';
    at: Date;
  },
): Promise<number | null> {
  const { endpoint, up_to, names, status, at } = request;
  const { id, taken_up_to: after, types } = endpoint;
  const { rows } = await db.query<Taken>(
    `select sequence::float8 as sequence, id as change_id, type, object_id from feed
     where environment_id = $1 and sequence > $2 and sequence <= $3 order by sequence limit ${TAKEN_AT_ONCE}`,
    [environment_id, after, up_to],
  );
  const place = rows.length < TAKEN_AT_ONCE ? up_to : rows.at(-1)!.sequence;
  const changes = rows.filter(({ type }) => names === null || names.includes(type));
  const { rowCount } = await db.query(
    `with moved as (
       update webhook_endpoints set taken_up_to = $3
       where environment_id = $1 and id = $2 and taken_up_to = $4 and types is not distinct from $5::text[]
         and status = 'active' and deleted_at is null
       returning id
     ), made as (
       insert into webhook_deliveries (environment_id, endpoint_id, status, created_at, id, sequence, change_id, type,
         object_id)
       select $1, moved.id, $6, $7, d.*
       from moved cross join unnest($8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[]) as d
     )
     select from moved`,
    [
      environment_id,
      id,
      place,
      after,
      types,
      status,
      at,
      changes.map(() => newId('whd')),
      ...(['sequence', 'change_id', 'type', 'object_id'] as const).map((name) =>
        changes.map((change) => change[name]),
      ),
    ],
  );
  return rowCount === 1 ? place : null;
}

/** Moves the place of an endpoint. The caller holds its lock. */
export async function movePlace(
  db: Db,
  environment_id: number,
  { endpoint_id, to }: { endpoint_id: string; to: number },
): Promise<void> {
  await db.query(
    'update webhook_endpoints set taken_up_to = $3 where environment_id = $1 and id = $2 and taken_up_to <> $3',
    [environment_id, endpoint_id, to],
  );
}

/** Counts one more failure in a row, or begins the count anew. */
export async function countFailures(
  db: Db,
  environment_id: number,
  { endpoint_id, has_failed }: { endpoint_id: string; has_failed: boolean },
): Promise<void> {
  await db.query(
    `update webhook_endpoints set failures = case when $3 then failures + 1 else 0 end
     where environment_id = $1 and id = $2 and ($3 or failures > 0)`,
    [environment_id, endpoint_id, has_failed],
  );
}
