import assert from 'node:assert/strict';
import { archiveEvents } from '../../../src/archive/archive.ts';
import { REPORTS } from '../../../src/db/reports/fold.ts';
import { consumeAll } from '../../../src/db/changes/consume.ts';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { aFolder } from '../../support/servers/folder.ts';

const BEFORE = '2025-03-01T00:00:00.000Z';

describe('what has left for the archive, over HTTP', () => {
  let api: TestApi;
  let id: string;
  const event = {
    event_name: 'api_call',
    customer_id: 'C1',
    idempotency_key: 'old',
    timestamp: '2025-02-05T10:00:00.000Z',
  };
  const live = (path: string, body?: object) =>
    api.request(path, { key: api.live_key, ...(body === undefined ? {} : { method: 'POST', body }) });
  const reasonOf = ({
    status,
    body,
  }: {
    status: number;
    body: { error?: { details: { reason: string }[] } };
  }) => [status, body.error?.details[0]?.reason];
  before(async () => {
    api = await startApi();
    assert.equal((await live('/v1/customers', { external_id: 'C1' })).status, 201);
    const stored = await live('/v1/events', event);
    assert.equal(stored.status, 201);
    id = stored.body.id;
    while (await rollUp(api.pool));
    await consumeAll(api.pool, REPORTS);
    const { rows } = await api.pool.query<{ id: number; livemode: boolean }>(
      'select id, livemode from environments',
    );
    const archiving = { before: BEFORE, environments: rows, folder: await aFolder(), say: () => undefined };
    assert.deepEqual(await archiveEvents(api.pool, archiving), { files: 1, events: 1 });
  });
  after(() => api.close());

  it('a resend is the stored event, by itself and in a batch; another event with its key is a conflict', async () => {
    const resent = await live('/v1/events', event);
    assert.deepEqual([resent.status, resent.body.id, resent.body.timestamp], [200, id, event.timestamp]);
    const batch = await live('/v1/events/batch', { events: [event] });
    assert.deepEqual([batch.body.created, batch.body.duplicates], [0, 1]);
    const changed = { ...event, properties: { a: 1 } };
    assert.deepEqual(reasonOf(await live('/v1/events', changed)), [409, 'idempotency_mismatch']);
  });

  it('the event is not found, and in no list', async () => {
    assert.deepEqual(reasonOf(await live(`/v1/events/${id}`)), [404, undefined]);
    assert.deepEqual(reasonOf(await live('/v1/events/evt_00000000000000000000000000')), [404, undefined]);
    assert.deepEqual(reasonOf(await api.request(`/v1/events/${id}`)), [404, undefined]);
    for (const filter of [
      'idempotency_key=old',
      'customer_id=C1',
      'event_name=api_call',
      'billing_status=unrated',
    ])
      assert.deepEqual((await live(`/v1/events?${filter}`)).body.data, [], filter);
  });

  it('reports count it by whole days, and refuse a part of its day', async () => {
    const whole = await live('/v1/usage-report?from=2025-02-05T00:00:00Z&to=2025-02-06T00:00:00Z');
    assert.equal(whole.body.data[0].unrated, 1, JSON.stringify(whole.body));
    const part = await live('/v1/usage-report?from=2025-02-05T01:00:00Z&to=2025-02-06T00:00:00Z');
    assert.deepEqual(reasonOf(part), [400, 'archived']);
  });

  it('usage before it, and a subscription that starts there, are refused', async () => {
    const usage = await live('/v1/customers/C1/usage?from=2025-02-28T00:00:00Z&to=2025-03-02T00:00:00Z');
    assert.deepEqual(reasonOf(usage), [400, 'archived']);
    assert.equal((await live(`/v1/customers/C1/usage?from=${BEFORE}&to=2025-03-02T00:00:00Z`)).status, 200);
    const plan = await live('/v1/pricing-plans', {
      name: 'Plan',
      pricing_model: 'per_unit',
      charges: [{ event_name: 'api_call', unit_amount: '1' }],
    });
    const subscription = { customer_id: 'C1', plan_id: plan.body.id, start_date: '2025-02-28' };
    assert.deepEqual(reasonOf(await live('/v1/subscriptions', subscription)), [409, 'archived']);
    const { body } = await api.request('/v1/customers/C1', { method: 'DELETE', key: api.live_key });
    assert.equal(body.error.code, 'conflict');
  });

  it('an invoice that begins before it is not regenerated, also as a dry run, and no end is set there, with the reason archived', async () => {
    assert.equal((await live('/v1/customers', { external_id: 'C2' })).status, 201);
    const plan = await live('/v1/pricing-plans', {
      name: 'Flat',
      pricing_model: 'flat',
      charges: [{ event_name: 'platform', flat_amount: '1' }],
    });
    const subscription = { customer_id: 'C2', plan_id: plan.body.id, start_date: '2026-01-01' };
    const { body } = await live('/v1/subscriptions', subscription);
    const generated = await live('/v1/invoices/generate', { subscription_id: body.id });
    const { id: invoice_id } = generated.body.data[0];
    const path = `/v1/invoices/${invoice_id}/regenerate`;
    await api.pool.query(`update customers set archived_to = '2030-01-01' where external_id = 'C2'`);
    assert.deepEqual(reasonOf(await live(path, {})), [409, 'archived']);
    assert.deepEqual(reasonOf(await live(path, { dry_run: true })), [409, 'archived']);
    const end = { at: '2026-05-10' };
    assert.deepEqual(reasonOf(await live(`/v1/subscriptions/${body.id}/cancel`, end)), [409, 'archived']);
    // Refused by the worker, because the events left after the request was stored.
    await api.pool.query(
      `insert into regenerations (environment_id, id, subscription_id, invoice_id, request_key, status, refusal,
         details, requested_at, finished_at)
       select environment_id, 'reg_archived', subscription_id, id, id || '/archived', 'refused', 'archived',
         '[{"param": null, "reason": "archived", "message": "archived"}]', now(), now()
       from invoices where id = $1`,
      [invoice_id],
    );
    const sent = { key: api.live_key, method: 'POST', body: {}, headers: { 'Idempotency-Key': 'archived' } };
    assert.deepEqual(reasonOf(await api.request(path, sent)), [409, 'archived']);
  });

  it('an event for that time is stored all the same', async () => {
    const late = await live('/v1/events', { ...event, idempotency_key: 'late' });
    assert.equal(late.status, 201);
    assert.equal((await live(`/v1/events/${late.body.id}`)).body.billing[0].status, 'unrated');
  });
});
