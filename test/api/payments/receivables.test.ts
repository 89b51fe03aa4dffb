import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const AGES = ['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const;
/** A fee for a year in advance. */
const YEARLY = { event_name: 'platform', pricing_model: 'flat', flat_amount: '100', billed: 'in_advance' };
const FIRST = at('01-01');
const YEAR = FIRST.slice(0, 4);
const dayOf = (day: string) => `${YEAR}-${day}`;

/** billing.md 7, contract.md 4. That the sums are those of the journal is checked after each test with a stack (test/support/ledger/books.ts). */
describe('receivables', function () {
  const stack = useStack();
  const { get, done, read, customer, plan, subscribe, advance } = testCustomersOn(requestsTo(stack));

  const receivables = (query: Record<string, string>): Promise<Json> =>
    read(`/v1/receivables?${new URLSearchParams(query).toString()}`);

  /** The amounts of a debtor or a sum that are not zero, by age. */
  const agesOf = (owed: Json | undefined): Record<string, string> =>
    Object.fromEntries(AGES.flatMap((age) => (Number(owed?.[age] ?? 0) === 0 ? [] : [[age, owed[age]]])));

  /** A customer that owes for a year in advance, from 1 January on; its first invoice. */
  async function debtor(parts: object = {}, amount = '100'): Promise<{ customer_id: string; invoice: Json }> {
    const customer_id = await customer({ net_days: 30, ...parts }, at('12-31', -1));
    const { currency = 'USD' } = parts as { currency?: string };
    const plan_id = await plan([{ ...YEARLY, flat_amount: amount }], { interval: 'year', currency });
    await subscribe(customer_id, plan_id, { start_date: FIRST });
    const [invoice] = await advance(customer_id, at('01-02'));
    assert.deepEqual([invoice?.due_date, invoice?.amount_due], [dayOf('01-31'), invoice?.total]);
    return { customer_id, invoice: invoice! };
  }

  it('are those of the day, as it was booked then', async () => {
    const { customer_id, invoice } = await debtor();
    const path = `/v1/invoices/${invoice.id}`;
    await advance(customer_id, at('02-10'));
    const payment = await done(`${path}/payments`, { amount: '30.00', paid_at: at('01-15') });
    await advance(customer_id, at('03-05T10:00'));
    await done(`${path}/payments/${payment.id}/reverse`, { reason: 'Bounced' });
    await advance(customer_id, at('03-10T23:59'));
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '20' }];
    await done(`${path}/credit-notes`, { lines, reason: 'Outage' });
    await advance(customer_id, at('06-01'));
    await done(`${path}/payments`, { amount: '80.00' });

    const FIGURES: [day: string, owed: Record<string, string>][] = [
      ['01-01', { current: '100.00' }],
      ['01-31', { current: '100.00' }],
      ['02-01', { days_1_30: '100.00' }],
      ['02-09', { days_1_30: '100.00' }],
      ['02-10', { days_1_30: '70.00' }],
      ['03-02', { days_1_30: '70.00' }],
      ['03-03', { days_31_60: '70.00' }],
      ['03-05', { days_31_60: '100.00' }],
      ['03-10', { days_31_60: '80.00' }],
      ['05-01', { days_61_90: '80.00' }],
      ['05-02', { days_over_90: '80.00' }],
      ['05-31', { days_over_90: '80.00' }],
    ];
    for (const [day, owed] of FIGURES) {
      const { sums, data } = await receivables({ as_of: dayOf(day), customer_id });
      assert.deepEqual([agesOf(sums[0]), agesOf(data[0])], [owed, owed], day);
      const [total] = Object.values(owed);
      assert.deepEqual([sums[0].total, data[0].total], [total, total], day);
    }
    for (const day of [`${Number(YEAR) - 1}-12-31`, dayOf('06-01'), dayOf('12-31')]) {
      const { sums, data } = await receivables({ as_of: day, customer_id });
      assert.deepEqual([sums, data], [[], []], day);
    }
    assert.deepEqual(await receivables({ customer_id }), {
      object: 'receivables',
      ...{ as_of: null, timezone: 'UTC', sums: [], data: [], has_more: false, next_cursor: null },
    });
  });

  it('of a void invoice, and of what a balance covers and no longer covers, are those of the day', async () => {
    const { customer_id, invoice } = await debtor();
    const path = `/v1/invoices/${invoice.id}`;
    const deposit = await done(`/v1/customers/${customer_id}/payments`, { amount: '60.00' });
    const owed = async (day: string) =>
      (await receivables({ as_of: dayOf(day), customer_id })).data[0]?.total ?? 'nothing';
    assert.equal(await owed('01-02'), '100.00', 'the balance is not taken off');
    await advance(customer_id, at('01-03'));
    await done(`${path}/apply-balance`);
    await advance(customer_id, at('01-04'));
    await done(`/v1/payments/${deposit.id}/reverse`, { reason: 'Bounced' });
    await advance(customer_id, at('01-05'));
    await done(`${path}/void`);
    const days = ['01-01', '01-02', '01-03', '01-04', '01-05'];
    assert.deepEqual(await Promise.all(days.map(owed)), ['100.00', '100.00', '40.00', '100.00', 'nothing']);
  });

  it('without a day are all that is booked, the most overdue first, each at the today of its customer', async () => {
    const { customer_id: fresh } = await debtor({ name: 'Fresh', currency: 'CHF' });
    const { customer_id: oldest } = await debtor({ name: 'Oldest', currency: 'CHF' }, '70');
    const { customer_id: older } = await debtor({ currency: 'CHF' }, '30');
    await advance(older, at('02-01'));
    await advance(oldest, at('05-02'));
    const { sums, data, timezone, as_of } = await receivables({ currency: 'CHF' });
    assert.deepEqual([timezone, as_of], ['UTC', null]);
    assert.deepEqual(
      data.map((one: Json) => [one.customer_id, one.name, one.total, agesOf(one)]),
      [
        [oldest, 'Oldest', '70.00', { days_over_90: '70.00' }],
        [older, null, '30.00', { days_1_30: '30.00' }],
        [fresh, 'Fresh', '100.00', { current: '100.00' }],
      ],
    );
    assert.deepEqual(
      data.map((one: Json) => [one.currency, one.oldest_due_date, one.invoices]),
      Array(3).fill(['CHF', dayOf('01-31'), 1]),
    );
    const by_age = { current: '100.00', days_1_30: '30.00', days_31_60: '0.00', days_61_90: '0.00' };
    assert.deepEqual(sums, [{ currency: 'CHF', ...by_age, days_over_90: '70.00', total: '200.00' }]);
    // On one day all are as old.
    for (const [as_of, age] of [
      [dayOf('02-01'), 'days_1_30'],
      ['9999-12-31', 'days_over_90'],
    ] as const) {
      const on_a_day = await receivables({ currency: 'CHF', as_of });
      assert.deepEqual([on_a_day.as_of, agesOf(on_a_day.sums[0])], [as_of, { [age]: '200.00' }]);
    }
  });

  it('have pages, whose sums are those of all, and a file', async () => {
    const customers = [];
    for (const amount of ['1', '2', '3'])
      customers.push((await debtor({ currency: 'JPY', name: `=${amount}` }, amount)).customer_id);
    const filters = { currency: 'JPY', as_of: dayOf('02-01') };
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await receivables({ ...filters, limit: '1', ...(cursor !== null && { cursor }) });
      assert.equal(page.sums[0].total, '6');
      seen.push(...page.data.map((one: Json) => one.customer_id));
      assert.equal(page.has_more, page.next_cursor !== null);
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, customers);
    const { names, rows } = await csvFrom(
      `${stack().api_url}/v1/receivables.csv?${new URLSearchParams(filters).toString()}`,
      stack().test_key,
    );
    assert.deepEqual(names, [
      ...['customer_id', 'name', 'currency', ...AGES, 'total', 'oldest_due_date', 'invoices'],
    ]);
    assert.deepEqual(
      rows.map((row) => [row['customer_id'], row['name'], row['days_1_30'], row['total'], row['invoices']]),
      customers.map((id, place) => [id, `'=${place + 1}`, `${place + 1}`, `${place + 1}`, '1']),
    );
  });

  it('have all currencies by default, each with its sum, which is the account receivable of the journal', async () => {
    const as_of = dayOf('02-10');
    const { sums } = await receivables({ as_of });
    const { data } = await read(`/v1/journal/summary?from=1970-01-01&to=${at('02-11')}`);
    const booked = data
      .filter(({ account, debit, credit }: Json) => account === 'receivable' && debit !== credit)
      .map(({ currency, debit, credit }: Json) => [currency, Number(debit) - Number(credit)]);
    assert.deepEqual(
      sums.map(({ currency, total }: Json) => [currency, Number(total)]),
      booked,
    );
    assert.ok(sums.length >= 3, JSON.stringify(sums));
  });

  it('end their day in the time zone of the account', async () => {
    const { customer_id, invoice } = await debtor();
    await advance(customer_id, at('02-02T05:00')); // 1 February at 21:00 in Los Angeles
    await done(`/v1/invoices/${invoice.id}/payments`, { amount: '25.00' });
    const setZone = (timezone: string) =>
      requestsTo(stack)('/v1/account', { method: 'PATCH', body: { timezone } });
    await setZone('America/Los_Angeles');
    try {
      const { timezone, data } = await receivables({ as_of: dayOf('02-01'), customer_id });
      assert.deepEqual([timezone, data[0].total], ['America/Los_Angeles', '75.00']);
      const [now] = (await receivables({ customer_id })).data;
      assert.deepEqual(agesOf(now), { days_1_30: '75.00' });
      const [before] = (await receivables({ as_of: dayOf('01-31'), customer_id })).data;
      assert.deepEqual(agesOf(before), { current: '100.00' });
    } finally {
      await setZone('UTC');
    }
    const [in_utc] = (await receivables({ as_of: dayOf('02-01'), customer_id })).data;
    assert.equal(in_utc.total, '100.00');
  });

  it('of live data are apart, and have no day to come', async () => {
    const { live_key: key } = stack();
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { status, body } = await get(`/v1/receivables?as_of=${day(0)}`, { key });
    assert.deepEqual([status, body.sums, body.data], [200, [], []]);
    for (const path of ['/v1/receivables', '/v1/receivables.csv'])
      assertRefused(await get(`${path}?as_of=${day(2)}`, { key }), {
        ...{ code: 'invalid_request', param: 'as_of', reason: 'out_of_range' },
      });
  });

  it('refuse what is no day, no currency and no page of theirs', async () => {
    const REFUSED = [
      ['as_of=2027-02-29', 'as_of', 'malformed'],
      ['as_of=2027-02-01T00:00:00Z', 'as_of', 'malformed'],
      ['as_of=yesterday', 'as_of', 'malformed'],
      ['as_of=', 'as_of', 'missing'],
      ['currency=XXX', 'currency', 'malformed'],
      ['limit=0', 'limit', 'out_of_range'],
      ['limit=201', 'limit', 'out_of_range'],
      ['cursor=x', 'cursor', 'bad_cursor'],
      ['day=2027-02-01', 'day', 'unknown_parameter'],
    ] as const;
    for (const [query, param, reason] of REFUSED)
      assertRefused(await get(`/v1/receivables?${query}`), { code: 'invalid_request', param, reason });
    for (const param of ['limit', 'cursor'])
      assertRefused(await get(`/v1/receivables.csv?${param}=1`), { code: 'invalid_request', param });
    const { next_cursor } = await receivables({ limit: '1' });
    assertRefused(await get(`/v1/receivables?limit=1&currency=CHF&cursor=${next_cursor}`), {
      ...{ code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' },
    });
    const { sums, data } = await receivables({ customer_id: 'nobody' });
    assert.deepEqual([sums, data], [[], []]);
  });
});
