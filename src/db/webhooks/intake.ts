import { newId } from '../../keys/ids.ts';
import type { Db } from '../connection/pool.ts';

/** Numbers of the feed that one call reads. */
export const TAKEN_AT_ONCE = 500;

type Taken = { sequence: number; change_id: string; type: string; object_id: string };

/**
 * Makes deliveries of the next changes of an endpoint, up to `up_to`, and moves its place; `status` is theirs. The caller holds the lock of the
 * endpoint. `types` are whole names; null is all. Returns the new place.
 */
export async function takeChanges(
  db: Db,
  environment_id: number,
  asked: {
    endpoint_id: string;
    after: number;
    up_to: number;
    types: readonly string[] | null;
    status: 'pending' | 'skipped';
    at: Date;
  },
): Promise<number> {
  const { endpoint_id, after, up_to, types, status, at } = asked;
  const { rows } = await db.query<Taken>(
    `select sequence::float8 as sequence, id as change_id, type, object_id from feed
     where environment_id = $1 and sequence > $2 and sequence <= $3 order by sequence limit ${TAKEN_AT_ONCE}`,
    [environment_id, after, up_to],
  );
  const taken = rows.filter(({ type }) => types === null || types.includes(type));
  if (taken.length > 0)
    await db.query(
      `insert into webhook_deliveries (environment_id, endpoint_id, status, created_at, id, sequence, change_id, type,
         object_id)
       select $1, $2, $3, $4, d.* from unnest($5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[]) as d`,
      [
        ...[environment_id, endpoint_id, status, at, taken.map(() => newId('whd'))],
        ...(['sequence', 'change_id', 'type', 'object_id'] as const).map((name) =>
          taken.map((one) => one[name]),
        ),
      ],
    );
  const place = rows.length < TAKEN_AT_ONCE ? up_to : rows.at(-1)!.sequence;
  await movePlace(db, environment_id, { endpoint_id, to: place });
  return place;
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
