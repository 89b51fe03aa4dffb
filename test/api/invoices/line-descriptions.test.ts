import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { later, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** The descriptions come from the upcoming invoice of a plan with these charges and events. */
describe('the descriptions of lines', () => {
  let api: TestApi;
  const { customer, plan, read, subscribe, use } = testCustomersOn((path, sent) => api.request(path, sent));
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  /** The description of each line, without the period. */
  async function said(charges: readonly object[], events: readonly object[]): Promise<string[]> {
    const customer_id = await customer({}, null);
    const { id, start_date } = await subscribe(customer_id, await plan(charges));
    await use(
      customer_id,
      events.map((event) => ({ timestamp: later(start_date, 1), ...event })),
    );
    const { line_items } = await read(`/v1/subscriptions/${id}/upcoming-invoice`);
    return line_items.map(({ description }: Json) => description.split(', from ')[0]);
  }

  const PRICE = { pricing_model: 'per_unit', unit_amount: '1' };

  it('D2: distinguish charges that differ only by their filters', async () => {
    const of = (model: string) => ({ event_name: 'request', filters: { model: [model] }, ...PRICE });
    const events = ['large', 'small', 'small'].map((model) => ({
      event_name: 'request',
      properties: { model },
    }));
    assert.deepEqual(await said([of('large'), of('small')], events), [
      'Request (model large): 1 event',
      'Request (model small): 2 events',
    ]);
  });

  it('D3: use the name of a charge, if it has one, instead of event and property', async () => {
    const charge = {
      ...{ event_name: 'cdr_v2_evt', name: 'Call minutes', ...PRICE },
      aggregation: { type: 'sum', property: 'billsec_raw' },
    };
    const events = [60, 4].map((billsec_raw) => ({ event_name: 'cdr_v2_evt', properties: { billsec_raw } }));
    assert.deepEqual(await said([charge], events), ['Call minutes: 64']);
    assert.deepEqual(await said([{ ...charge, name: 'Calls', unit_name: 'minutes' }], events), [
      'Calls: 64 minutes',
    ]);
  });
});
