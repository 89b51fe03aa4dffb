import assert from 'node:assert/strict';
import { EventObject } from '../../../src/objects/event.ts';
import { responseFault } from '../../../api/schema/validation.ts';
import { startApi, type Received, type TestApi } from '../../support/servers/api.ts';
import { anEvent, hoursAhead, members, nested } from '../../support/ledger/events.ts';
import { PROCESSES } from '../../support/servers/processes.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('POST /v1/events', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    for (const key of [api.test_key, api.live_key, api.other_key])
      await api.post('/v1/customers', { external_id: 'C1' }, { key });
    await api.post('/v1/customers', { external_id: `C'";--` });
  });
  after(() => api.close());

  const post = (changes: object, key?: string) =>
    api.post('/v1/events', anEvent(changes), key === undefined ? {} : { key });
  const count = async (condition = 'true') =>
    (await api.pool.query(`select count(*)::integer as count from events where ${condition}`)).rows[0].count;

  it('responds with the event, and Location leads to it', async () => {
    const { status, headers, body } = await post({
      idempotency_key: 'first',
      properties: { b: [1], a: 'x' },
    });
    assert.equal(status, 201);
    assert.equal(responseFault(EventObject, body), null);
    const { id, created_at, ...fields } = body;
    assert.match(id, /^evt_[0-7][0-9a-z]{25}$/);
    assert.deepEqual(fields, {
      object: 'event',
      livemode: false,
      event_name: 'api_call',
      customer_id: 'C1',
      idempotency_key: 'first',
      timestamp: created_at,
      properties: { b: [1], a: 'x' },
    });
    const { billing, ...stored } = (await api.request(headers.get('location')!)).body;
    assert.deepEqual(stored, body);
    assert.equal(billing.length, 1);
  });

  it('responds to every equal resend with the stored event', async () => {
    const cus = (await api.request('/v1/customers/C1')).body.id;
    const sent = {
      idempotency_key: 'again',
      timestamp: '2024-01-01T00:00:00+05:30',
      properties: { n: 1, a: { b: 2, c: 3 } },
    };
    const { body: original } = await post(sent);
    const resends = [
      sent,
      { ...sent, customer_id: cus },
      { ...sent, timestamp: '2023-12-31T18:30Z' },
      { ...sent, timestamp: '2023-12-31T18:30:00.0009' },
      { ...sent, timestamp: '2023-12-31T18:30:00.000999999Z' },
      { ...sent, properties: { a: { c: 3, b: 2 }, n: 1 } },
    ];
    for (const resend of resends) assertReplay(await post(resend), original);
    const spelled = JSON.stringify(anEvent(sent)).replace('"n":1', '"n":1.0').replace('"b":2', '"b":2e0');
    assertReplay(await api.post('/v1/events', spelled), original);
    assert.equal(await count(`idempotency_key = 'again'`), 1);
  });

  it('takes a resend without timestamp as equal to an original without one, whatever the time', async () => {
    const { body: original } = await post({ idempotency_key: 'no time' });
    assertReplay(await post({ idempotency_key: 'no time', timestamp: null, properties: null }), original);
    const { timestamp } = original;
    assertRefused(await post({ idempotency_key: 'no time', timestamp }), { code: 'conflict' });
  });

  const CONTROLS: [name: string, changes: object, timestamp?: string][] = [
    ['an offset', { timestamp: '2024-01-01T00:00:00+05:30' }, '2023-12-31T18:30:00.000Z'],
    ['lower-case t and z', { timestamp: '2024-01-01t00:00:00z' }, '2024-01-01T00:00:00.000Z'],
    ['six digits, cut', { timestamp: '2024-01-31T23:59:59.999999Z' }, '2024-01-31T23:59:59.999Z'],
    ['T1: nine digits, cut', { timestamp: '2026-11-24T17:36:46.123456789Z' }, '2026-11-24T17:36:46.123Z'],
    ['a date', { timestamp: '2024-02-29' }, '2024-02-29T00:00:00.000Z'],
    ['no offset', { timestamp: '2024-01-01T10:20:30' }, '2024-01-01T10:20:30.000Z'],
    ['the first instant', { timestamp: '1970-01-01' }, '1970-01-01T00:00:00.000Z'],
    ['23 hours ahead', { timestamp: hoursAhead(23) }],
    ['255 characters', { event_name: 'e'.repeat(255), idempotency_key: '😀'.repeat(255) }],
    ['emoji and right to left', { event_name: '😀', properties: { שלום: '\u202eabc', '😀': '\u0001' } }],
    ['no property', { properties: {} }],
    ['32 levels', { properties: nested(32) }],
    ['200 members', { properties: members(200) }],
    ['64 KiB', { properties: { s: 'x'.repeat(65_528) } }],
    ['constructor', { properties: { constructor: { prototype: { x: 1 } }, toString: null } }],
    ['exact numbers', { properties: { a: 0.1, b: -0, c: 1e21, d: 9007199254740991, e: 1.5e-10 } }],
    ['SQL in a name', { customer_id: `C'";--`, event_name: `'; drop table events; --` }],
    ['composed', { event_name: 'é' }],
    ['decomposed', { event_name: 'e\u0301' }],
  ];
  for (const [name, changes, timestamp] of CONTROLS) {
    it(`takes ${name}`, async () => {
      const sent = anEvent({ idempotency_key: `Z ${name}`, ...changes });
      const { status, body, headers } = await api.post('/v1/events', sent);
      assert.equal(status, 201, JSON.stringify(body));
      if (timestamp !== undefined) assert.equal(body.timestamp, timestamp);
      const { billing: _, ...stored } = (await api.request(headers.get('location')!)).body;
      assert.deepEqual(stored, JSON.parse(JSON.stringify(body)));
      assert.equal(stored.event_name, sent.event_name);
    });
  }

  it('takes an upper-case charset, and a key for events only', async () => {
    const headers = { 'Content-Type': 'application/json; charset=UTF-8' };
    const sent = anEvent({ idempotency_key: 'events only' });
    assert.equal((await api.post('/v1/events', sent, { headers, key: api.events_only_key })).status, 201);
  });

  it('a refused event does not use its idempotency key up', async () => {
    assertRefused(await post({ idempotency_key: 'tried', event_name: 1 }), { code: 'invalid_request' });
    assertRefused(await post({ idempotency_key: 'tried', customer_id: 'nobody' }), { code: 'not_found' });
    assertRefused(await post({ idempotency_key: 'tried', timestamp: hoursAhead(25) }), {
      code: 'invalid_request',
    });
    assert.equal((await post({ idempotency_key: 'tried' })).status, 201);
  });

  it('keeps the keys of environments apart', async () => {
    const answers = await Promise.all(
      [api.test_key, api.live_key, api.other_key].map((key) => post({ idempotency_key: 'shared' }, key)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.deepEqual(
      answers.map(({ body }) => body.livemode),
      [false, true, false],
    );
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 3);
    const [{ body }] = answers as [Received];
    assertRefused(await api.request(`/v1/events/${body.id}`, { key: api.live_key }), { code: 'not_found' });
    assertRefused(await api.request(`/v1/events/${body.id}`, { key: api.other_key }), { code: 'not_found' });
  });

  it('in test mode, uses the test clock of the customer', async () => {
    const clock = '2031-05-06T07:08:09.010Z';
    await api.post('/v1/customers', { external_id: 'clocked' });
    await api.pool.query(`update customers set test_clock = $1 where external_id = 'clocked'`, [clock]);
    const event = (key: string, changes: object = {}) => ({
      customer_id: 'clocked',
      idempotency_key: key,
      ...changes,
    });
    const { body: first } = await post(event('c1'));
    assert.deepEqual([first.timestamp, first.created_at], [clock, clock]);
    assert.equal((await post(event('c2', { timestamp: '2031-05-07T07:08:09.010Z' }))).status, 201);
    const beyond = event('c3', { timestamp: '2031-05-07T07:08:09.011Z' });
    assertRefused(await post(beyond), { code: 'invalid_request', param: 'timestamp', reason: 'in_future' });
    const batch = { events: [anEvent({ idempotency_key: 'c4' }), anEvent(event('c5')), anEvent(beyond)] };
    assertRefused(await api.post('/v1/events/batch', batch), {
      code: 'invalid_request',
      param: 'events[2].timestamp',
    });
    await api.post('/v1/events/batch', { events: batch.events.slice(0, 2) });
    const { rows } = await api.pool.query(
      `select idempotency_key, created_at from events where idempotency_key in ('c4', 'c5') order by 1`,
    );
    assert.ok(rows[0].created_at < clock, 'another customer has the real time');
    assert.equal(rows[1].created_at, clock);
  });

  it('counts events by outcome', async () => {
    const before = await counts();
    await post({ idempotency_key: 'counted' });
    await post({ idempotency_key: 'counted' });
    await post({ idempotency_key: 'counted', event_name: 'other' });
    await post({ idempotency_key: 'counted', event_name: 1 });
    const events = ['counted', 'counted 2', 'counted 2'].map((key) => anEvent({ idempotency_key: key }));
    await api.post('/v1/events/batch', { events });
    await api.post('/v1/events/batch', { events: [...events, 0] });
    const after = await counts();
    const grown = Object.keys(after).map((outcome) => [outcome, after[outcome]! - before[outcome]!]);
    assert.deepEqual(Object.fromEntries(grown), { created: 2, duplicate: 3, refused: 6 });
  });

  /** Sum over all API processes: each process has its own counters. */
  async function counts(): Promise<Record<string, number>> {
    const sums: Record<string, number> = { created: 0, duplicate: 0, refused: 0 };
    for (let asked = 0; asked < PROCESSES; asked++) {
      const { body } = await api.request('/metrics');
      for (const [, outcome, number] of body.matchAll(/^tidemark_events_total\{outcome="(\w+)"\} (\d+)$/gm))
        sums[outcome] = sums[outcome]! + Number(number);
    }
    return sums;
  }
});

function assertReplay({ status, headers, body }: Received, original: object): void {
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(body, original);
}
