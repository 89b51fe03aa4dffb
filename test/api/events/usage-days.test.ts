import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import * as given from '../../support/ledger/billing.ts';

const SUM = {
  pricing: { pricing_model: 'per_unit', unit_amount: '1' },
  aggregation: { type: 'sum', property: 'n' },
} as const;
const RANGE = { from: '2026-01-01', to: '2026-02-01' };

describe('the days of the usage of a customer', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  async function subscribed(): Promise<given.TestCustomer> {
    const customer = await given.aCustomer(api.pool);
    await given.aSubscription(api.pool, customer, await given.aPlan(api.pool, [SUM]));
    return customer;
  }
  const ask = (id: string, query: Record<string, string>) =>
    api.request(`/v1/customers/${id}/usage?${new URLSearchParams(query)}`, { key: api.live_key });
  const usage = async (id: string, query: Record<string, string>): Promise<Json[]> => {
    const { status, body } = await ask(id, query);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const groups = (rows: Json[]) => rows.map(({ group, quantity }) => [group, quantity]);
  const at = (timestamp: string, n: number) => ({ timestamp, properties: { n } });

  it('are those of a time zone, page by page', async () => {
    const customer = await subscribed();
    await given.post(api.pool, customer, [
      at('2026-01-01T00:00:00Z', 2),
      at('2026-01-01T01:30:00Z', 3.5),
      at('2026-01-02T00:00:00Z', 1),
      at('2026-01-31T23:59:59.999Z', 0),
    ]);
    const query = { ...RANGE, group_by: 'day', timezone: 'Europe/Berlin' };
    const days = await usage(customer.id, query);
    assert.deepEqual(groups(days), [
      ['2026-01-31T23:00:00.000Z', '0'],
      ['2026-01-01T23:00:00.000Z', '1'],
      ['2025-12-31T23:00:00.000Z', '5.5'],
    ]);
    const first = (await ask(customer.id, { ...query, limit: '1' })).body;
    const rest = await usage(customer.id, { ...query, cursor: first.next_cursor });
    assert.deepEqual([...first.data, ...rest], days);
    assert.deepEqual(await usage(customer.id, { ...query, timezone: 'UTC' }), [
      ...(await usage(customer.id, { ...RANGE, group_by: 'day' })),
    ]);
  });
});
