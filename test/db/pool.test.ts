import assert from 'node:assert/strict';
import { createPool, onConnection } from '../../src/db/connection/pool.ts';
import { createDatabase } from '../support/servers/cluster.ts';

const TWICE = 'select $1::integer * 2 as twice';

describe('a pool', () => {
  let url: string;
  before(async () => void (url = await createDatabase()));

  for (const is_prepared of [true, false]) {
    it(`${is_prepared ? 'prepares' : 'does not prepare'} its statements`, async () => {
      const pool = createPool(url, 1, { is_prepared });
      for (const number of [1, 2]) {
        const { rows } = await pool.query(TWICE, [number]);
        assert.deepEqual(rows, [{ twice: number * 2 }]);
      }
      const { rows } = await pool.query('select statement from pg_prepared_statements');
      assert.deepEqual(rows, is_prepared ? [{ statement: TWICE }] : []);
      await pool.end();
    });
  }

  it('keeps a connection after an error of the server, and closes it after any other error', async () => {
    const pool = createPool(url, 1);
    const pidAfter = async (fault: () => Promise<unknown>) => {
      await assert.rejects(fault);
      const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
      return rows[0]!.pid;
    };
    const refused = () => onConnection(pool, (db) => db.query('select 1 / 0'));
    const pid = await pidAfter(refused);
    assert.equal(await pidAfter(refused), pid);
    const failed = () => onConnection(pool, () => Promise.reject(new Error('something else')));
    assert.notEqual(await pidAfter(failed), pid);
    await pool.end();
  });
});
