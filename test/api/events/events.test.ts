import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { anEvent } from '../../support/ledger/events.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('GET /v1/events', () => {
  let api: TestApi;
  const EVENTS = Array.from({ length: 60 }, (_, place) =>
    anEvent({
      idempotency_key: `e${place}`,
      event_name: place % 3 === 0 ? 'third' : 'call',
      customer_id: place % 5 === 0 ? 'C2' : 'C1',
      // Ten events per timestamp.
      timestamp: new Date(Date.UTC(2024, 0, 1 + Math.floor(place / 10))).toISOString(),
      properties: { place },
    }),
  );
  before(async () => {
    api = await startApi();
    for (const external_id of ['C1', 'C2', 'C3']) await api.post('/v1/customers', { external_id });
    await api.post('/v1/customers', { external_id: 'C1' }, { key: api.live_key });
    // One by one, so that the order of storing is known.
    for (const event of EVENTS) await api.post('/v1/events', event);
    await api.post('/v1/events', anEvent({ idempotency_key: 'live' }), { key: api.live_key });
  });
  after(() => api.close());

  const list = async (query: Record<string, string>) =>
    (await api.request(`/v1/events?${new URLSearchParams(query)}`)).body;
  const placesOf = (body: Json): number[] => body.data.map(({ properties }: Json) => properties.place);
  const latestFirst = EVENTS.map((_, place) => place).reverse();

  it('lists the newest timestamp first, ties newest stored first; test and live are separate', async () => {
    const body = await list({ limit: '200' });
    assert.deepEqual(placesOf(body), latestFirst);
    assert.deepEqual([body.object, body.has_more, body.next_cursor], ['list', false, null]);
    const live = await api.request('/v1/events', { key: api.live_key });
    assert.deepEqual(
      live.body.data.map((event: Json) => event.idempotency_key),
      ['live'],
    );
    const { billing: _, ...single } = (await api.request(`/v1/events/${body.data[0].id}`)).body;
    assert.deepEqual(body.data[0], single);
  });

  it('has 50 events per page by default', async () => {
    const body = await list({});
    assert.deepEqual(placesOf(body), latestFirst.slice(0, 50));
    assert.equal(body.has_more, true);
  });

  const day = (place: number) => Math.floor(place / 10) + 1;
  const FILTERS: [query: Record<string, string>, wanted: (place: number) => boolean][] = [
    [{ customer_id: 'C2' }, (place) => place % 5 === 0],
    [{ customer_id: 'C3' }, () => false],
    [{ customer_id: 'nobody' }, () => false],
    [{ customer_id: `' OR 1=1--` }, () => false],
    [{ event_name: 'third' }, (place) => place % 3 === 0],
    [{ event_name: 'unheard of' }, () => false],
    [{ customer_id: 'C2', event_name: 'third' }, (place) => place % 15 === 0],
    [{ from: '2024-01-03' }, (place) => day(place) >= 3],
    [{ to: '2024-01-03' }, (place) => day(place) < 3],
    [{ from: '2024-01-03T00:00:00+00:00', to: '2024-01-04' }, (place) => day(place) === 3],
    [{ from: '2024-01-03', to: '2024-01-03' }, () => false],
    [{ from: '2024-01-02T23:59:59.9999999Z' }, (place) => day(place) >= 3],
    [{ to: '2024-01-03T00:00:00.0000001Z' }, (place) => day(place) < 3],
    [{ idempotency_key: 'e7' }, (place) => place === 7],
    [{ idempotency_key: 'e7', customer_id: 'C2' }, () => false],
    [{ idempotency_key: 'live' }, () => false],
  ];
  for (const [query, wanted] of FILTERS)
    it(`filters by ${JSON.stringify(query)}`, async () => {
      assert.deepEqual(placesOf(await list({ limit: '200', ...query })), latestFirst.filter(wanted));
    });

  it('idempotency_key finds one event, with the same fields and billing status as the single GET', async () => {
    const { data } = await list({ idempotency_key: 'e7' });
    assert.deepEqual(data, [(await api.request(`/v1/events/${data[0].id}`)).body]);
    assert.deepEqual(
      data[0].billing.map(({ status, reason }: Json) => [status, reason]),
      [['unrated', 'no_subscription']],
    );
    const [named] = (await list({ customer_id: 'C1', limit: '1' })).data;
    assert.equal(Object.hasOwn(named, 'billing'), false);
  });

  it('T2: accepts seven decimal places of a second, as every range does', async () => {
    const from = '2026-11-24T17:36:46.1234567Z';
    const to = '2026-11-25T17:36:46.123456789Z';
    for (const path of ['events', 'invoices', 'customers/C1/usage', 'usage-report'])
      assert.equal((await api.request(`/v1/${path}?from=${from}&to=${to}`)).status, 200, path);
  });

  it('billing_status finds the events that the usage report counts so, and not with idempotency_key', async () => {
    const unrated = await list({ billing_status: 'unrated', customer_id: 'C1', limit: '200' });
    assert.deepEqual(unrated, await list({ customer_id: 'C1', limit: '200' }));
    assert.deepEqual((await list({ billing_status: 'billed' })).data, []);
    assert.deepEqual((await list({ billing_status: 'unrated', customer_id: 'nobody' })).data, []);
    const refused = await api.request('/v1/events?billing_status=billed&idempotency_key=e7');
    assert.deepEqual([refused.status, refused.body.error.details[0].reason], [400, 'not_allowed']);
    assert.equal((await api.request('/v1/events?billing_status=free')).status, 400);
  });

  it('takes either id of a customer', async () => {
    const { id } = (await api.request('/v1/customers/C2')).body;
    assert.deepEqual(placesOf(await list({ customer_id: id })), placesOf(await list({ customer_id: 'C2' })));
  });

  it('lists each event once, for every filter and page size', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FILTERS, [{}, () => true] as const),
        fc.integer({ min: 1, max: 40 }),
        async ([query, wanted], limit) => {
          const seen: number[] = [];
          let cursor: string | null = null;
          do {
            const page = await list({ ...query, limit: `${limit}`, ...(cursor === null ? {} : { cursor }) });
            assert.ok(page.data.length <= limit);
            assert.equal(page.has_more, page.next_cursor !== null);
            seen.push(...placesOf(page));
            cursor = page.next_cursor;
          } while (cursor !== null);
          assert.deepEqual(seen, latestFirst.filter(wanted));
        },
      ),
      { numRuns: 25 },
    ));

  it('lists each event once while new events arrive', async () => {
    const first = await list({ event_name: 'third', limit: '5' });
    await api.post(
      '/v1/events',
      anEvent({ idempotency_key: 'newest', event_name: 'third', properties: { place: 99 } }),
    );
    const second = await list({ event_name: 'third', limit: '5', cursor: first.next_cursor });
    const thirds = latestFirst.filter((place) => place % 3 === 0);
    assert.deepEqual([...placesOf(first), ...placesOf(second)], thirds.slice(0, 10));
  });

  it('G4: refuses a cursor of another list', async () => {
    const cursor: string = (await list({ limit: '5' })).next_cursor;
    const tampered = [...'0aZ_'].map(
      (character, at) => cursor.slice(0, at * 5) + character + cursor.slice(at * 5 + 1),
    );
    const elsewhere = [
      ...tampered.filter((text) => text !== cursor).map((text) => [`cursor=${text}`, api.test_key]),
      [`cursor=${cursor.slice(0, -1)}`, api.test_key],
      [`cursor=${cursor}&event_name=third`, api.test_key],
      [`cursor=${cursor}`, api.live_key],
      [`cursor=${cursor}`, api.other_key],
    ] as const;
    for (const [query, key] of elsewhere)
      assertRefused(await api.request(`/v1/events?${query}`, { key: key! }), {
        code: 'invalid_request',
        reason: 'bad_cursor',
      });
    assert.equal((await list({ limit: '5', cursor })).data.length, 5);
  });

  it('gives the same 404 for every id that is no event', async () => {
    const { id } = (await list({ limit: '1' })).data[0];
    const ids = [
      'evt_00000000000000000000000000',
      'evt_x',
      id.toUpperCase(),
      id.replace('evt', 'cus'),
      '__proto__',
    ];
    for (const one of ids) assertRefused(await api.request(`/v1/events/${one}`), { code: 'not_found' });
    assertRefused(await api.request(`/v1/events/${id}`, { key: api.events_only_key }), {
      code: 'unauthorized',
    });
  });
});
