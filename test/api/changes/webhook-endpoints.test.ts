import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { send, startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { aReceiver, type Receiver } from '../../support/servers/receiver.ts';

describe('webhook endpoints', () => {
  let api: TestApi;
  let receiver: Receiver;

  before(async () => {
    api = await startApi();
    receiver = await aReceiver();
  });
  after(() => api.close());
  beforeEach(() =>
    api.pool.query('update webhook_endpoints set deleted_at = now() where deleted_at is null'),
  );

  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    send(`${api.url}${path}`, {
      ...{ key: api.test_key, method, headers },
      ...(body === undefined ? {} : { body }),
    });
  const create = async (body: object = {}): Promise<Json> => {
    const made = await call('POST', '/v1/webhook-endpoints', { url: receiver.url, ...body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  };
  const faultOf = ({ status, body }: { status: number; body: Json }) => {
    const { param, reason } = body['error']?.details?.[0] ?? {};
    return [status, param, reason];
  };

  it('are made with a secret, and shown without it', async () => {
    const { secret, ...endpoint } = await create({
      types: ['invoice.*', 'payment.recorded'],
      description: 'ERP',
    });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual([endpoint.status, endpoint.payload, endpoint.livemode], ['active', 'full', false]);
    const { body } = await call('GET', `/v1/webhook-endpoints/${endpoint.id}`);
    assert.deepEqual(body, endpoint);
    const { rows } = await api.pool.query('select secret from webhook_endpoints where id = $1', [
      endpoint.id,
    ]);
    assert.ok(!rows[0].secret.includes(secret));
  });

  it('show the secret of a repeated request no more', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await call('POST', '/v1/webhook-endpoints', { url: receiver.url }, key);
    const again = await call('POST', '/v1/webhook-endpoints', { url: receiver.url }, key);
    assert.equal(again.headers.get('Idempotent-Replayed'), 'true');
    assert.deepEqual(again.body, { ...first.body, secret: null });
    const rotation = { 'Idempotency-Key': randomUUID() };
    const path = `/v1/webhook-endpoints/${first.body.id}/rotate-secret`;
    const rotated = await call('POST', path, {}, rotation);
    assert.notEqual(rotated.body.secret, first.body.secret);
    assert.deepEqual((await call('POST', path, {}, rotation)).body, { ...rotated.body, secret: null });
  });

  const REFUSED: [name: string, body: object, param: string, reason: string][] = [
    ['no url', {}, 'url', 'missing'],
    ['an empty url', { url: '' }, 'url', 'missing'],
    ['a url of 2,049 characters', { url: `https://example.com/${'a'.repeat(2029)}` }, 'url', 'too_long'],
    ['another scheme', { url: 'ftp://example.com' }, 'url', 'not_allowed'],
    ['plain http', { url: 'http://example.com' }, 'url', 'not_allowed'],
    ['a user name', { url: 'https://me@example.com' }, 'url', 'not_allowed'],
    ['a fragment', { url: 'https://example.com/#here' }, 'url', 'not_allowed'],
    ['a private address', { url: 'https://10.0.0.1' }, 'url', 'not_allowed'],
    ['a private address in octal', { url: 'https://0251.0376.0251.0376/latest' }, 'url', 'not_allowed'],
    ['an unknown type', { url: 'https://example.com', types: ['invoice.lost'] }, 'types', 'malformed'],
    [
      'a type twice',
      { url: 'https://example.com', types: ['invoice.*', 'invoice.*'] },
      'types',
      'not_allowed',
    ],
    ['no types', { url: 'https://example.com', types: [] }, 'types', 'missing'],
    ['101 types', { url: 'https://example.com', types: Array(101).fill('invoice.*') }, 'types', 'too_many'],
    ['another payload', { url: 'https://example.com', payload: 'some' }, 'payload', 'not_allowed'],
    [
      'a number that is not there yet',
      { url: 'https://example.com', after: 999_999 },
      'after',
      'out_of_range',
    ],
    [
      'a long description',
      { url: 'https://example.com', description: 'a'.repeat(256) },
      'description',
      'too_long',
    ],
  ];
  for (const [name, body, param, reason] of REFUSED)
    it(`refuse ${name}`, async () => {
      assert.deepEqual(faultOf(await call('POST', '/v1/webhook-endpoints', body)), [400, param, reason]);
      const { rowCount } = await api.pool.query('select from webhook_endpoints where deleted_at is null');
      assert.equal(rowCount, 0);
    });

  it('are twenty at most, also if many are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 25 }, () => call('POST', '/v1/webhook-endpoints', { url: receiver.url })),
    );
    assert.equal(made.filter(({ status }) => status === 201).length, 20);
    const refused = made.find(({ status }) => status !== 201)!;
    assert.deepEqual(faultOf(refused), [409, null, 'too_many']);
    const first = await call('GET', '/v1/webhook-endpoints?limit=15');
    assert.deepEqual([first.body.data.length, first.body.has_more], [15, true]);
    const rest = await call('GET', `/v1/webhook-endpoints?limit=15&cursor=${first.body.next_cursor}`);
    assert.deepEqual([rest.body.data.length, rest.body.has_more], [5, false]);
    assert.equal((await send(`${api.url}/v1/webhook-endpoints`, { key: api.live_key })).body.data.length, 0);
  });

  it('change member by member, and null takes a value away', async () => {
    const { id } = await create({ types: ['invoice.*'], description: 'ERP' });
    const path = `/v1/webhook-endpoints/${id}`;
    const changed = await call('PATCH', path, { types: null, payload: 'thin' });
    assert.deepEqual(
      [changed.body.types, changed.body.description, changed.body.payload],
      [null, 'ERP', 'thin'],
    );
    assert.equal((await call('PATCH', path, { description: null })).body.description, null);
    assert.deepEqual(faultOf(await call('PATCH', path, { url: 'https://[::1]/' })).slice(0, 2), [
      200,
      undefined,
    ]);
    assert.deepEqual(faultOf(await call('PATCH', path, { url: 'https://[fd00::1]/' })), [
      400,
      'url',
      'not_allowed',
    ]);
  });

  it('are paused and resumed, each only in its state', async () => {
    const { id } = await create();
    const path = `/v1/webhook-endpoints/${id}`;
    assert.deepEqual(faultOf(await call('POST', `${path}/resume`)), [409, null, 'invalid_state']);
    assert.equal((await call('POST', `${path}/pause`)).body.status, 'paused');
    assert.deepEqual(faultOf(await call('POST', `${path}/pause`)), [409, null, 'invalid_state']);
    const too_far = await call('POST', `${path}/resume`, { after: 999_999 });
    assert.deepEqual(faultOf(too_far), [400, 'after', 'out_of_range']);
    assert.equal((await call('POST', `${path}/resume`)).body.status, 'active');
  });

  it('replay what is taken, and nothing ahead', async () => {
    await api.pool.query(
      `insert into feeds (environment_id, last_sequence) values (1, 50), (2, 50)
       on conflict (environment_id) do update set last_sequence = 50`,
    );
    const { id } = await create();
    const path = `/v1/webhook-endpoints/${id}`;
    await api.pool.query('update feeds set last_sequence = 60');
    assert.deepEqual(faultOf(await call('POST', `${path}/replay`, {})), [400, 'after', 'missing']);
    assert.deepEqual(faultOf(await call('POST', `${path}/replay`, { after: 61 })), [
      400,
      'after',
      'out_of_range',
    ]);
    const ahead = await call('POST', `${path}/replay`, { after: 60 });
    assert.deepEqual(faultOf(ahead), [400, 'after', 'out_of_range']);
  });

  it('are gone once deleted', async () => {
    const { id } = await create();
    const path = `/v1/webhook-endpoints/${id}`;
    const deleted = await call('DELETE', path);
    assert.deepEqual(deleted.body, { id, object: 'webhook_endpoint', deleted: true });
    for (const [method, sub] of [
      ...[
        ['GET', ''] as const,
        ['DELETE', ''] as const,
        ['PATCH', ''] as const,
        ['GET', '/deliveries'] as const,
      ],
      ...['pause', 'resume', 'rotate-secret', 'test'].map((act) => ['POST', `/${act}`] as const),
    ])
      assert.equal((await call(method, path + sub, method === 'GET' ? undefined : {})).status, 404, sub);
  });

  it('of another environment are not there', async () => {
    const { id } = await create();
    const path = `${api.url}/v1/webhook-endpoints/${id}`;
    for (const key of [api.live_key]) assert.equal((await send(path, { key })).status, 404);
  });

  it('are tested by one try, which the list has, and which nothing repeats', async () => {
    const { id, secret } = await create();
    const path = `/v1/webhook-endpoints/${id}`;
    const before = receiver.posted.length;
    const tested = await call('POST', `${path}/test`);
    assert.deepEqual(
      [tested.status, tested.body.status, tested.body.sequence, tested.body.response_status],
      [200, 'delivered', null, 200],
    );
    const change = receiver.verified(receiver.posted[before]!, secret);
    assert.deepEqual(
      [change['type'], change['sequence'], change['object_id']],
      ['webhook_endpoint.test', null, id],
    );
    const place = `${path}/deliveries/${tested.body.id}`;
    const { body: opened } = await call('GET', place);
    const { body: sent, tries, ...delivery } = opened;
    assert.deepEqual(delivery, tested.body);
    assert.equal(sent, receiver.posted[before]!.body);
    assert.deepEqual(
      tries.map(({ url, response_body }: Json) => [url, response_body]),
      [[receiver.url, 'received']],
    );
    assert.equal(
      tries[0].headers['webhook-signature'],
      receiver.posted[before]!.headers['webhook-signature'],
    );
    assert.equal((await send(`${api.url}${place}`, { key: api.live_key })).status, 404);
    assert.equal((await call('GET', `${path}/deliveries/whd_none`)).status, 404);
    receiver.answer(500);
    const failed = await call('POST', `${path}/test`);
    assert.deepEqual([failed.body.status, failed.body.next_attempt_at], ['failing', null]);
    const endpoint = (await call('GET', path)).body;
    assert.deepEqual([endpoint.status, endpoint.failing_since], ['active', null]);
    const { body } = await call('GET', `${path}/deliveries?status=failing`);
    assert.deepEqual(
      body.data.map(({ id: one }: Json) => one),
      [failed.body.id],
    );
    assert.deepEqual(faultOf(await call('POST', `${path}/deliveries/${failed.body.id}/skip`)), [
      409,
      null,
      'invalid_state',
    ]);
    assert.equal((await call('POST', `${path}/deliveries/whd_none/resend`)).status, 404);
  });
});
