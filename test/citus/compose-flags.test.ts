import assert from 'node:assert/strict';
import pg from 'pg';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { provisionDatabase } from '../../src/db/connection/owner.ts';
import { CLUSTER, flagsOf } from '../production/compose.ts';
import { BUILD_LIMIT_MS, findCitus } from '../support/citus/citus-cluster.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { aFolder } from '../support/servers/folder.ts';

/** Values for this build, which has no lz4. */
const OF_BUILD = { wal_compression: 'pglz' };

describe('the servers of docker-compose.cluster.yml', () => {
  let programs: string;
  before(async function () {
    this.timeout(BUILD_LIMIT_MS);
    const found = await findCitus();
    if ('folder' in found) programs = found.folder;
    else {
      console.log(found.lacking);
      this.skip();
    }
  });

  const start = async (settings: Record<string, string>): Promise<Postgres> => {
    const say = () => undefined;
    const server = await startPostgres({
      data_dir: await aFolder(),
      durable: false,
      say,
      programs,
      settings,
    });
    atEnd(server.stop);
    return server;
  };
  const ask = async <Row extends pg.QueryResultRow>(server: Postgres, statement: string): Promise<Row[]> => {
    const client = new pg.Client(server.admin_url);
    await client.connect();
    return (await client.query<Row>(statement).finally(() => client.end())).rows;
  };

  for (const name of ['postgres', 'node-1'])
    it(`${name} starts with its settings, has them, and makes the extension`, async () => {
      const settings = { ...flagsOf(CLUSTER.services[name]!.command), ...OF_BUILD };
      const server = await start(settings);
      await ask(server, 'create extension citus');
      for (const [setting, value] of Object.entries(settings)) {
        const [row] = await ask<Record<string, string>>(server, `show ${setting}`);
        assert.deepEqual(Object.values(row!), [value], setting);
      }
    });

  it('the coordinator lets database-owner run where the extension is there, again and again', async () => {
    const server = await start({ ...flagsOf(CLUSTER.services['postgres']!.command), ...OF_BUILD });
    const inside = {
      ...server,
      admin_url: server.admin_url.replace(/[^/]*$/, new URL(server.url).pathname.slice(1)),
    };
    await ask(inside, 'create extension citus');
    for (let times = 0; times < 2; times++) await provisionDatabase(server.admin_url, server.url);
    const [version] = await ask<{ extversion: string }>(
      inside,
      `select extversion from pg_extension where extname = 'citus'`,
    );
    assert.match(version!.extversion, /^14\./);
  });
});
