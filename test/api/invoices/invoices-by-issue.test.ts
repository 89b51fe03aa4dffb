import assert from 'node:assert/strict';
import { aggregateUsage, applyCredits, issueInvoice } from '../../../src/billing/close/draft.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { NO_GRACE } from '../../support/ledger/billing.ts';
import { at, later, testCustomersOn, PER_UNIT, times } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/invoices';
const [TEST, LIVE] = [1, 2];

describe('invoices by the time of their issue', () => {
  let api: TestApi;
  let customer_id: string;
  /** Newest first: April's draft, then March's, February's and January's, each issued on a day of the next month. */
  const ids: string[] = [];
  const ISSUED = { '01-01': at('02-01'), '02-01': at('03-10T12:00'), '03-01': at('04-01'), '04-01': null };
  const { customer, get, plan, read, subscribe, use } = testCustomersOn((path, sent) =>
    api.request(path, sent),
  );

  before(async () => {
    api = await startApi();
    customer_id = await customer({}, at('05-01'));
    await use(customer_id, times(2, { timestamp: at('01-15') }));
    const { id } = await subscribe(customer_id, await plan([PER_UNIT]), { start_date: at('01-01') });
    for (const [start, issued_at] of Object.entries(ISSUED))
      ids.unshift(await bill(TEST, { subscription_id: id, period_start: at(start), issued_at }));
  });
  after(() => api.close());

  type Period = { subscription_id: string; period_start: string; issued_at: string | null };

  /** Runs the billing steps as the worker does, at this instant of the customer's clock; null: the invoice stays a draft. */
  async function bill(environment_id: number, { issued_at, ...period }: Period): Promise<string> {
    const step = { environment_id, ...period, revision: 1 };
    const id = await transaction(api.pool, (db) => aggregateUsage(db, step, NO_GRACE));
    await transaction(api.pool, (db) => applyCredits(db, step, NO_GRACE));
    if (issued_at === null) return id!;
    if (environment_id === TEST)
      await api.pool.query('update customers set test_clock = $1 where environment_id = $2', [
        issued_at,
        TEST,
      ]);
    await transaction(api.pool, (db) => issueInvoice(db, step, NO_GRACE));
    return id!;
  }

  /** Indexes in `ids` of the invoices found: 0 is April's draft, 3 is January's invoice. */
  const found = async (query: string) =>
    (await read(`${PATH}?${query}`)).data.map(({ id }: Json) => ids.indexOf(id));
  const instant = (text: string, milliseconds = 0) => encodeURIComponent(later(at(text), milliseconds));

  it('the range is half open, combines with the range of period ends, and excludes drafts', async () => {
    const march = instant('03-10T12:00');
    const QUERIES: [query: string, places: number[]][] = [
      ['', [0, 1, 2, 3]],
      ['issued_from=1970-01-01', [1, 2, 3]],
      ['issued_to=9999-12-31', [1, 2, 3]],
      [`issued_from=${march}`, [1, 2]],
      [`issued_from=${instant('03-10T12:00', 1)}`, [1]],
      [`issued_to=${march}`, [3]],
      [`issued_to=${instant('03-10T12:00', 1)}`, [2, 3]],
      [`issued_from=${instant('02-01')}&issued_to=${march}`, [3]],
      [`issued_from=${march}&issued_to=${march}`, []],
      [`issued_from=${at('03-01').slice(0, 10)}&issued_to=${at('04-01').slice(0, 10)}`, [2]],
      ['issued_from=1970-01-01&status=draft', []],
      ['issued_from=1970-01-01&status=open', [3]],
      [`issued_from=1970-01-01&customer_id=${customer_id}`, [1, 2, 3]],
      ['issued_from=1970-01-01&customer_id=nobody', []],
      // February's period ended on 1 March; its invoice was issued on 10 March.
      [`issued_from=${march}&from=${instant('03-01')}&to=${instant('03-02')}`, [2]],
      [`issued_from=${march}&to=${instant('03-01')}`, []],
    ];
    for (const [query, places] of QUERIES) assert.deepEqual(await found(query), places, query);
  });

  it('test and live invoices are separate', async () => {
    const live = { key: api.live_key };
    const since = (start_date: string) => ({ customer_id: 'paying', start_date });
    const make = async (path: string, body: object) => (await api.post(path, body, live)).body.id;
    await make('/v1/customers', { external_id: 'paying' });
    const plan_id = await make('/v1/pricing-plans', { name: 'Plan', charges: [PER_UNIT] });
    const period_start = later(new Date().toISOString(), -40 * 86_400_000);
    const subscription_id = await make('/v1/subscriptions', { plan_id, ...since(period_start) });
    const id = await bill(LIVE, { subscription_id, period_start, issued_at: period_start });
    const { body } = await get(`${PATH}?issued_from=1970-01-01`, live);
    assert.deepEqual(
      body.data.map((invoice: Json) => invoice.id),
      [id],
    );
    assert.deepEqual(await found('issued_from=1970-01-01'), [1, 2, 3]);
  });

  it('lists each invoice once for every page size; a cursor is valid only with its range', async () => {
    const range = `issued_from=${instant('02-01')}&issued_to=${instant('04-01', 1)}`;
    for (const limit of [1, 2, 3]) {
      const query = `${range}&limit=${limit}`;
      const walked = [];
      let page = await read(`${PATH}?${query}`);
      for (; page.has_more; page = await read(`${PATH}?${query}&cursor=${page.next_cursor}`))
        walked.push(...page.data);
      walked.push(...page.data);
      assert.deepEqual(
        walked.map(({ id }) => id),
        ids.slice(1),
      );
    }
    const { next_cursor } = await read(`${PATH}?${range}&limit=1`);
    const others = ['', `issued_from=${instant('02-01')}&`, `from=${instant('02-01')}&`];
    for (const other of others) {
      const answer = await get(`${PATH}?${other}limit=1&cursor=${next_cursor}`);
      assertRefused(answer, { code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' });
    }
  });

  const BAD: [query: string, param: string, reason: Reason][] = [
    ['issued_from=bad', 'issued_from', 'malformed'],
    ['issued_to=2026-02-30', 'issued_to', 'malformed'],
    ['issued_from=infinity', 'issued_from', 'malformed'],
    ['issued_to=', 'issued_to', 'missing'],
    ['issued_from=2026-01-01&issued_from=2026-01-02', 'issued_from', 'duplicate_member'],
    ['issued_from=2026-02-01&issued_to=2026-01-01', 'issued_from', 'out_of_order'],
    ['from=2026-02-01&to=2026-01-01&issued_from=2026-01-01', 'from', 'out_of_order'],
    ['issued_at=2026-02-01', 'issued_at', 'unknown_parameter'],
  ];
  for (const [query, param, reason] of BAD) {
    it(`?${query}`, async () => {
      assertRefused(await get(`${PATH}?${query}`), { code: 'invalid_request', param, reason });
    });
  }
});
