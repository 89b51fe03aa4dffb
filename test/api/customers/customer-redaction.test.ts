import assert from 'node:assert/strict';
import type { BLANK as BLANKED } from '../../../src/billing/customers/redact.ts';
import { startApi, type Json, type Received, type TestApi } from '../../support/servers/api.ts';
import { redactAllEvents } from '../../support/ledger/redactions.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertSound } from '../../support/ledger/sound.ts';

const PATH = '/v1/customers';
const PERSON = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  address: { line1: '12 St James Square', city: 'London', country: 'GB' },
  tax_ids: [{ type: 'other', value: 'ADA-1815' }],
  buyer_reference: 'Office of Ada',
  metadata: { nickname: 'Ada' },
  billing_emails: ['ada@example.com'],
} satisfies Record<keyof typeof BLANKED, unknown>;
const TERMS = { currency: 'EUR', tax_rate: '19', tax_treatment: 'standard', timezone: 'UTC', net_days: 7 };
const BLANK: Record<keyof typeof PERSON, unknown> = {
  ...{ name: null, email: null, address: null, tax_ids: [], buyer_reference: null, metadata: {} },
  billing_emails: [],
};
const KEPT = [
  ...['external_id', 'issued_invoices', 'credit_notes', 'event_keys'],
  ...['charge_properties', 'archive_files'],
];

/** contract.md 3. No worker runs, so events stay pending until a test redacts them. */
describe('POST /v1/customers/{id}/redact', () => {
  let api: TestApi;
  let made = 0;
  before(async () => (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const done = ({ status, body }: Received): Json => {
    assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
    return body;
  };
  const post = async (path: string, body: object) => done(await api.post(path, body));
  const redact = (id: string, body?: object, headers = {}) =>
    api.request(`${PATH}/${id}/redact`, { method: 'POST', ...(body && { body }), headers });
  const aPerson = (): Promise<Json> => post(PATH, { external_id: `person-${++made}`, ...PERSON, ...TERMS });
  const anEvent = (customer_id: string, properties: object = {}) => ({
    ...{ event_name: 'call', customer_id, idempotency_key: `event-${++made}`, properties },
  });
  const aPlan = async (charge: object = {}): Promise<string> => {
    const charges = [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '1', ...charge }];
    return (await post('/v1/pricing-plans', { name: 'Plan', currency: 'EUR', charges })).id;
  };
  const sweep = () => redactAllEvents(api.pool);
  const read = async (id: string): Promise<Json> => done(await api.request(`${PATH}/${id}`));

  it('by either id blanks the personal fields, and leaves terms and external_id', async () => {
    for (const name of ['id', 'external_id'] as const) {
      const person = await aPerson();
      const { body, status } = await redact(person[name]);
      const { redacted_at, ...redaction } = body.redaction;
      assert.equal(status, 200);
      assert.deepEqual(redaction, { properties: [], events: 'done', kept: KEPT });
      assert.ok(Date.parse(redacted_at) >= Date.parse(person.created_at));
      assert.deepEqual(body, { ...person, ...BLANK, redaction: body.redaction });
      assert.deepEqual(await read(person.id), body);
    }
  });

  it('of no customer, of another account and of the other mode is 404', async () => {
    const other = done(await api.post(PATH, { external_id: 'other' }, { key: api.other_key }));
    const live = done(await api.post(PATH, { external_id: 'twin', name: 'Live' }, { key: api.live_key }));
    for (const id of ['nobody', other.id, live.id]) assertRefused(await redact(id), { code: 'not_found' });
    await post(PATH, { external_id: 'twin', name: 'Test' });
    done(await redact('twin'));
    assert.equal((await read('twin')).name, null);
    assert.equal((await api.request(`${PATH}/twin`, { key: api.live_key })).body.name, 'Live');
  });

  it('sent again is the same; with its Idempotency-Key it gets the first response', async () => {
    const { id } = await aPerson();
    const headers = { 'Idempotency-Key': 'redaction' };
    const first = await redact(id, { properties: ['email'] }, headers);
    const replayed = await redact(id, { properties: ['email'] }, headers);
    assert.deepEqual([replayed.status, replayed.body], [200, first.body]);
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    done(await api.request(`${PATH}/${id}`, { method: 'PATCH', body: { name: 'Ada again' } }));
    const again = done(await redact(id, { properties: ['email', 'email'] }));
    assert.deepEqual(again, {
      ...first.body,
      redaction: { ...first.body.redaction, redacted_at: again.redaction.redacted_at },
    });
    await sweep();
    assert.equal((await read(id)).redaction.events, 'done');
  });

  it('is found by no search any more', async () => {
    const { id, external_id } = await aPerson();
    const found = async (q: string) =>
      done(await api.request(`/v1/search?q=${encodeURIComponent(q)}`)).data.map((one: Json) => one.id);
    assert.ok((await found('lovelace')).includes(id));
    assert.ok((await found(PERSON.email)).includes(id));
    done(await redact(id));
    assert.ok(!(await found('lovelace')).includes(id));
    assert.ok(!(await found(PERSON.email)).includes(id));
    assert.ok((await found(external_id)).includes(id));
  });

  it('takes at most 20 names of 1 to 255 characters, and no other member', async () => {
    const { id } = await aPerson();
    const names = (count: number) => Array.from({ length: count }, (_, n) => `name ${n}`);
    const BAD: [body: object, param: string, reason: string][] = [
      [{ properties: names(21) }, 'properties', 'too_many'],
      [{ properties: [''] }, 'properties[0]', 'missing'],
      [{ properties: ['a', 'x'.repeat(256)] }, 'properties[1]', 'too_long'],
      [{ properties: [1] }, 'properties[0]', 'wrong_type'],
      [{ properties: 'email' }, 'properties', 'wrong_type'],
      [{ fields: ['name'] }, 'fields', 'unknown_member'],
    ];
    for (const [body, param, reason] of BAD) {
      const refused = await redact(id, body);
      assertRefused(refused, { code: 'invalid_request', param });
      assert.equal(refused.body.error.details[0].reason, reason);
    }
    assert.equal((await read(id)).name, PERSON.name);
    assert.equal(done(await redact(id, { properties: names(20) })).redaction.properties.length, 20);
  });

  it('has at most 100 names in all, and 10 calls whose events are pending', async () => {
    const { id } = await aPerson();
    const names = (from: number) => Array.from({ length: 20 }, (_, n) => `name ${from + n}`);
    for (const from of [0, 20, 40, 60, 80]) done(await redact(id, { properties: names(from) }));
    const refused = await redact(id, { properties: ['one more'] });
    assertRefused(refused, { code: 'invalid_request', param: 'properties', reason: 'too_many' });
    for (let n = 0; n < 5; n++) done(await redact(id, { properties: names(0) }));
    assertRefused(await redact(id, { properties: names(0) }), {
      ...{ code: 'conflict', param: null, reason: 'invalid_state' },
    });
    // A call without properties has nothing to wait for.
    done(await redact(id));
    await sweep();
    done(await redact(id, { properties: names(0) }));
  });

  const READING: [what: string, property: string, charge: object][] = [
    ['adds up', 'size', { aggregation: { type: 'sum', property: 'size' } }],
    ['counts unique values of', 'user', { aggregation: { type: 'unique', property: 'user' } }],
    ['filters by', 'region', { filters: { region: ['eu'] } }],
    [
      'has prices by',
      'model',
      { unit_amount: undefined, prices: [{ match: { model: ['a'] }, unit_amount: '1' }] },
    ],
    ['groups by', 'team', { group_by: ['team'] }],
  ];
  for (const [what, property, charge] of READING)
    it(`is refused for a property that a charge ${what}, and names it`, async () => {
      const { id } = await aPerson();
      const plan_id = await aPlan(charge);
      done(await redact(id, { properties: ['free', property] }));
      await sweep();
      const { id: subscription } = await post('/v1/subscriptions', { customer_id: id, plan_id });
      done(await api.request(`${PATH}/${id}`, { method: 'PATCH', body: { name: 'Ada' } }));
      const assertInUse = async () => {
        const refused = await redact(id, { properties: ['free', property] });
        assertRefused(refused, { code: 'conflict', param: 'properties[1]', reason: 'property_in_use' });
        assert.match(refused.body.error.message, new RegExp(`\\b${property}$`));
        assert.equal(refused.body.error.details.length, 1);
        assert.equal((await read(id)).name, 'Ada');
      };
      await assertInUse();
      await post(`/v1/subscriptions/${subscription}/cancel`, { at: 'now' });
      await assertInUse();
      done(await redact(id, { properties: ['free'] }));
    });

  it('keeps plans away that read a property, until the events are done', async () => {
    const { id } = await aPerson();
    const plan_id = await aPlan({ filters: { region: ['eu'] } });
    done(await redact(id, { properties: ['region'] }));
    const subscribe = () => api.post('/v1/subscriptions', { customer_id: id, plan_id });
    assertRefused(await subscribe(), { code: 'conflict', param: 'plan_id', reason: 'invalid_state' });
    await post('/v1/subscriptions', { customer_id: id, plan_id: await aPlan({ event_name: 'other' }) });
    await sweep();
    assert.equal((await subscribe()).status, 201);
  });

  it('leaves a resend 200, one with another content 409, and the event without the property', async () => {
    const { id } = await aPerson();
    const sent = anEvent(id, { email: PERSON.email, size: 3 });
    const { id: event_id } = await post('/v1/events', sent);
    done(await redact(id, { properties: ['email'] }));
    await sweep();
    const event = done(await api.request(`/v1/events/${event_id}`));
    assert.deepEqual(event.properties, { size: 3 });
    assert.equal((await api.post('/v1/events', sent)).status, 200);
    const other = await api.post('/v1/events', { ...sent, properties: { size: 3 } });
    assertRefused(other, { code: 'conflict', reason: 'idempotency_mismatch' });
  });

  it('changes no issued document, and no digit of the one that would replace it, which has the blank customer', async () => {
    const { id, external_id } = await aPerson();
    const plan_id = await aPlan({
      aggregation: { type: 'sum', property: 'size' },
      filters: { region: ['eu'] },
    });
    const subscription = await post('/v1/subscriptions', { customer_id: id, plan_id });
    for (const region of ['eu', 'us', 'eu'])
      await post('/v1/events', anEvent(id, { region, size: 2.5, email: PERSON.email }));
    const order = { subscription_id: subscription.id, close_now: true };
    const [issued] = (await post('/v1/invoices/generate', order)).data;
    assert.equal(issued.subtotal, '5.00');
    done(await redact(id, { properties: ['email'] }));
    await sweep();
    assert.deepEqual(done(await api.request(`/v1/invoices/${issued.id}`)), issued);
    assert.equal(issued.customer.name, PERSON.name);
    const { proposed, current } = done(
      await api.post(`/v1/invoices/${issued.id}/regenerate`, { dry_run: true }),
    );
    const amounts = ({ line_items, total }: Json) => [
      total,
      line_items.map((line: Json) => [line.quantity, line.amount]),
    ];
    assert.deepEqual(amounts(proposed), amounts(current));
    assert.deepEqual([proposed.customer.name, proposed.customer.external_id], [null, external_id]);
  });
});
