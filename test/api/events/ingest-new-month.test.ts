import assert from 'node:assert/strict';
import { makePartitions } from '../../../src/db/events/partitions.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { anEvent } from '../../support/ledger/events.ts';
import { eventually } from '../../support/servers/eventually.ts';

const COUNT = 1000;

describe('ingest in a month whose partition was empty when its statements were planned', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    await api.post('/v1/customers', { external_id: 'C1' }, { key: api.live_key });
    await makePartitions(api.pool);
    await api.pool.query('analyze events');
  });
  after(() => api.close());

  it('reads the events of resends by index', async () => {
    const send = async (name: string, count: number) => {
      const events = Array.from({ length: count }, (_, n) => anEvent({ idempotency_key: `${name} ${n}` }));
      const { status, body } = await api.post('/v1/events/batch', { events }, { key: api.live_key });
      assert.equal(status, 201);
      return body.duplicates as number;
    };
    // The plan of a statement is kept from its sixth run on.
    for (let time = 0; time < 10; time++) await send('early', 1);
    for (const name of ['one', 'two', 'three']) assert.equal(await send(name, COUNT), 0);
    assert.equal(await send('two', COUNT), COUNT);
    const reads = await eventually(
      async () => {
        await send('early', 1);
        const { rows } = await api.pool.query<{ whole: number; by_index: number }>(
          `select seq_tup_read::float8 as whole, idx_tup_fetch::float8 as by_index from pg_stat_user_tables
           where relname = 'events_' || event_bucket()`,
        );
        return rows[0]!;
      },
      ({ by_index }) => by_index >= COUNT,
    );
    assert.ok(reads.whole < COUNT, `${reads.whole} rows were read beside the index`);
  });
});
