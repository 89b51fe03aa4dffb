import assert from 'node:assert/strict';
import { BatchObject } from '../../../src/objects/event.ts';
import { responseFault } from '../../../api/schema/validation.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { anEvent, hoursAhead } from '../../support/ledger/events.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('POST /v1/events/batch', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    for (const external_id of ['C1', 'C2']) await api.post('/v1/customers', { external_id });
  });
  after(() => api.close());

  const batch = (events: readonly object[]) => api.post('/v1/events/batch', { events });
  const event = (key: string, changes: object = {}) => anEvent({ idempotency_key: key, ...changes });
  const countStored = async (prefix: string) => {
    const query = 'select count(*)::integer as count from events where idempotency_key like $1';
    return (await api.pool.query(query, [`${prefix}%`])).rows[0].count;
  };

  it('lists the events in the order sent; a resend lists them as duplicates', async () => {
    const keys = Array.from({ length: 20 }, (_, place) => `order ${place}`);
    const { status, body } = await batch(keys.map((key) => event(key)));
    assert.equal(status, 201);
    assert.equal(responseFault(BatchObject, body), null);
    assert.deepEqual([body.object, body.created, body.duplicates], ['event_batch', 20, 0]);
    assert.deepEqual(
      body.events.map((item: { idempotency_key: string }) => item.idempotency_key),
      keys,
    );
    for (const { id, idempotency_key, status: outcome } of body.events) {
      assert.equal(outcome, 'created');
      assert.equal((await api.request(`/v1/events/${id}`)).body.idempotency_key, idempotency_key);
    }
    const again = await batch(keys.map((key) => event(key)));
    assert.equal(again.status, 201);
    assert.deepEqual([again.body.created, again.body.duplicates], [0, 20]);
    const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
    assert.deepEqual(ids(again.body.events), ids(body.events));
  });

  it('stores an equal event once, twice in a batch or first on its own', async () => {
    await api.post('/v1/events', event('mixed 1', { properties: { a: 1, b: { c: 2, d: 3 } } }));
    const cus = (await api.request('/v1/customers/C1')).body.id;
    const { body } = await batch([
      event('mixed 2', { timestamp: '2024-01-01T01:00:00+01:00', properties: { x: 1, y: 0 } }),
      event('mixed 1', { properties: { b: { d: 3, c: 2 }, a: 1 } }),
      event('mixed 3'),
      event('mixed 2', { customer_id: cus, timestamp: '2024-01-01', properties: { y: -0, x: 1 } }),
    ]);
    assert.deepEqual(
      body.events.map((item: { status: string }) => item.status),
      ['created', 'duplicate', 'created', 'duplicate'],
    );
    assert.equal(await countStored('mixed'), 3);
  });

  it('in live mode (fast path), reports the one event that is stored already', async () => {
    await api.post('/v1/customers', { external_id: 'C1' }, { key: api.live_key });
    for (const known of [0, 11, 22, 33, 44, 55, 66, 77, 88, 99]) {
      const keys = Array.from({ length: 100 }, (_, place) => `live ${known} ${place}`);
      const send = (path: string, body: object) => api.post(path, body, { key: api.live_key });
      await send('/v1/events', event(keys[known]!));
      const { status, body } = await send('/v1/events/batch', { events: keys.map((key) => event(key)) });
      assert.equal(status, 201);
      const outcomes = keys.map((_, place) => (place === known ? 'duplicate' : 'created'));
      assert.deepEqual(
        body.events.map((item: { status: string }) => item.status),
        outcomes,
      );
      assert.equal(await countStored(`live ${known} `), 100);
    }
  });

  it('names every bad event of every kind; the first kind gives the status', async () => {
    await api.post('/v1/events', event('all stored'));
    const timestamp = hoursAhead(25);
    const events = [
      event('all 0'),
      event('all stored', { event_name: 'other' }),
      event('all 2', { customer_id: 'nobody' }),
      event('all 3', { timestamp }),
      { idempotency_key: 'all 4', event_name: '' },
      event('all 0', { customer_id: 'C2' }),
      event('all 0'),
      'no event',
      event('all 3', { timestamp }),
    ];
    const said = async (sent: readonly unknown[]) => {
      const { status, body } = await batch(sent as readonly object[]);
      const details: { param: string; reason: string; message: string }[] = body.error.details;
      for (const { param, message } of details) assert.ok(message.startsWith(param), message);
      return [status, body.error.param, details.map(({ param, reason }) => `${param} ${reason}`)];
    };
    assert.deepEqual(await said(events), [
      400,
      'events[3].timestamp',
      [
        'events[3].timestamp in_future',
        'events[4].customer_id missing',
        'events[4].event_name missing',
        'events[7] wrong_type',
        'events[8].timestamp in_future',
        'events[2].customer_id unknown_customer',
        'events[1].idempotency_key idempotency_mismatch',
        'events[5].idempotency_key idempotency_mismatch',
      ],
    ]);
    const well_formed = [0, 1, 2, 5, 6].map((place) => events[place]);
    assert.deepEqual(await said(well_formed), [
      404,
      'events[2].customer_id',
      [
        'events[2].customer_id unknown_customer',
        'events[1].idempotency_key idempotency_mismatch',
        'events[3].idempotency_key idempotency_mismatch',
      ],
    ]);
    assert.deepEqual(await said([0, 1, 6].map((place) => events[place])), [
      409,
      'events[1].idempotency_key',
      ['events[1].idempotency_key idempotency_mismatch'],
    ]);
    assert.equal(await countStored('all'), 1, 'nothing but what was stored before');
    const { body } = await batch([0, 6].map((place) => events[place] as object));
    assert.deepEqual([body.created, body.duplicates], [1, 1]);
  });

  it('names a thousand bad events, each at least once', async () => {
    const { body } = await batch(Array.from({ length: 1000 }, () => ({ foo: 1 })));
    const places = body.error.details.map(({ param }: { param: string }) => param.split('.')[0]);
    assert.deepEqual(
      places,
      Array.from({ length: 1000 }, (_, place) => `events[${place}]`),
    );
  });

  it('accepts a thousand events of 5 MiB together', async () => {
    const properties = { s: 'x'.repeat(5100) };
    const { status, body } = await batch(
      Array.from({ length: 1000 }, (_, place) => event(`large ${place}`, { properties })),
    );
    assert.equal(status, 201, JSON.stringify(body).slice(0, 300));
    assert.equal(await countStored('large'), 1000);
    const too_large = Array.from({ length: 1000 }, (_, place) =>
      event(`larger ${place}`, { properties: { s: 'x'.repeat(5300) } }),
    );
    assertRefused(await batch(too_large), { code: 'invalid_request', param: null, reason: 'too_large' });
  });

  it('charges its events to the rate limit of its key', async () => {
    const limited = await startApi({ settings: { RATE_LIMIT: '5' } });
    await limited.post('/v1/customers', { external_id: 'C1' });
    const events = Array.from({ length: 1000 }, (_, place) => event(`rate ${place}`));
    const sent = await limited.post('/v1/events/batch', { events });
    assert.equal(sent.status, 201, 'a batch is debt, and never refused by its own size');
    const next = await limited.post('/v1/events/batch', { events });
    assertRefused(next, { code: 'rate_limited' });
    assert.ok(Number(next.headers.get('retry-after')) >= 1);
    await limited.close();
  });
});
