import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import * as given from '../../support/ledger/billing.ts';

const PATH = '/v1/account';
const HAMBURG = {
  ...{ line1: 'Hafenstraße 12', line2: null, postal_code: '20457', city: 'Hamburg', state: null },
  country: 'DE',
};

describe('the account', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const patch = (body: Json, key = api.test_key) => api.request(PATH, { method: 'PATCH', body, key });

  it('has settings of its own for test and for live data', async () => {
    const changed = await patch({ name: 'Ocean GmbH', currency: 'EUR', tax_rate: '19' });
    assert.equal(changed.status, 200);
    assert.deepEqual((await api.request(PATH)).body, changed.body);
    const live = (await api.request(PATH, { key: api.live_key })).body;
    assert.deepEqual(
      [live.livemode, live.name, live.currency, live.tax_rate],
      [true, 'Tidemark', 'USD', '0'],
    );
    assert.equal(live.id, changed.body.id);
    const customer = await api.post('/v1/customers', { external_id: 'of the test account' });
    assert.deepEqual([customer.body.currency, customer.body.tax_rate], ['EUR', '19']);
  });

  it('merges the parts of an address, replaces tax ids, and stores them without blanks and dots', async () => {
    const first = await patch({ address: HAMBURG, tax_ids: [{ type: 'eu_vat', value: 'de 136.695.976' }] });
    assert.deepEqual(first.body.address, HAMBURG);
    assert.deepEqual(first.body.tax_ids, [{ type: 'eu_vat', value: 'DE136695976' }]);
    const moved = await patch({ address: { line1: 'Hafenstraße 14', postal_code: null } });
    assert.deepEqual(moved.body.address, { ...HAMBURG, line1: 'Hafenstraße 14', postal_code: null });
    const gone = await patch({ address: null, tax_ids: [] });
    assert.deepEqual([gone.body.address, gone.body.tax_ids], [null, []]);
  });

  it('is not shown to a key of events', async () => {
    assert.equal((await api.request(PATH, { key: api.events_only_key })).status, 401);
  });

  const REFUSED: [body: Json, param: string][] = [
    [{ address: { line1: 'Nowhere 1' } }, 'address.country'],
    [{ address: { country: 'XX' } }, 'address.country'],
    [{ address: { country: 'de' } }, 'address.country'],
    [{ address: { street: 'x', country: 'DE' } }, 'address.street'],
    [{ address: 'Hafenstraße 12' }, 'address'],
    [{ tax_ids: [{ type: 'eu_vat', value: 'DE136695975' }] }, 'tax_ids[0].value'],
    [{ tax_ids: [{ type: 'vat', value: 'DE136695976' }] }, 'tax_ids[0].type'],
    [{ tax_ids: [{ type: 'other', value: ' . ' }] }, 'tax_ids[0].value'],
    [{ tax_ids: Array.from({ length: 6 }, () => ({ type: 'other', value: '1' })) }, 'tax_ids'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+02:00' }, 'timezone'],
    [{ net_days: -1 }, 'net_days'],
    [{ net_days: 366 }, 'net_days'],
    [{ net_days: 1.5 }, 'net_days'],
    [{ notice_days: { renewal: -1 } }, 'notice_days.renewal'],
    [{ notice_days: { renewal: 7, trial_end: 61 } }, 'notice_days.trial_end'],
    [{ notice_days: { credit_expiry: 1.5 } }, 'notice_days.credit_expiry'],
    [{ notice_days: { credit_expiry: '7' } }, 'notice_days.credit_expiry'],
    [{ notice_days: { renewal: [7] } }, 'notice_days.renewal'],
    [{ notice_days: { overdue: 7 } }, 'notice_days.overdue'],
    [{ notice_days: 7 }, 'notice_days'],
    [{ notice_days: [] }, 'notice_days'],
    [{ invoice_prefix: 'INV-1' }, 'invoice_prefix'],
    [{ invoice_prefix: 'CN-' }, 'invoice_prefix'],
    [{ invoice_prefix: 'cn-' }, 'invoice_prefix'],
    [{ invoice_prefix: 'cN-' }, 'invoice_prefix'],
    [{ invoice_prefix: 'A B' }, 'invoice_prefix'],
    [{ invoice_prefix: 'A'.repeat(21) }, 'invoice_prefix'],
    [{ next_invoice_number: 0 }, 'next_invoice_number'],
    [{ hide_zero_lines: 'yes' }, 'hide_zero_lines'],
    [{ currency: 'XAU' }, 'currency'],
    [{ tax_rate: '100.1' }, 'tax_rate'],
    [{ id: 'acct_1' }, 'id'],
  ];
  for (const [body, param] of REFUSED)
    it(`400 ${param}: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const before = (await api.request(PATH)).body;
      const { status, body: answer } = await patch(body);
      assert.deepEqual([status, answer.error.param], [400, param], JSON.stringify(answer));
      assert.deepEqual((await api.request(PATH)).body, before);
    });
});

describe('the numbers of invoices', () => {
  let api: TestApi;
  let step: ReturnType<typeof given.stepOf>;
  before(async () => {
    api = await startApi();
    const customer = await given.aCustomer(api.pool);
    const plan = await given.aPlan(api.pool, [{ pricing: given.PER_UNIT }]);
    step = given.stepOf(await given.aSubscription(api.pool, customer, plan));
    await given.post(api.pool, customer, given.january(2));
  });
  after(() => api.close());

  const patch = (body: Json) => api.request(PATH, { method: 'PATCH', body, key: api.live_key });

  it('do not begin elsewhere while they wait for an operator after a restore', async () => {
    const halt = (reason: string | null) =>
      api.pool.query('update environments set numbering_halt = $1 where livemode', [reason]);
    await halt('Live invoices wait: the database was restored');
    const { status, body } = await patch({ next_invoice_number: 500 });
    assert.deepEqual([status, body.error.details[0].reason], [409, 'invalid_state']);
    const { rows } = await api.pool.query(
      'select numbering_halt, numbering_run from environments where livemode',
    );
    assert.match(rows[0].numbering_halt, /was restored/);
    await halt(null);
  });

  it('that begin elsewhere are still compared with Temporal', async () => {
    assert.equal((await patch({ next_invoice_number: 400 })).status, 200);
    const { rows } = await api.pool.query('select numbering_run from environments where livemode');
    assert.equal(rows[0].numbering_run, null);
  });

  it('begin where the account says, until the first invoice is issued, and are not lowered', async () => {
    assert.equal((await patch({ next_invoice_number: 500 })).body.next_invoice_number, 500);
    assert.equal((await patch({ next_invoice_number: 700 })).body.next_invoice_number, 700);
    const lowered = await patch({ next_invoice_number: 699 });
    assert.deepEqual(
      [lowered.status, lowered.body.error.param, lowered.body.error.details[0].reason],
      [409, 'next_invoice_number', 'invalid_state'],
    );
    await patch({ invoice_prefix: 'RE/2026-' });
    assert.equal((await given.bill(api.pool, step)).number, 'RE/2026-000700');
    assert.equal((await patch({ next_invoice_number: 701 })).status, 200);
    assert.equal((await patch({ next_invoice_number: 800 })).status, 409);
  });

  it('keep their prefix when the prefix of the account changes', async () => {
    await patch({ invoice_prefix: '' });
    const { body } = await api.request('/v1/invoices', { key: api.live_key });
    assert.deepEqual(
      body.data.map(({ number }: Json) => number),
      ['RE/2026-000700'],
    );
  });
});
