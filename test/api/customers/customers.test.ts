import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/customers';

describe('customers', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  it('has every field; omitted fields are null or the default', async () => {
    const { status, body, headers } = await api.post(PATH, { external_id: 'plain', name: null });
    assert.equal(status, 201);
    const { id, created_at, ...rest } = body;
    assert.match(id, /^cus_[0-9a-z]{26}$/);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    assert.deepEqual(rest, {
      object: 'customer',
      livemode: false,
      external_id: 'plain',
      name: null,
      email: null,
      currency: 'USD',
      tax_rate: '0',
      tax_treatment: 'standard',
      address: null,
      tax_ids: [],
      buyer_reference: null,
      timezone: null,
      net_days: null,
      billing_emails: [],
      email_muted: false,
      language: null,
      charge_mode: null,
      collection_pause: null,
      reminder_days: null,
      metadata: {},
      credit_remaining: 0,
      balance: '0.00',
      test_clock: null,
      redaction: null,
    });
    for (const path of [`${PATH}/${id}`, `${PATH}/plain`])
      assert.deepEqual((await api.request(path)).body, body);
  });

  it('a live key makes live customers, another account has its own currency', async () => {
    const live = await api.post(PATH, { external_id: 'plain' }, { key: api.live_key });
    assert.deepEqual([live.status, live.body.livemode], [201, true]);
    const other = await api.post(PATH, { external_id: 'plain' }, { key: api.other_key });
    assert.deepEqual([other.status, other.body.currency], [201, 'EUR']);
  });

  const WHOLE = {
    external_id: `it's "quoted"; -- 日本 🎉`,
    name: '<script>',
    email: 'a@b.example',
    currency: 'JPY',
    tax_rate: 20.5,
    metadata: { constructor: 1, nested: { list: [1, 'a', null, true] }, empty: {} },
  };

  it('stores what was sent, decimals in their canonical form', async () => {
    const { status, body } = await api.post(PATH, WHOLE);
    assert.equal(status, 201);
    const { external_id, name, email, currency, tax_rate, metadata } = body;
    assert.deepEqual(
      { external_id, name, email, currency, tax_rate, metadata },
      { ...WHOLE, tax_rate: '20.5' },
    );
    const path = `${PATH}/${encodeURIComponent(external_id)}`;
    assert.deepEqual((await api.request(path)).body, body);
  });

  const EQUAL: [name: string, sent: object][] = [
    ['the same', WHOLE],
    ['fewer fields', { external_id: WHOLE.external_id }],
    ['nulls', { external_id: WHOLE.external_id, email: null, metadata: null }],
    ['another spelling of the rate', { ...WHOLE, tax_rate: '20.500' }],
    [
      'members in another order',
      { ...WHOLE, metadata: Object.fromEntries(Object.entries(WHOLE.metadata).reverse()) },
    ],
  ];
  for (const [name, sent] of EQUAL) {
    it(`known and equal: ${name}`, async () => {
      const stored = (await api.request(`${PATH}/${encodeURIComponent(WHOLE.external_id)}`)).body;
      const { status, body, headers } = await api.post(PATH, sent);
      assert.equal(status, 200);
      assert.deepEqual(body, stored);
      assert.equal(headers.get('location'), null);
    });
  }

  for (const change of [
    { name: 'x' },
    { email: 'c@d' },
    { currency: 'USD' },
    { tax_rate: '20' },
    { metadata: {} },
  ]) {
    it(`known and different: ${JSON.stringify(change)}`, async () => {
      const answer = await api.post(PATH, { ...WHOLE, ...change });
      assertRefused(answer, { code: 'conflict', param: 'external_id', reason: 'external_id_taken' });
    });
  }

  it('64 at once create one customer: one 201, equal ones 200, the others 409', async () => {
    const bodies = Array.from({ length: 64 }, (_, index) => ({
      external_id: 'race',
      name: `name ${index % 2}`,
    }));
    const answers = await Promise.all(bodies.map((body) => api.post(PATH, body)));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 1);
    assert.equal(statuses.filter((status) => status === 200).length, 31);
    assert.equal(statuses.filter((status) => status === 409).length, 32);
    const { name } = (await api.request(`${PATH}/race`)).body;
    for (const [index, { status }] of answers.entries())
      assert.equal(status === 409, bodies[index]!.name !== name);
  });

  describe('PATCH', () => {
    const patch = (body: object) => api.request(`${PATH}/patched`, { method: 'PATCH', body });
    before(() =>
      api.post(PATH, {
        external_id: 'patched',
        name: 'Old',
        email: 'old@x',
        tax_rate: '7',
        metadata: { a: { b: 1 }, c: 2 },
      }),
    );

    const NO_ADDRESS = {
      line1: null,
      line2: null,
      postal_code: null,
      city: null,
      state: null,
      country: null,
    };
    const STEPS: [sent: object, changed: object][] = [
      [{}, {}],
      [{ name: 'New' }, { name: 'New' }],
      [{ email: null }, { email: null }],
      [{ metadata: { a: { d: null, e: 3 }, c: null } }, { metadata: { a: { b: 1, e: 3 } } }],
      [{ metadata: { a: [{ x: null }] } }, { metadata: { a: [{ x: null }] } }],
      [{ tax_rate: 19 }, { tax_rate: '19' }],
      [
        { tax_rate: null, name: null },
        { tax_rate: '0', name: null },
      ],
      [{ metadata: null }, { metadata: {} }],
      [{ tax_treatment: 'reverse_charge' }, { tax_treatment: 'reverse_charge' }],
      [
        { buyer_reference: 'PO 7', net_days: 14 },
        { buyer_reference: 'PO 7', net_days: 14 },
      ],
      [{ timezone: 'Europe/Berlin' }, { timezone: 'Europe/Berlin' }],
      [
        { address: { line1: 'High Street 1', country: 'GB' } },
        { address: { ...NO_ADDRESS, line1: 'High Street 1', country: 'GB' } },
      ],
      [
        { address: { city: 'London' } },
        { address: { ...NO_ADDRESS, line1: 'High Street 1', city: 'London', country: 'GB' } },
      ],
      [
        { tax_ids: [{ type: 'gb_vat', value: 'GB 980 7806 84' }] },
        { tax_ids: [{ type: 'gb_vat', value: 'GB980780684' }] },
      ],
      [{ name: 'Kept' }, { name: 'Kept' }],
      [
        {
          tax_treatment: null,
          buyer_reference: null,
          net_days: null,
          timezone: null,
          address: null,
          tax_ids: null,
        },
        {
          ...{ tax_treatment: 'standard', buyer_reference: null, net_days: null, timezone: null },
          ...{ address: null, tax_ids: [] },
        },
      ],
      [{ currency: 'EUR' }, { currency: 'EUR' }],
    ];
    for (const [sent, changed] of STEPS) {
      it(JSON.stringify(sent), async () => {
        const before_patch = (await api.request(`${PATH}/patched`)).body;
        const { status, body } = await patch(sent);
        assert.equal(status, 200);
        assert.deepEqual(body, { ...before_patch, ...changed });
      });
    }

    it('the currency stays once anything is counted in it', async () => {
      const { body: plan } = await api.post('/v1/pricing-plans', {
        ...{ name: 'Plan', currency: 'EUR' },
        charges: [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '1' }],
      });
      await api.post('/v1/subscriptions', { customer_id: 'patched', plan_id: plan.id });
      const { status, body } = await patch({ currency: 'USD' });
      assert.deepEqual(
        [status, body.error.param, body.error.details[0].reason],
        [409, 'currency', 'invalid_state'],
      );
      assert.equal((await patch({ currency: 'EUR' })).status, 200);
    });

    it('concurrent patches are all applied', async () => {
      await Promise.all(
        Array.from({ length: 16 }, (_, index) => patch({ metadata: { [`k${index}`]: index } })),
      );
      const { metadata } = (await api.request(`${PATH}/patched`)).body;
      assert.equal(Object.keys(metadata).length, 16);
    });
  });

  it('the list is newest first', async () => {
    const { body } = await api.request(PATH);
    const ids = body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, [...ids].sort().reverse());
    assert.equal(body.data.at(-1).external_id, 'plain');
  });
});
