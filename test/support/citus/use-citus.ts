import type { Postgres } from '../../../dev/postgres.ts';
import { prepareDatabase } from '../../../src/db/connection/prepare.ts';
import { makePartitions } from '../../../src/db/events/partitions.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { BUILD_LIMIT_MS, CITUS_SETTINGS, findCitus, startCitusServer } from './citus-cluster.ts';

export type CitusServers = {
  /** The first has the migrated database of the product; none is a node. */
  servers: Postgres[];
  /** The folder of the programs. */
  programs: string;
};

/** The folder of PostgreSQL with Citus, once a suite begins, whose tests are skipped with a sentence where it is not built. */
export function useCitus(): () => string {
  let programs: string | null = null;
  before(async function () {
    this.timeout(BUILD_LIMIT_MS);
    const found = await findCitus();
    if ('lacking' in found) {
      console.log(found.lacking);
      return this.skip();
    }
    programs = found.folder;
  });
  return () => programs!;
}

/** Starts servers with Citus before the tests of a suite (useCitus). */
export function useCitusServers(count: number): () => CitusServers {
  const citus = useCitus();
  let started: CitusServers | null = null;
  before(async () => {
    const programs = citus();
    const servers = await Promise.all(
      Array.from({ length: count }, () => startCitusServer(programs, CITUS_SETTINGS)),
    );
    await prepareDatabase(servers[0]!.url);
    const pool = createPool(servers[0]!.url, 1);
    await makePartitions(pool).finally(() => pool.end());
    started = { servers, programs };
  });
  return () => started!;
}
