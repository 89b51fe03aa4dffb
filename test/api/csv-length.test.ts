import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { startApi, type TestApi } from '../support/api.ts';
import { csvFrom } from '../support/csv.ts';
import { assertRefused } from '../support/refused.ts';
import { eventually } from '../support/eventually.ts';

const GRANTS = 40_000;
const FILES_MAX = 10;
const PATH = '/v1/credit-ledger.csv';

/** contract.md 1. */
describe('a long CSV file', function () {
  this.timeout(60_000);
  let api: TestApi;
  before(async () => {
    api = await startApi({ processes: 1 });
    await api.post('/v1/customers', { external_id: 'x'.repeat(255) });
    // More than the buffers of a connection hold.
    await api.pool.query(
      `insert into credit_grants (environment_id, id, customer_id, amount, remaining, rollover, created_at)
       select environment_id, 'cg_' || lpad(n::text, 6, '0'), id, 1, 1, true, created_at
       from customers cross join generate_series(1, $1) as n`,
      [GRANTS],
    );
    await api.pool.query(
      `insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
       select environment_id, id, 'granted', 1, created_at from credit_grants`,
    );
    await api.pool.query('analyze');
  });
  after(() => api.close());

  /** Asks for the file, and reads nothing of it. */
  function ask(): Socket {
    const socket = connect(api.port, '127.0.0.1');
    socket.pause().on('error', () => undefined);
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.test_key}\r\n\r\n`);
    return socket;
  }

  it('has every row once, in the order of the list', async () => {
    const { rows } = await csvFrom(api.url + PATH, api.test_key);
    const ids = Array.from({ length: GRANTS }, (_, n) => `cg_${`${GRANTS - n}`.padStart(6, '0')}`);
    assert.deepEqual(
      rows.map(({ credit_grant_id }) => credit_grant_id),
      ids,
    );
  });

  it('is read only as far as its client reads, on no connection of the pool', async () => {
    const sockets = Array.from({ length: FILES_MAX }, ask);
    const status = async () => (await api.request(PATH, { method: 'HEAD' })).status;
    await eventually(status, (refused) => refused === 429);
    // All of them have stopped, since nobody reads them, and none holds what others wait for.
    await eventually(
      () => Promise.resolve(api.pool.totalCount - api.pool.idleCount),
      (busy) => busy === 0,
    );
    assertRefused(await api.request(PATH), { code: 'rate_limited' });
    assert.equal((await api.request('/v1/customers')).status, 200);
    for (const socket of sockets) socket.destroy();
    await eventually(status, (served) => served === 200);
  });

  it('is cut off, and not ended, where it cannot be read to its end', async () => {
    const response = await fetch(api.url + PATH, { headers: { Authorization: `Bearer ${api.test_key}` } });
    const reader = response.body!.getReader();
    await reader.read();
    await api.pool.query('alter table credit_ledger rename to gone');
    const readAll = async () => {
      while (!(await reader.read()).done);
    };
    await assert.rejects(readAll(), TypeError);
    await api.pool.query('alter table gone rename to credit_ledger');
  });
});
