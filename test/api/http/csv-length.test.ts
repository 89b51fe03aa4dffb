import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { csvRoute } from '../../../api/csv/csv-route.ts';
import { createApiServer, type ApiServer } from '../../../api/server.ts';
import { exactly } from '../../../src/objects/parts.ts';
import { send, startApi, type TestApi } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const GRANTS = 1000;
const FILES_MAX = 10;
const PAGE = Array.from({ length: 200 }, () => ({ text: 'x'.repeat(1000) }));

/** contract.md 1. */
describe('a long CSV file', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ processes: 1 });
  });
  after(() => api.close());

  it('has every row once, in the order of the list', async () => {
    await api.post('/v1/customers', { external_id: 'acme' });
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
    const { rows } = await csvFrom(`${api.url}/v1/credit-ledger.csv`, api.test_key);
    assert.deepEqual(
      rows.map(({ credit_grant_id }) => credit_grant_id),
      Array.from({ length: GRANTS }, (_, n) => `cg_${`${GRANTS - n}`.padStart(6, '0')}`),
    );
  });

  describe('of a list that has no end, or fails', () => {
    let server: ApiServer;
    let port: number;
    let pages_read = 0;
    const fileOf = (path: string, pages: () => AsyncGenerator<object[]>) =>
      csvRoute({
        ...{ path, operation_id: 'exportTexts', tag: 'Test', summary: 'Texts' },
        ...{ query: exactly({}), row: exactly({ text: Type.String() }), pages },
      });
    before(async () => {
      const endless = fileOf('/v1/endless.csv', async function* () {
        for (;;) {
          pages_read++;
          yield await Promise.resolve(PAGE);
        }
      });
      const failing = fileOf('/v1/failing.csv', async function* () {
        yield await Promise.resolve(PAGE);
        throw new Error('the second page cannot be read');
      });
      server = createApiServer(api, [endless, failing]);
      port = await server.listen(0, '127.0.0.1');
    });
    after(() => server.close());

    /** Asks for the endless file, and reads nothing of it. */
    function ask(): Socket {
      const socket = connect(port, '127.0.0.1');
      socket.pause().on('error', () => undefined);
      socket.write(
        `GET /v1/endless.csv HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.test_key}\r\n\r\n`,
      );
      return socket;
    }
    const head = () => send(`http://127.0.0.1:${port}/v1/endless.csv`, { method: 'HEAD', key: api.test_key });

    it('is read only as far as its client reads, and no further once the client is gone', async () => {
      const socket = ask();
      const stands = async () => {
        const before = pages_read;
        await new Promise((resolve) => setTimeout(resolve, 500));
        return before > 0 && pages_read === before;
      };
      await eventually(stands, Boolean, 20_000);
      socket.destroy();
      await eventually(stands, Boolean, 20_000);
    });

    it('is one of ten at once, and leaves its place when its client is gone', async () => {
      const sockets = Array.from({ length: FILES_MAX }, ask);
      await eventually(head, ({ status }) => status === 429, 20_000);
      const url = `http://127.0.0.1:${port}/v1/endless.csv`;
      assertRefused(await send(url, { key: api.test_key }), { code: 'rate_limited' });
      for (const socket of sockets) socket.destroy();
      await eventually(head, ({ status }) => status === 200, 20_000);
    });

    it('is cut off, and not ended, where it cannot be read further', async () => {
      const url = `http://127.0.0.1:${port}/v1/failing.csv`;
      for (let n = 0; n <= FILES_MAX; n++) {
        const response = await fetch(url, { headers: { Authorization: `Bearer ${api.test_key}` } });
        assert.equal(response.status, 200);
        await assert.rejects(response.text(), TypeError);
      }
    });
  });
});
