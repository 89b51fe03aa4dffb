import assert from 'node:assert/strict';
import { createPool } from '../../src/db/connection/pool.ts';
import { Refusal } from '../../src/settings/refusal.ts';
import { createDatabase } from '../support/servers/cluster.ts';

describe('a new connection', function () {
  let url: string;
  before(async () => void (url = await createDatabase()));

  const SETTINGS: [name: string, value: string, shown: string, wanted: string][] = [
    ['TimeZone', 'Europe/Berlin', 'Europe/Berlin', 'UTC'],
    ['statement_timeout', '90s', '90000', '60000'],
    ['lock_timeout', '0', '0', '30000'],
    ['idle_in_transaction_session_timeout', '1d', '86400000', '30000'],
    ['synchronous_commit', 'off', 'off', 'on'],
    ['enable_seqscan', 'off', 'off', 'on'],
  ];
  for (const [name, value, shown, wanted] of SETTINGS)
    it(`with another ${name} is refused`, async () => {
      // Options of the URL replace ours.
      const others = SETTINGS.filter((setting) => setting[0] !== name).map(
        (setting) => `-c ${setting[0]}=${setting[3]}`,
      );
      const options = [...others, `-c ${name}=${value}`].join(' ');
      const pool = createPool(`${url}?options=${encodeURIComponent(options)}`, 1);
      await assert.rejects(pool.query('select 1'), (error: Error) => {
        assert.ok(error instanceof Refusal);
        assert.ok(
          error.message.startsWith(
            `the session of PostgreSQL has ${name} = ${shown} in place of ${wanted}: `,
          ),
        );
        return true;
      });
      await pool.end();
    });

  it('is checked once, before its first use', async () => {
    const pool = createPool(url, 1);
    const sent: unknown[] = [];
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        sent.push(args[0]);
        return query(...args);
      }) as typeof client.query;
    });
    for (const statement of ['select 1', 'select 2']) await pool.query(statement);
    assert.equal(sent.length, 3);
    await pool.end();
  });

  it('whose named statement is gone belongs to a pooler in transaction mode', async () => {
    const refusals: Refusal[] = [];
    const pool = createPool(url, 1, { is_prepared: true, onRefusal: (refusal) => refusals.push(refusal) });
    const statement: [text: string, values: number[]] = ['select $1::integer', [1]];
    const forgotten = async () => {
      const client = await pool.connect();
      await client.query(...statement);
      await client.query('deallocate all');
      return client;
    };
    (await forgotten()).release();
    await assert.rejects(pool.query(...statement), /pool_mode = session or a direct connection/);
    const client = await forgotten();
    await assert.rejects(client.query(...statement), Refusal);
    client.release();
    assert.equal(refusals.length, 2);
    await pool.end();
  });
});
