import assert from 'node:assert/strict';
import pg from 'pg';
import { createPool } from '../../src/db/connection/pool.ts';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aFolder } from '../support/servers/folder.ts';

const NOBODY = '127.0.0.1:4';
/** Each cluster makes a password of its own. */
const ROLE = 'on_both:secret';

async function start(): Promise<Postgres> {
  const postgres = await startPostgres({ data_dir: await aFolder(), durable: false, say: () => undefined });
  atEnd(postgres.stop);
  await administer(postgres, `create role on_both login password 'secret'`);
  return postgres;
}

async function administer({ admin_url }: Postgres, statement: string): Promise<void> {
  const client = new pg.Client(admin_url);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Changes the role as a failover does: no session stays, and the other server takes the writes. */
async function setWritable(postgres: Postgres, takes_writes: boolean): Promise<void> {
  await administer(
    postgres,
    `alter role on_both set default_transaction_read_only = ${takes_writes ? 'off' : 'on'}`,
  );
  await administer(
    postgres,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'on_both'`,
  );
}

const hostOf = ({ url }: Postgres) => new URL(url).host;
const databaseOf = ({ url }: Postgres) => new URL(url).pathname;

describe('a database URL with several hosts', function () {
  this.timeout(180_000);
  let servers: [Postgres, Postgres];
  before(async () => void (servers = [await start(), await start()]));

  const addressOf = (...hosts: string[]) => `postgres://${ROLE}@${hosts.join(',')}${databaseOf(servers[0])}`;
  /** The port of the server that answers. */
  const answering = async (pool: pg.Pool): Promise<string> => {
    const { rows } = await pool.query<{ port: string }>('select inet_server_port()::text as port');
    return rows[0]!.port;
  };
  const portOf = (postgres: Postgres) => new URL(postgres.url).port;

  it('leads to the first server that takes writes, and after a failover to the other one', async () => {
    const [one, two] = servers;
    await setWritable(one, false);
    const pool = createPool(addressOf(NOBODY, hostOf(one), hostOf(two)), 2);
    assert.equal(await answering(pool), portOf(two));
    await setWritable(one, true);
    await setWritable(two, false);
    // A connection that was lost a moment ago may still be taken from the pool.
    await eventually(
      () => answering(pool).catch(() => null),
      (port) => port === portOf(one),
    );
    const client = await pool.connect();
    await client.query('select 1');
    client.release();
    await pool.end();
  });

  it('fails with the last reason if no server takes writes', async () => {
    for (const server of servers) await setWritable(server, false);
    const pool = createPool(addressOf(hostOf(servers[0]), hostOf(servers[1])), 1);
    await assert.rejects(pool.query('select 1'), {
      message: 'this PostgreSQL server takes no writes',
      code: '25006',
    });
    await setWritable(servers[1], true);
    assert.equal(await answering(pool), portOf(servers[1]));
    await pool.end();
  });

  it('of one host that must take writes is refused by a server that does not', async () => {
    await setWritable(servers[0], false);
    const pool = createPool(`${addressOf(hostOf(servers[0]))}?target_session_attrs=read-write`, 1);
    await assert.rejects(pool.query('select 1'), { code: '25006' });
    await pool.end();
  });

  it('does not pass over a host because its pool is full', async () => {
    for (const server of servers) await setWritable(server, true);
    const pool = createPool(addressOf(hostOf(servers[0]), hostOf(servers[1])), 1);
    const port = await answering(pool);
    const held = await pool.connect();
    await assert.rejects(pool.query('select 1'), /timeout exceeded/);
    held.release(true);
    assert.equal(await answering(pool), port);
    await pool.end();
  });
});
