import assert from 'node:assert/strict';
import { startApi, type Received, type TestApi } from '../../support/servers/api.ts';
import { anEvent } from '../../support/ledger/events.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const ROUNDS = 4;

/** Two API processes on one database. */
describe('concurrent senders', () => {
  let apis: [TestApi, TestApi];
  before(async () => {
    const api = await startApi();
    for (const key of [api.test_key, api.live_key])
      await api.post('/v1/customers', { external_id: 'C1' }, { key });
    const { database_url } = api.deps.config;
    apis = [api, await startApi({ database_url: database_url! })];
  });
  after(() => Promise.all(apis.map((api) => api.close())));

  const post = (path: string, body: object, sender = 0) =>
    apis[sender % 2]!.post(path, body, { key: apis[0].test_key });
  const event = (key: string, changes: object = {}) => anEvent({ idempotency_key: key, ...changes });
  const statuses = (answers: readonly Received[]) => answers.map(({ status }) => status);

  it('M3: of two bodies with one key, exactly one is stored', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, sender) => {
          // Each of the two bodies goes to both processes, alone and in a batch.
          const body = event(`race ${round}`, { event_name: sender % 2 === 0 ? 'X' : 'Y' });
          const process = sender >> 1;
          if ((sender >> 2) % 4 < 3) return post('/v1/events', body, process);
          return post('/v1/events/batch', { events: [event(`race ${round} ${sender}`), body] }, process);
        }),
      );
      const won = answers.filter(({ status }) => status < 300);
      const lost = answers.filter(({ status }) => status >= 300);
      assert.equal(won.length, 32);
      for (const answer of lost) assertRefused(answer, { code: 'conflict', reason: 'idempotency_mismatch' });
      const ids = won.map(({ body }) => (body.object === 'event' ? body.id : body.events[1].id));
      assert.equal(new Set(ids).size, 1);
      const created = won.filter(({ status, body }) =>
        body.object === 'event' ? status === 201 : body.created === 2,
      );
      assert.equal(created.length, 1, 'one of them stored it');
    }
    const { rows } = await apis[0].pool.query(
      `select count(*)::integer as count from events where idempotency_key like 'race %'`,
    );
    // Per round: the contested key, and the other event of each of the 8 batches with the winning body.
    assert.equal(rows[0].count, ROUNDS * (1 + 8));
  });

  for (const mode of ['test', 'live'] as const)
    it(`batches that share keys in opposite orders never deadlock, in ${mode} mode`, async () => {
      const key_of_mode = apis[0][`${mode}_key`];
      const send = (path: string, body: object, sender: number) =>
        apis[sender % 2]!.post(path, body, { key: key_of_mode });
      const keys = Array.from({ length: 300 }, (_, place) => `shared ${mode} ${place}`);
      const sent = Array.from({ length: 24 }, (_, sender) => {
        const mine = sender % 2 === 0 ? keys : keys.toReversed();
        return send(
          '/v1/events/batch',
          { events: mine.slice(sender * 3, 200 + sender * 3).map((key) => event(key)) },
          sender >> 1,
        );
      });
      const singles = keys.slice(0, 100).map((key, place) => send('/v1/events', event(key), place));
      const answers = await Promise.all([...sent, ...singles]);
      assert.deepEqual(
        [...new Set(statuses(answers))].filter((status) => status > 201),
        [],
      );
      const created = answers.reduce(
        (sum, { status, body }) => sum + (body.created ?? (status === 201 ? 1 : 0)),
        0,
      );
      const { rows } = await apis[0].pool.query(
        `select count(*)::integer as count from events where idempotency_key like $1`,
        [`shared ${mode} %`],
      );
      assert.equal(rows[0].count, created);
    });

  it('a failed batch stores nothing, and does not affect a concurrent batch', async () => {
    await post('/v1/events', event('taken', { event_name: 'original' }));
    const companions = Array.from({ length: 50 }, (_, place) => event(`companion ${place}`));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, sender) => {
        const spoiled = sender % 2 === 0 ? [event('taken')] : [];
        return post('/v1/events/batch', { events: [...companions, ...spoiled] }, sender);
      }),
    );
    const expected = answers.map((_, sender) => (sender % 2 === 0 ? 409 : 201));
    assert.deepEqual(statuses(answers), expected);
    const created = answers.reduce((sum, { body }) => sum + (body.created ?? 0), 0);
    assert.equal(created, 50);
  });

  it('an acknowledged event is a duplicate in the other process, alone and in a batch', async () => {
    const { body } = await post('/v1/events', event('elsewhere'), 0);
    const single = await post('/v1/events', event('elsewhere'), 1);
    assert.deepEqual([single.status, single.body], [200, body]);
    const batch = await post('/v1/events/batch', { events: [event('elsewhere')] }, 1);
    assert.deepEqual(batch.body.events, [{ id: body.id, idempotency_key: 'elsewhere', status: 'duplicate' }]);
  });
});
