import assert from 'node:assert/strict';
import { createClient, TidemarkError, type DroppedEvent } from '../../sdk/typescript/src/index.ts';
import { startApi, type Json, type TestApi } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { testCustomersOn } from '../support/ledger/test-customer.ts';
import { aFront, keysOfBatches, type Fault, type Front } from './front.ts';

/** Long enough that only `flush` and full batches send. */
const NEVER_MS = 60_000;
const AT_ONCE = { 'Retry-After': '0' };

describe('events.track', () => {
  let api: TestApi;
  let front: Front;
  let customer_id: string;
  let dropped: DroppedEvent[];
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    front = await aFront(api.url);
    customer_id = await customers.customer({}, null);
    dropped = [];
  });
  const customers = testCustomersOn((path, sent) => api.request(path, sent));
  let made = 0;
  const aKey = () => `key-${++made}`;
  const aClient = (events: object = {}, options: object = {}) =>
    createClient({
      baseUrl: front.url,
      apiKey: api.test_key,
      onDropped: (events) => dropped.push(...events),
      events: { maxWaitMs: NEVER_MS, ...events },
      ...options,
    });
  /** The keys of the customer's stored events, in the order in which they were stored. */
  const stored = async (): Promise<string[]> => {
    const { body } = await api.request(`/v1/events?customer_id=${customer_id}&limit=200`);
    return body.data.map((event: Json) => event.idempotency_key).toReversed();
  };
  const track = (client: ReturnType<typeof aClient>, key = aKey(), parts: object = {}) =>
    client.events.track({ event_name: 'api_call', customer_id, idempotency_key: key, ...parts });
  const trackSome = (client: ReturnType<typeof aClient>, count: number) =>
    Array.from({ length: count }, () => track(client, aKey(), { timestamp: '2026-01-01' }));

  it('sends events in one batch, each once, when flush asks', async () => {
    const client = aClient();
    const keys = trackSome(client, 3);
    assert.equal(front.received.length, 0);
    await client.flush();
    assert.deepEqual(keysOfBatches(front), [keys]);
    assert.equal((await stored()).length, 3);
    await client.flush();
    assert.equal(front.received.length, 1);
  });

  it('draws a key, returns it, and sets the time at which the event was tracked', async () => {
    const client = aClient();
    const key = client.events.track({ event_name: 'api_call', customer_id });
    assert.match(key, /^[0-9a-f-]{36}$/);
    assert.notEqual(client.events.track({ event_name: 'api_call', customer_id }), key);
    await client.flush();
    const [{ events }] = front.received.map(({ text }) => JSON.parse(text)) as [Json];
    assert.equal(events[0].idempotency_key, key);
    assert.match(events[0].timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('leaves the time to the API where it is null', async () => {
    const client = aClient();
    track(client, 'null-time', { timestamp: null });
    await client.flush();
    assert.equal(JSON.parse(front.received[0]!.text).events[0].timestamp, null);
    assert.deepEqual(await stored(), ['null-time']);
  });

  it('sends an event as it was when it was tracked', async () => {
    const client = aClient();
    const event = { event_name: 'api_call', customer_id, properties: { bytes: 1 } };
    client.events.track(event);
    event.properties.bytes = 2;
    await client.flush();
    assert.equal(JSON.parse(front.received[0]!.text).events[0].properties.bytes, 1);
  });

  it('sends a batch as soon as it is full, and no larger one', async () => {
    const client = aClient({ maxSize: 2 });
    const keys = trackSome(client, 5);
    await eventually(stored, (found) => found.length === 4);
    await client.flush();
    assert.deepEqual(keysOfBatches(front), [keys.slice(0, 2), keys.slice(2, 4), keys.slice(4)]);
  });

  it('sends after maxWaitMs without a flush', async () => {
    const client = aClient({ maxWaitMs: 20 });
    const key = track(client);
    await eventually(stored, (found) => found.includes(key));
  });

  const FAULTS: [what: string, fault: Fault][] = [
    ['a connection that breaks', 'reset'],
    ['an answer that is lost', 'lost_answer'],
    ['429', { status: 429, headers: AT_ONCE }],
    ['500', { status: 500, headers: AT_ONCE }],
    ['503 of a proxy', { status: 503, headers: { ...AT_ONCE, 'Content-Type': 'text/html' }, body: '<html>' }],
    [
      '400 for a body that was cut off on its way',
      { status: 400, headers: AT_ONCE, body: refusal('invalid_request', null, 'bad_framing') },
    ],
  ];
  for (const [what, fault] of FAULTS)
    it(`sends a batch again, with the same keys and bytes, before the next one, after ${what}`, async () => {
      const client = aClient({ maxSize: 2 });
      front.faults.push(fault);
      const keys = trackSome(client, 4);
      await client.flush();
      assert.deepEqual(keysOfBatches(front), [keys.slice(0, 2), keys.slice(0, 2), keys.slice(2)]);
      assert.equal(front.received[0]!.text, front.received[1]!.text);
      assert.equal((await stored()).length, 4);
      assert.deepEqual(dropped, []);
    });

  it('drops the events that the API names as wrong, with reason and message, and sends the others', async () => {
    const client = aClient();
    const good = [track(client, 'good-1')];
    track(client, 'bad-1', { customer_id: 'nobody' });
    good.push(track(client, 'good-2'));
    track(client, 'bad-2', { timestamp: 'yesterday' });
    track(client, 'bad-3', { properties: { name: 'half a pair \ud800' } });
    good.push(track(client, 'good-3'));
    await client.flush();
    assert.deepEqual((await stored()).sort(), good);
    assert.deepEqual(dropped.map(({ event, reason }) => [event.idempotency_key, reason]).sort(), [
      ['bad-1', 'unknown_customer'],
      ['bad-2', 'malformed'],
      ['bad-3', 'malformed'],
    ]);
    for (const { message } of dropped) assert.match(message, /^(a string contains|customer_id|timestamp) /);
  });

  it('drops an event whose key a different event uses, stored or in the same batch', async () => {
    const client = aClient();
    track(client, 'same', { event_name: 'first' });
    track(client, 'same', { event_name: 'second' });
    await client.flush();
    track(client, 'same', { event_name: 'third' });
    track(client, 'fine');
    await client.flush();
    assert.deepEqual((await stored()).sort(), ['fine', 'same']);
    assert.deepEqual(
      dropped.map(({ event, reason }) => [event.event_name, reason]),
      [
        ['second', 'idempotency_mismatch'],
        ['third', 'idempotency_mismatch'],
      ],
    );
  });

  it('sends batches that fit into the largest body of the API', async () => {
    const client = aClient();
    const properties = { text: 'é'.repeat(30_000) };
    for (let i = 0; i < 100; i++) track(client, aKey(), { properties });
    await client.flush();
    assert.equal((await stored()).length, 100);
    assert.deepEqual(dropped, []);
    assert.equal(front.received.length, 2);
  });

  it('drops an event that is too large alone', async () => {
    const client = aClient();
    track(client, 'large', { properties: { text: 'x'.repeat(6_000_000) } });
    track(client, 'small');
    await client.flush();
    assert.deepEqual(await stored(), ['small']);
    assert.deepEqual(
      dropped.map(({ event, reason }) => [event.idempotency_key, reason]),
      [['large', 'too_large']],
    );
  });

  it('sends smaller batches, in order, where a proxy refuses the size', async () => {
    const client = aClient();
    const keys = trackSome(client, 8);
    const too_large = { status: 413, headers: { 'Content-Type': 'text/html' }, body: 'too large' };
    front.faults.push(too_large, too_large);
    await client.flush();
    assert.deepEqual(
      keysOfBatches(front).map((batch) => batch.length),
      [8, 4, 2, 4, 2],
    );
    assert.deepEqual(keysOfBatches(front).slice(2).flat(), keys);
    assert.deepEqual(dropped, []);
  });

  it('resolves flush once the events before it are stored, while later ones wait', async () => {
    const client = aClient({ maxSize: 1 });
    front.faults.push(null);
    front.standing = 'reset';
    const before = track(client);
    const flushed = client.flush();
    track(client);
    await flushed;
    assert.deepEqual(await stored(), [before]);
    front.standing = null;
    await client.close();
  });

  it('stores each of 1,000 events once, in order, whatever happens on the way', async () => {
    const client = aClient({ maxSize: 40 });
    const keys = trackSome(client, 1000);
    // Of five requests, three meet a fault.
    front.faults.push(...Array.from({ length: 40 }, (_, at) => (at % 5 < 3 ? FAULTS[at % 6]![1] : null)));
    await client.flush();
    assert.deepEqual([...new Set(keysOfBatches(front).flat())], keys);
    const found: string[] = [];
    for await (const event of client.paginate('/v1/events', { customer_id, limit: 200 }))
      found.push(event.idempotency_key);
    assert.deepEqual(found.sort(), keys.toSorted());
    assert.deepEqual(dropped, []);
  });

  const REFUSALS: [what: string, fault: Fault, code: string | null][] = [
    ['401', { status: 401, body: refusal('unauthorized') }, 'unauthorized'],
    ['403 of a proxy', { status: 403, body: 'forbidden' }, null],
    ['404 at a wrong address', { status: 404, body: refusal('not_found') }, 'not_found'],
    ['a redirect', { status: 301, headers: { Location: '/elsewhere' } }, null],
    ['200 of something else', { status: 200, body: '<html>' }, null],
  ];
  for (const [what, fault, code] of REFUSALS)
    it(`keeps events after ${what}: flush rejects, and the next flush sends them`, async () => {
      const client = aClient();
      const keys = trackSome(client, 2);
      front.standing = fault;
      await assert.rejects(client.flush(), (error) => error instanceof TidemarkError && error.code === code);
      assert.deepEqual(dropped, []);
      front.standing = null;
      await client.flush();
      assert.deepEqual((await stored()).sort(), keys.sort());
    });

  it('takes a key that may send events alone', async () => {
    const client = aClient({}, { apiKey: api.events_only_key });
    const key = track(client);
    await client.flush();
    assert.deepEqual(await stored(), [key]);
  });

  it('sends the events at close, and drops events that are tracked later', async () => {
    const client = aClient();
    const key = track(client);
    await client.close();
    assert.deepEqual(await stored(), [key]);
    const late = track(client);
    await Promise.all([client.flush(), client.close()]);
    assert.deepEqual(
      dropped.map(({ event, reason }) => [event.idempotency_key, reason]),
      [[late, 'closed']],
    );
  });

  it('drops the events at close if the key is refused, and close rejects', async () => {
    const client = aClient({}, { apiKey: 'tm_sk_test_nothing' });
    const keys = trackSome(client, 2);
    await assert.rejects(client.close(), (error) => error instanceof TidemarkError && error.status === 401);
    assert.deepEqual(
      dropped.map(({ event, reason }) => [event.idempotency_key, reason]),
      keys.map((key) => [key, 'unauthorized']),
    );
  });

  it('drops a new event beyond 100,000 in memory, and keeps the others', async () => {
    const client = aClient({}, { apiKey: 'tm_sk_test_nothing' });
    front.standing = 'reset';
    trackSome(client, 100_000);
    const [key] = trackSome(client, 1);
    assert.deepEqual(
      dropped.map(({ event, reason }) => [event.idempotency_key, reason]),
      [[key, 'queue_full']],
    );
    front.standing = { status: 401 };
    await assert.rejects(client.close());
    assert.equal(dropped.length, 100_001);
  });

  it('drops a new event beyond 64 MiB in memory', async () => {
    const client = aClient({}, { apiKey: 'tm_sk_test_nothing' });
    front.standing = { status: 401 };
    for (let i = 0; i < 8; i++) track(client, aKey(), { properties: { text: 'x'.repeat(8 * 1024 * 1024) } });
    assert.deepEqual(
      dropped.map(({ reason }) => reason),
      ['queue_full'],
    );
    await assert.rejects(client.close());
  });
});

function refusal(code: string, param: string | null = null, reason: string | null = null): object {
  const details = reason === null ? [] : [{ param, reason, message: 'why' }];
  return { error: { code, message: 'why', param, details, request_id: 'req_1' } };
}
