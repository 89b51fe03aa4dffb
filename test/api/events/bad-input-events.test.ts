import assert from 'node:assert/strict';
import { routes } from '../../../api/routes.ts';
import { createApiServer, type ApiServer } from '../../../api/server.ts';
import type { ErrorCode, Reason } from '../../../src/domain/money/errors.ts';
import { startApi, type Received, type Sent, type TestApi } from '../../support/servers/api.ts';
import { anEvent as event, hoursAhead, members, nested } from '../../support/ledger/events.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

const SINGLE = '/v1/events';
const BATCH = '/v1/events/batch';

type Expected = [code: ErrorCode, param: string, reason: Reason];

const post = (body: unknown) => ({ method: 'POST', body });

/** Requests with one error: a single event with these changes, and this event as the second one of a batch. */
function both(name: string, changes: object, [code, param, reason]: Expected): BadRequest[] {
  const batch = { events: [event({ idempotency_key: 'other' }), event(changes)] };
  return [
    [name, SINGLE, post(event(changes)), code, param, reason],
    [`${name}, in a batch`, BATCH, post(batch), code, `events[1].${param}`, reason],
  ];
}

const bad = (param: string, reason: Reason): Expected => ['invalid_request', param, reason];
const times = (texts: readonly string[]) =>
  texts.flatMap((timestamp) =>
    both(`E timestamp ${JSON.stringify(timestamp)}`, { timestamp }, bad('timestamp', 'malformed')),
  );
const NAMES = ['event_name', 'customer_id', 'idempotency_key'];
const day = '2024-01-01T00:00:00';

const EVENTS: BadRequest[] = [
  ...NAMES.flatMap((name) => both(`E1 no ${name}`, { [name]: undefined }, bad(name, 'missing'))),
  ...NAMES.flatMap((name) =>
    [null, 1, true, [], {}].flatMap((value) =>
      both(`E2 ${name} ${JSON.stringify(value)}`, { [name]: value }, bad(name, 'wrong_type')),
    ),
  ),
  ...NAMES.flatMap((name) => [
    ...both(`E2 empty ${name}`, { [name]: '' }, bad(name, 'missing')),
    ...both(`E3 ${name} of 256`, { [name]: 'a'.repeat(256) }, bad(name, 'too_long')),
    ...both(`E3 ${name} of 256 emoji`, { [name]: '😀'.repeat(256) }, bad(name, 'too_long')),
    ...both(`E3 ${name} of 1 MB`, { [name]: 'a'.repeat(1_000_000) }, bad(name, 'too_long')),
    ...both(`E4 NUL in ${name}`, { [name]: 'a\0b' }, bad(name, 'malformed')),
    ...both(`E5 half a pair in ${name}`, { [name]: 'a\ud800' }, bad(name, 'malformed')),
    ...both(`E5 blank ${name}`, { [name]: '   ' }, bad(name, 'malformed')),
    ...both(`E5 control character in ${name}`, { [name]: 'a\u0007' }, bad(name, 'malformed')),
  ]),
  ...['nobody', 'cus_nobody', 'B1', 'L1', 'c1', 'C1 '].flatMap((customer_id) =>
    both(`E7 customer ${customer_id}`, { customer_id }, ['not_found', 'customer_id', 'unknown_customer']),
  ),
  ...times(['', 'now', 'infinity', '-infinity', 'epoch', 'today', 'J2451187', 'yesterday', '1704067200']),
  ...[0, 1704067200, true, []].flatMap((timestamp) =>
    both(`E8 timestamp ${JSON.stringify(timestamp)}`, { timestamp }, bad('timestamp', 'wrong_type')),
  ),
  ...times([
    '2024-02-30T00:00:00Z',
    '2023-02-29',
    '2024-13-01',
    '2024-01-01T24:00:00Z',
    '2016-12-31T23:59:60Z',
  ]),
  ...times([
    '10000-01-01',
    '0000-01-01',
    '1969-12-31',
    `${day}+24:00`,
    `${day}+05`,
    `${day}+16:00`,
    `${day}\u221205:00`,
  ]),
  ...times([
    `${day}Z[Europe/Paris]`,
    '2024-001',
    '2024-W01-1',
    '20240101',
    `${day}Z `,
    `${day}.${'1'.repeat(31)}Z`,
  ]),
  ...both('E in 25 hours', { timestamp: hoursAhead(25) }, bad('timestamp', 'in_future')),
  ...[[], 'x', 1, true].flatMap((properties) =>
    both(`E15 properties ${JSON.stringify(properties)}`, { properties }, bad('properties', 'wrong_type')),
  ),
  ...both('E17 NUL in properties', { properties: { s: '\0' } }, bad('properties.s', 'malformed')),
  ...both('E17 half a pair in properties', { properties: { s: '\ud800' } }, bad('properties.s', 'malformed')),
  ...both('E17 NUL in a name', { properties: { '\0': 1 } }, bad('properties', 'malformed')),
  ...['foo', 'id', 'account_id', 'livemode', 'status', 'billed', 'events', 'constructor'].flatMap((name) =>
    both(`BY12 ${name}`, { [name]: 'x' }, bad(name, 'unknown_member')),
  ),
  ...both('BY13 201 members', { properties: members(201) }, bad('properties', 'too_many')),
  ...both('BY13 100,000 members', { properties: members(100_000, '') }, bad('properties', 'too_many')),
  ...both(
    'BY13 64 KiB and a byte',
    { properties: { s: 'x'.repeat(65_529) } },
    bad('properties', 'too_large'),
  ),
];

const TEXTS: BadRequest[] = [
  ['BY9 33 levels', SINGLE, post(event({ properties: nested(33) })), 'invalid_request'],
  [
    'BY9 33 levels, in a batch',
    BATCH,
    post({ events: [event({ properties: nested(33) })] }),
    'invalid_request',
  ],
  ['BY13 a long name', SINGLE, post(event({ properties: { ['a'.repeat(10_001)]: 1 } })), 'invalid_request'],
  ...['1e400', '9007199254740993', '-1e400', '123456789012345678901234567890', '0.1234567890123456789'].map(
    (number): BadRequest => [
      `E16 ${number}`,
      SINGLE,
      post(JSON.stringify(event({ properties: { n: 0 } })).replace('0}', `${number}}`)),
      ...bad('properties.n', 'not_exact'),
    ],
  ),
  ['BY1 no body', SINGLE, { method: 'POST' }, 'invalid_request', null, 'missing'],
  ['BY3 an array', SINGLE, post([event()]), 'invalid_request', null, 'wrong_type'],
  ['BY4 text', SINGLE, { ...post(event()), headers: { 'Content-Type': 'text/plain' } }, 'invalid_request'],
  ['BY8 a byte too large', SINGLE, post(JSON.stringify(event()).padEnd(1024 * 1024 + 1)), 'invalid_request'],
  [
    'BY10 a member twice',
    SINGLE,
    post('{"idempotency_key":"a","idempotency_key":"b","event_name":"e","customer_id":"C1"}'),
    ...bad('idempotency_key', 'duplicate_member'),
  ],
  [
    'BY11 __proto__ in properties',
    SINGLE,
    post('{"idempotency_key":"a","event_name":"e","customer_id":"C1","properties":{"__proto__":{"x":1}}}'),
    ...bad('properties.__proto__', 'not_allowed'),
  ],
  ['a parameter without a name', `${SINGLE}??x`, post(event()), 'invalid_request'],
  ['a parameter', `${SINGLE}?dry_run=true`, post(event()), ...bad('dry_run', 'unknown_parameter')],
];

const good = (count: number) =>
  Array.from({ length: count }, (_, place) => event({ idempotency_key: `batch-${place}` }));
const broken = (at: number, changes: object) => {
  const events: object[] = good(1000);
  events[at] = event(changes);
  return post({ events });
};

const BATCHES: BadRequest[] = [
  ...[[], {}, { events: null }, { events: {} }, { events: 'x' }, { events: [] }].map((body): BadRequest => [
    `BT1 ${JSON.stringify(body)}`,
    BATCH,
    post(body),
    'invalid_request',
  ]),
  ...[null, [], [event()], { events: [event()] }, 0].map((item): BadRequest => {
    return [`BT1 item ${JSON.stringify(item)}`, BATCH, post({ events: [item] }), 'invalid_request'];
  }),
  ['BT2 1,001 events', BATCH, post({ events: good(1001) }), ...bad('events', 'too_many')],
  ['BT2 100,000 numbers', BATCH, post({ events: Array(100_000).fill(0) }), ...bad('events', 'too_many')],
  ...[0, 500, 999].map((at): BadRequest => [
    `BT3 bad at ${at}`,
    BATCH,
    broken(at, { event_name: 1 }),
    ...bad(`events[${at}].event_name`, 'wrong_type'),
  ]),
  [
    'BT4 one key twice, two bodies',
    BATCH,
    post({ events: [event(), event({ event_name: 'other' })] }),
    'conflict',
    'events[1].idempotency_key',
    'idempotency_mismatch',
  ],
  [
    'BT4 a key that is stored',
    BATCH,
    post({ events: [...good(3), event({ idempotency_key: 'stored' })] }),
    'conflict',
    'events[3].idempotency_key',
    'idempotency_mismatch',
  ],
  [
    'BT5 an unknown customer',
    BATCH,
    broken(7, { customer_id: 'nobody' }),
    'not_found',
    'events[7].customer_id',
  ],
  ['BT6 a member beside events', BATCH, post({ events: good(1), foo: 1 }), ...bad('foo', 'unknown_member')],
  ['BT6 a batch sent as an event', SINGLE, post({ events: good(1) }), 'invalid_request'],
  ['BT6 an event sent as a batch', BATCH, post(event()), 'invalid_request'],
];

function get(name: string, query: string, param?: string, reason?: Reason): BadRequest {
  const request: [string, string, Sent] = [name, `${SINGLE}?${query}`, {}];
  if (param === undefined) return [...request, 'invalid_request'];
  return reason === undefined
    ? [...request, 'invalid_request', param]
    : [...request, 'invalid_request', param, reason];
}

const LISTS: BadRequest[] = [
  ...['0', '-1', '201', '1.5', 'abc', '1e2', '0x10', '%205', '99999999999999999999', ''].map((limit) =>
    get(`G1 limit ${limit}`, `limit=${limit}`, 'limit'),
  ),
  ...['limit=5&limit=6', 'limit[]=5', 'limit[a]=5'].map((query) => get(`G2 ${query}`, query)),
  get('G3 from bad', 'from=bad', 'from'),
  get('G3 30 February', 'to=2024-02-30T00:00:00Z', 'to'),
  get('G3 infinity', 'from=infinity', 'from'),
  get('G3 from after to', 'from=2024-01-02&to=2024-01-01', 'from', 'out_of_order'),
  ...['x', 'a'.repeat(10_000), Buffer.from('{"id":"1 OR 1=1"}').toString('base64url')].map((cursor) =>
    get(`G4 cursor ${cursor.slice(0, 20)}`, `cursor=${cursor}`, 'cursor', 'bad_cursor'),
  ),
  ...['foo=1', 'custmer_id=C1', '__proto__=1', 'constructor=2'].map((query) =>
    get(`G5 ${query}`, query, query.split('=')[0]!, 'unknown_parameter'),
  ),
  ...['', 'a'.repeat(256), '%00', '%ff'].map((id) => get(`G6 customer ${id}`, `customer_id=${id}`)),
  get('G7 2,000 parameters', Array(2000).fill('a=1').join('&')),
];

const BODIES = [
  { event_name: 'changed' },
  { customer_id: 'C2' },
  { properties: { n: 2, s: 'x' } },
  { properties: { n: 1, s: 'x', more: null } },
  { properties: {} },
  { timestamp: '2024-01-01T00:00:00.001Z' },
  { timestamp: undefined },
];
const STORED = { idempotency_key: 'stored', timestamp: '2024-01-01', properties: { n: 1, s: 'x' } };

const MISMATCH: Expected = ['conflict', 'idempotency_key', 'idempotency_mismatch'];

const CONFLICTS: BadRequest[] = [
  ...BODIES.flatMap((changes) => both(`M1 ${JSON.stringify(changes)}`, { ...STORED, ...changes }, MISMATCH)),
  ...both('M1 a timestamp added', { idempotency_key: 'no time', timestamp: '2024-01-01' }, MISMATCH),
];

const ROWS = [...EVENTS, ...TEXTS, ...BATCHES, ...LISTS, ...CONFLICTS];

async function prepare(api: TestApi): Promise<void> {
  for (const external_id of ['C1', 'C2']) await api.post('/v1/customers', { external_id });
  await api.post('/v1/customers', { external_id: 'B1' }, { key: api.other_key });
  await api.post('/v1/customers', { external_id: 'L1' }, { key: api.live_key });
  for (const stored of [STORED, { idempotency_key: 'no time' }])
    assert.equal((await api.post(SINGLE, event(stored))).status, 201);
}

describeBadInput('E, BT, G, M: events', ROWS, { prepare });

describe('bad input, through Koa', () => {
  let api: TestApi;
  let koa: ApiServer;
  let koa_url: string;
  before(async () => {
    api = await startApi();
    await prepare(api);
    koa = createApiServer({ ...api, ingest: { ...api.ingest, handle: () => false } }, routes);
    koa_url = `http://127.0.0.1:${await koa.listen(0, '127.0.0.1')}`;
  });
  after(async () => {
    await koa.close();
    await api.close();
  });

  it('gets the same refusal as on the ingest path', async () => {
    for (const [name, path, sent] of ROWS) {
      assert.ok(typeof sent !== 'function');
      const [by_ingest, by_koa] = [
        await api.request(path, sent),
        await send(koa_url + path, api.test_key, sent),
      ];
      assert.deepEqual(whatIsWrong(by_koa), whatIsWrong(by_ingest), name);
    }
    const { rows } = await api.pool.query('select count(*)::integer as count from events');
    assert.equal(rows[0].count, 2);
  });
});

function whatIsWrong({ status, body }: Pick<Received, 'status' | 'body'>): unknown {
  return [status, body.error.code, body.error.param, body.error.details[0]?.reason];
}

async function send(
  url: string,
  key: string,
  { method = 'GET', body, headers }: Sent,
): Promise<Pick<Received, 'status' | 'body'>> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
