import { DOWN_AFTER_FAILURES } from '../../domain/feed/webhook.ts';
import type { Db } from '../connection/pool.ts';
import { IS_OPEN, TARGET, type EndpointKey, type Target } from './endpoints.ts';

/** A delivery that is due. */
export type DueDelivery = {
  id: string;
  object_id: string;
  /** The number of the change that it sends. */
  sequence: number;
  /** Failed tries since the endpoint was last resumed. */
  failures: number;
};

/** Where an endpoint sends, and what there is to do for it. */
export type Work = Target & {
  is_asleep: boolean;
  /** Whether nothing has reached it for a while: it is tried with its oldest delivery alone. */
  is_down: boolean;
  /** The newest number of the feed, 0 before the first. */
  newest_sequence: number;
  /** Deliveries that are due: of each object the oldest open one, in the order of the feed. */
  due: DueDelivery[];
  /** When the next delivery is due, those of `due` included; null if none is open. */
  next_due_at: string | null;
};

/**
 * The work of an endpoint; null if it does not exist or is deleted. At most `limit` deliveries, none of objects that
 * are `busy`. One statement, which the loop that sends repeats after each try: what it says is true of one instant.
 */
export async function readWork(
  db: Db,
  { environment_id, endpoint_id }: EndpointKey,
  { at, busy, limit }: { at: Date; busy: readonly string[]; limit: number },
): Promise<Work | null> {
  const { rows } = await db.query<Work>(
    `with endpoint as (
       select *, failures >= ${DOWN_AFTER_FAILURES} as is_down from webhook_endpoints
       where environment_id = $1 and id = $2 and deleted_at is null
     ), oldest as (
       select * from (
         select distinct on (d.object_id) d.id, d.object_id, d.sequence, d.failures, d.created_at, d.next_attempt_at
         from webhook_deliveries d
         where d.environment_id = $1 and d.endpoint_id = $2 and ${IS_OPEN}
         order by d.object_id, d.sequence) as of_objects
       order by sequence limit case when (select is_down from endpoint) then 1 end
     ), due as (
       select id, object_id, sequence, failures from oldest
       where coalesce(next_attempt_at, $3) <= $3 and object_id <> all($4) order by sequence limit $5
     )
     select ${TARGET}, e.is_asleep, e.is_down,
       coalesce((select last_sequence from feeds where environment_id = $1), 0)::float8 as newest_sequence,
       coalesce((select json_agg(due order by sequence) from due), '[]') as due,
       (select min(coalesce(next_attempt_at, created_at)) from oldest) as next_due_at
     from endpoint e`,
    [environment_id, endpoint_id, at, busy, limit],
  );
  return rows[0] ?? null;
}
