import assert from 'node:assert/strict';
import { aggregateUsage, applyCredits, issueInvoice } from '../../../src/billing/close/draft.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { NO_GRACE } from '../../support/ledger/billing.ts';
import { at, later, testCustomersOn, PER_UNIT, times } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/invoices';

describe('the list of invoices, and refused requests', () => {
  let api: TestApi;
  let customer_id: string;
  /** Newest first: April's draft, the paid ones of March and February (total 0.00), and January's, which is open. */
  const ids: string[] = [];
  const { customer, get, plan, post, read, subscribe, use } = testCustomersOn((path, sent) =>
    api.request(path, sent),
  );
  before(async () => {
    api = await startApi();
    customer_id = await customer({}, at('05-01'));
    await use(customer_id, times(2, { timestamp: at('01-15') }));
    const dates = { start_date: at('01-01') };
    const { id } = await subscribe(customer_id, await plan([PER_UNIT]), dates);
    for (const start of ['01-01', '02-01', '03-01', '04-01']) ids.unshift(await bill(id, at(start)));
  });
  after(() => api.close());

  /** Runs the billing steps as the worker does; April's invoice stays a draft. */
  async function bill(subscription_id: string, period_start: string): Promise<string> {
    const step = { environment_id: 1, subscription_id, period_start, revision: 1 };
    const id = await transaction(api.pool, (db) => aggregateUsage(db, step, NO_GRACE));
    await transaction(api.pool, (db) => applyCredits(db, step, NO_GRACE));
    if (period_start !== at('04-01')) await transaction(api.pool, (db) => issueInvoice(db, step, NO_GRACE));
    return id!;
  }

  /** Indexes in `ids` of the invoices found: 0 is April's draft, 3 is January's invoice. */
  const found = async (query: string) =>
    (await read(`${PATH}?customer_id=${customer_id}${query}`)).data.map(({ id }: Json) => ids.indexOf(id));

  it('filters by number, currency and whether an invoice is overdue', async () => {
    const { number } = await read(`${PATH}/${ids[3]}`);
    const QUERIES: [query: string, places: number[]][] = [
      [`&number=${number}`, [3]],
      ['&number=INV-999999', []],
      ['&currency=USD', [0, 1, 2, 3]],
      ['&currency=EUR', []],
      ['&overdue=false', [0, 1, 2, 3]],
      ['&overdue=true', []],
    ];
    for (const [query, places] of QUERIES) assert.deepEqual(await found(query), places, query);
    // The day after its issue, January's invoice is overdue.
    await api.pool.query(
      `update customers set test_clock = test_clock + interval '1 day' where external_id = $1`,
      [customer_id],
    );
    assert.deepEqual([await found('&overdue=true'), await found('&overdue=false')], [[3], [0, 1, 2]]);
  });

  it('is added up by status and currency, with the same filters', async () => {
    const sums = async (query: string) =>
      (await read(`${PATH}/summary?customer_id=${customer_id}${query}`)).data;
    const sum = (status: string, count: number, total: string, amount_due: string) => ({
      ...{ status, currency: 'USD', count, total, tax: '0.00', amount_due, amount_paid: '0.00' },
    });
    assert.deepEqual(await sums(''), [
      sum('draft', 1, '0.00', '0.00'),
      sum('open', 1, '2.00', '2.00'),
      sum('paid', 2, '0.00', '0.00'),
    ]);
    assert.deepEqual(await sums('&overdue=true'), [sum('open', 1, '2.00', '2.00')]);
    assert.deepEqual(await sums('&status=void'), []);
    assert.equal((await get(`${PATH}/summary?limit=1`)).status, 400);
  });

  it('is newest first, and filters by status and by a half-open range of period ends', async () => {
    const end = (day: string, milliseconds = 0) => encodeURIComponent(later(at(day), milliseconds));
    const QUERIES: [query: string, places: number[]][] = [
      ['', [0, 1, 2, 3]],
      ['&status=draft', [0]],
      ['&status=paid', [1, 2]],
      ['&status=open', [3]],
      ['&status=void', []],
      [`&from=${end('03-01')}`, [0, 1, 2]],
      [`&from=${end('03-01', 1)}`, [0, 1]],
      [`&to=${end('03-01')}`, [3]],
      [`&to=${end('03-01', 1)}`, [2, 3]],
      [`&from=${end('03-01')}&to=${end('04-01')}`, [2]],
      [`&from=${end('03-01')}&to=${end('03-01')}`, []],
      [`&from=${at('04-01').slice(0, 10)}`, [0, 1]],
      [`&from=${end('03-01')}&status=paid`, [1, 2]],
    ];
    for (const [query, places] of QUERIES) assert.deepEqual(await found(query), places, query);
  });

  it('takes either id of the customer, and is empty for an unknown one', async () => {
    const { id } = await read(`/v1/customers/${customer_id}`);
    assert.equal((await read(`${PATH}?customer_id=${id}`)).data.length, 4);
    for (const unknown of ['nobody', 'cus_nobody'])
      assert.deepEqual(await read(`${PATH}?customer_id=${unknown}`), {
        object: 'list',
        data: [],
        has_more: false,
        next_cursor: null,
      });
  });

  const BAD: [query: string, param: string | null, reason: Reason][] = [
    ['status=OPEN', 'status', 'not_allowed'],
    ['status=open,paid', 'status', 'not_allowed'],
    ['status=deleted', 'status', 'not_allowed'],
    ['status=', 'status', 'missing'],
    ['status=open&status=void', 'status', 'duplicate_member'],
    ['from=bad', 'from', 'malformed'],
    ['to=2024-02-30T00:00:00Z', 'to', 'malformed'],
    ['from=infinity', 'from', 'malformed'],
    ['from=2026-02-01&to=2026-01-01', 'from', 'out_of_order'],
    ['limit=201', 'limit', 'out_of_range'],
    ['limit=0', 'limit', 'out_of_range'],
    ['customer_id=%00', 'customer_id', 'malformed'],
    ['custmer_id=C1', 'custmer_id', 'unknown_parameter'],
    ['cursor=x', 'cursor', 'bad_cursor'],
  ];
  for (const [query, param, reason] of BAD) {
    it(`?${query}`, async () => {
      assertRefused(await get(`${PATH}?${query}`), { code: 'invalid_request', param, reason });
    });
  }

  it('lists each invoice once for every page size; a cursor is valid only with its filters', async () => {
    for (const limit of [1, 3, 4, 200]) {
      const walked: string[] = [];
      const query = `${PATH}?customer_id=${customer_id}&limit=${limit}`;
      let page = await read(query);
      for (; page.has_more; page = await read(`${query}&cursor=${page.next_cursor}`))
        walked.push(...page.data);
      walked.push(...page.data);
      assert.deepEqual(
        walked.map((invoice: Json) => invoice.id),
        ids,
      );
    }
    const { next_cursor } = await read(`${PATH}?customer_id=${customer_id}&limit=1`);
    const flipped = next_cursor.slice(0, -1) + (next_cursor.endsWith('A') ? 'Q' : 'A');
    for (const query of [`customer_id=${customer_id}&cursor=${flipped}`, `cursor=${next_cursor}`]) {
      const answer = await get(`${PATH}?${query}`);
      assertRefused(answer, { code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' });
    }
  });

  const BODIES: [action: string, body: object, param: string, reason: Reason][] = [
    ['pay', { paid_at: '2026-02-30' }, 'paid_at', 'malformed'],
    ['pay', { paid_at: 1 }, 'paid_at', 'wrong_type'],
    ['pay', { reference: '' }, 'reference', 'missing'],
    ['pay', { reference: 1 }, 'reference', 'wrong_type'],
    ['pay', { reference: 'a\nb' }, 'reference', 'malformed'],
    ['pay', { reference: 'x'.repeat(256) }, 'reference', 'too_long'],
    ['pay', { amount: '3.00' }, 'amount', 'unknown_member'],
    ['finalize', { reason: 'x' }, 'reason', 'unknown_member'],
  ];
  it('invalid bodies change nothing, in any state', async () => {
    const [open, draft] = await Promise.all([ids[3], ids[0]].map((id) => read(`${PATH}/${id}`)));
    for (const [action, body, param, reason] of BODIES) {
      for (const invoice of [open, draft]) {
        const answer = await post(`${PATH}/${invoice.id}/${action}`, body);
        assertRefused(answer, { code: 'invalid_request', param, reason });
      }
    }
    for (const invoice of [open, draft]) assert.deepEqual(await read(`${PATH}/${invoice.id}`), invoice);
  });

  it('unknown ids, other ids and ids of other environments get the same 404', async () => {
    const id = ids[3]!;
    const live = { key: api.live_key };
    const answers = [];
    for (const path of ['inv_nothing', customer_id, 'cus_1', id.toUpperCase(), '%00', `${id}x`])
      for (const action of ['', '/finalize', '/pay'])
        answers.push(await (action === '' ? get : post)(`${PATH}/${path}${action}`));
    answers.push(await get(`${PATH}/${id}`, live));
    for (const action of ['finalize', 'pay']) answers.push(await post(`${PATH}/${id}/${action}`, {}, live));
    for (const answer of answers) {
      assertRefused(answer, { code: 'not_found' });
      assert.deepEqual(
        { ...answer.body.error, request_id: null },
        { ...answers[0]!.body.error, request_id: null },
      );
    }
    assert.equal((await read(`${PATH}/${id}`)).status, 'open');
  });
});
