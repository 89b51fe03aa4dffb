import { uuidOfHash } from './event-id.ts';
import type { NewEvent } from './events.ts';
import type { Db } from '../connection/pool.ts';

/** The events by the node that has their keys: each part can be stored while the nodes of the others are away. */
export async function byNode(db: Db, events: readonly NewEvent[]): Promise<NewEvent[][]> {
  const { rows } = await db.query<{ places: number[] }>(
    `select array_agg(place::integer order by place) as places
     from unnest($1::uuid[]) with ordinality as k (key_hash, place)
       join pg_catalog.pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('event_keys', k.key_hash)
     group by p.groupid`,
    [events.map(({ key_hash }) => uuidOfHash(key_hash))],
  );
  return rows.map(({ places }) => places.map((place) => events[place - 1]!));
}
