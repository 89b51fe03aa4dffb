import assert from 'node:assert/strict';
import pg from 'pg';
import { copyIn } from '../../src/db/events/copy-in.ts';
import { createDatabase } from '../support/servers/cluster.ts';

const TEXT = 'copy numbers from stdin';
/** Long enough for every other query of this test on a busy machine. */
const QUERY_TIMEOUT_MS = 2000;

describe('COPY from memory', () => {
  let pool: pg.Pool;
  let client: pg.PoolClient;
  before(async () => {
    pool = new pg.Pool({ connectionString: await createDatabase(), query_timeout: QUERY_TIMEOUT_MS });
    await pool.query('create table numbers (number integer primary key)');
    client = await pool.connect();
  });
  after(async () => {
    client.release();
    await pool.end();
  });

  const stored = async () =>
    (await pool.query<{ number: number }>('select number from numbers order by 1')).rows.map(
      ({ number }) => number,
    );

  it('stores all rows, as part of the transaction', async () => {
    await client.query('begin');
    await copyIn(client, TEXT, Buffer.from('1\n2\n'));
    assert.deepEqual(await stored(), []);
    await client.query('commit');
    assert.deepEqual(await stored(), [1, 2]);
  });

  it('rejects with the error of the server, before and after it reads the rows', async () => {
    for (const [text, code] of [
      ['copy nothing from stdin', '42P01'],
      [TEXT, '23505'],
    ] as const) {
      await client.query('begin');
      await assert.rejects(copyIn(client, text, Buffer.from('3\n2\n')), { code });
      await client.query('rollback');
    }
    assert.deepEqual(await stored(), [1, 2]);
  });

  it('times out, and tolerates a response that comes later', async () => {
    const other = await pool.connect();
    await other.query('begin');
    await other.query('lock table numbers in access exclusive mode');
    await client.query('begin');
    await assert.rejects(copyIn(client, TEXT, Buffer.from('4\n')), /timeout/);
    const taken_back = client.query('rollback');
    await other.query('commit');
    other.release();
    await taken_back;
    assert.deepEqual(await stored(), [1, 2]);
  });
});
