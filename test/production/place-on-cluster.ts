import { join } from 'node:path';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { startPostgres } from '../../dev/postgres.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { prepare, type Place } from './deployment.ts';
import type { Drill } from './drill.ts';
import { startTemporalCluster, type TemporalCluster } from './temporal-cluster.ts';

export type PlaceOnCluster = { live_key: string; place: Place; pool: Pool; temporal: TemporalCluster };

/** A place for APIs and workers: PostgreSQL with an account, and a Temporal cluster on it. All of it ends with the drill. */
export async function placeOnCluster(folder: string, { say }: Drill): Promise<PlaceOnCluster> {
  const postgres = await startPostgres({ data_dir: join(folder, 'postgres'), durable: true, say });
  atEnd(postgres.stop);
  const live_key = await prepare(postgres.url);
  const temporal = await startTemporalCluster({ folder, admin_url: postgres.admin_url }, say);
  const place = { folder, database_url: postgres.url, temporal_address: temporal.address };
  const pool = createPool(postgres.url, 2);
  atEnd(() => pool.end());
  return { live_key, place, pool, temporal };
}
