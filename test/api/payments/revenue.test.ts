import assert from 'node:assert/strict';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import type { Json } from '../../support/servers/api.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const day = (text: string, years = 0) => at(text, years).slice(0, 10);
/** The year of the test, in whole months. */
const YEAR = `from=${day('01-01')}&to=${day('01-01', 1)}`;
const NINETY = { ...FLAT, event_name: 'support', flat_amount: '90.00' };

/** contract.md 4: revenue. That it equals the journal is checked after each test with a stack too (test/support/ledger/books.ts). */
describe('revenue', function () {
  const stack = useStack();
  const { get, read, done, customer, subscribe, plan, use, advance } = testCustomersOn(requestsTo(stack));

  const revenue = (query: string): Promise<Json> => read(`/v1/revenue?${query}`);
  const file = async (query: string) =>
    (await csvFrom(`${stack().api_url}/v1/revenue.csv?${query}`, stack().test_key)).rows;
  const ofMonth = ({ data }: Json, month: string): Json =>
    data.find(({ from }: Json) => from === at(`${month}-01`));
  const amountsOf = ({ fees, usage, late_usage, items, voided, credited, total, tax }: Json) => [
    ...[fees, usage, late_usage, items, voided, credited, total, tax],
  ];
  /** A customer who is billed for one month, January. */
  const billedOnce = async (charges: readonly object[], parts: object = {}, of_plan: object = {}) => {
    const customer_id = await customer({ tax_rate: '20', ...parts });
    const { id } = await subscribe(customer_id, await plan(charges, { ...parts, ...of_plan }));
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'period_end' });
    const [invoice] = await advance(customer_id, at('02-01'));
    return { customer_id, invoice };
  };

  it('of invoices is that of their issue, of void ones that of the void, below zero', async () => {
    const made = [
      await billedOnce([FLAT], { currency: 'CHF' }),
      await billedOnce([NINETY], { currency: 'CHF' }),
    ];
    const query = `${YEAR}&currency=CHF`;
    const nothing = ['0.00', '0.00', '0.00', '0.00', '0.00', '0.00', '0.00', '0.00'];
    const issued = await revenue(query);
    assert.deepEqual(amountsOf(ofMonth(issued, '02')), [
      ...['139.00', '0.00', '0.00', '0.00', '0.00', '0.00', '139.00', '27.80'],
    ]);
    assert.deepEqual(amountsOf(ofMonth(issued, '03')), nothing);
    for (const { customer_id, invoice } of made) {
      await advance(customer_id, at('03-05'));
      await done(`/v1/invoices/${invoice.id}/void`);
    }
    const voided = await revenue(query);
    assert.deepEqual(ofMonth(voided, '02'), ofMonth(issued, '02'));
    assert.equal(ofMonth(voided, '02').invoices, 2);
    assert.deepEqual(amountsOf(ofMonth(voided, '03')), [
      ...['0.00', '0.00', '0.00', '0.00', '-139.00', '0.00', '-139.00', '-27.80'],
    ]);
    assert.equal(ofMonth(voided, '03').invoices, 0);
    assert.equal(voided.data.length, 12);
    assert.deepEqual(amountsOf(ofMonth(voided, '04')), nothing);
  });

  it('of a credit note is below zero, and that of its void takes it back', async () => {
    const { customer_id, invoice } = await billedOnce([FLAT]);
    await advance(customer_id, at('03-10'));
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '20.00' }];
    const note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage' });
    const query = `${YEAR}&customer_id=${customer_id}`;
    const march = ofMonth(await revenue(query), '03');
    assert.deepEqual(
      [march.credited, march.total, march.tax, march.credit_notes, march.invoices],
      ['-20.00', '-20.00', '-4.00', 1, 0],
    );
    await advance(customer_id, at('04-02'));
    await done(`/v1/credit-notes/${note.id}/void`);
    const april = ofMonth(await revenue(query), '04');
    assert.deepEqual([april.credited, april.tax, april.credit_notes], ['20.00', '4.00', 0]);
  });

  it('is of fees, usage, late usage and items, by the type of the lines', async () => {
    const customer_id = await customer({ tax_rate: '20' });
    const { id } = await subscribe(customer_id, await plan([FLAT, PER_UNIT]));
    await use(customer_id, [{}, {}]);
    await advance(customer_id, at('02-01'));
    await use(customer_id, [{ timestamp: at('01-07') }, {}]);
    const item = { customer_id, subscription_id: id, description: 'Work', unit_amount: '-5.00' };
    await done('/v1/invoice-items', item);
    await advance(customer_id, at('03-01'));
    const query = `${YEAR}&customer_id=${customer_id}`;
    const found = await revenue(query);
    assert.deepEqual(amountsOf(ofMonth(found, '02')).slice(0, 4), ['49.00', '2.00', '0.00', '0.00']);
    // 49.00 + 1.00 + 1.00 - 5.00 = 46.00, and 20 % of it.
    assert.deepEqual(amountsOf(ofMonth(found, '03')), [
      ...['49.00', '1.00', '1.00', '-5.00', '0.00', '0.00', '46.00', '9.20'],
    ]);
    const rows = await file(query);
    assert.deepEqual(
      rows.map(({ currency, from, total, group_id }) => [currency, from, total, group_id]),
      found.data.map(({ from, total }: Json) => ['USD', from, total, '']),
    );
  });

  it('by customer has the greatest, and all others as one; the file has all', async () => {
    const currency = 'SEK';
    const [one, two, three] = [
      await billedOnce([FLAT], { currency, name: 'One' }),
      await billedOnce([{ ...FLAT, flat_amount: '1000.00' }], { currency }),
      await billedOnce([NINETY], { currency }),
    ].map(({ customer_id }) => customer_id);
    const query = `${YEAR}&currency=${currency}&group_by=customer`;
    const shown = ({ data }: Json) => data.map(({ from, group, total }: Json) => [from, group, total]);
    const from = at('02-01');
    assert.deepEqual(shown(await revenue(`${query}&limit=1`)), [
      [from, { id: two, name: null }, '1000.00'],
      [from, { id: null, name: null }, '139.00'],
    ]);
    assert.deepEqual(shown(await revenue(query)), [
      [from, { id: two, name: null }, '1000.00'],
      [from, { id: three, name: null }, '90.00'],
      [from, { id: one, name: 'One' }, '49.00'],
    ]);
    const rows = await file(query);
    assert.deepEqual(
      rows.map(({ group_id, group_name, total }) => [group_id, group_name, total]),
      [
        [one, 'One', '49.00'],
        [two, '', '1000.00'],
        [three, '', '90.00'],
      ],
    );
    assert.deepEqual(shown(await revenue(`${query}&customer_id=${one}`)), [
      [from, { id: one, name: 'One' }, '49.00'],
    ]);
  });

  it('by plan counts all versions of a key as one, with the name of the newest', async () => {
    const currency = 'NOK';
    for (const [name, flat_amount] of [
      ['Pro', '49.00'],
      ['Pro 2', '90.00'],
    ])
      await billedOnce([{ ...FLAT, flat_amount }], { currency }, { key: 'pro-nok', name });
    const { invoice } = await billedOnce([NINETY], { currency, name: 'Alone' });
    const { data } = await revenue(`${YEAR}&currency=${currency}&group_by=plan`);
    assert.deepEqual(
      data.map(({ group, total }: Json) => [group, total]),
      [
        [{ id: 'pro-nok', name: 'Pro 2' }, '139.00'],
        [{ id: invoice.plan_id, name: 'Alone' }, '90.00'],
      ],
    );
  });

  it('never adds currencies, and names those in which something was booked', async () => {
    await billedOnce([FLAT], { currency: 'DKK' });
    await billedOnce([{ ...FLAT, flat_amount: '4900' }], { currency: 'JPY' });
    const krona = await revenue(`${YEAR}&currency=DKK`);
    assert.equal(ofMonth(krona, '02').total, '49.00');
    assert.ok(krona.currencies.includes('DKK') && krona.currencies.includes('JPY'));
    assert.deepEqual(krona.currencies, krona.currencies.toSorted());
    assert.equal(ofMonth(await revenue(`${YEAR}&currency=JPY`), '02').total, '4900');
    const none = await revenue(`${YEAR}&currency=GBP`);
    assert.equal(none.data.length, 12);
    assert.equal(none.currencies.includes('GBP'), false);
    assert.equal(krona.object, 'revenue');
    assert.equal((await revenue(YEAR)).currency, 'USD');
  });

  it('is by days of the account, in weeks cut at the edges, and by default of twelve months', async () => {
    const { customer_id } = await billedOnce([FLAT]);
    const patched = await get('/v1/account', { method: 'PATCH', body: { timezone: 'America/New_York' } });
    assert.equal(patched.status, 200);
    try {
      // Midnight UTC of 1 February is 31 January in New York.
      const months = await revenue(`${YEAR}&customer_id=${customer_id}`);
      assert.equal(months.timezone, 'America/New_York');
      assert.deepEqual(
        months.data.slice(0, 2).map(({ from, to, total }: Json) => [from, to, total]),
        [
          [at('01-01T05:00'), at('02-01T05:00'), '49.00'],
          [at('02-01T05:00'), at('03-01T05:00'), '0.00'],
        ],
      );
      const days = await revenue(`from=${day('03-01')}&to=${day('04-01')}&by=day`);
      const hours = days.data.map(({ from, to }: Json) => (Date.parse(to) - Date.parse(from)) / 3_600_000);
      assert.equal(days.data.length, 31);
      assert.deepEqual([...new Set(hours)].sort(), [23, 24]);
      assert.deepEqual([days.from, days.to], [at('03-01T05:00'), at('04-01T04:00')]);
      const weeks = await revenue(`from=${day('01-03')}&to=${day('01-31')}&by=week`);
      assert.deepEqual([weeks.data[0].from, weeks.data.at(-1).to], [at('01-03T05:00'), at('01-31T05:00')]);
      for (const { from } of weeks.data.slice(1))
        assert.equal(new Date(from).getUTCDay(), 1, `${from} is a Monday`);
      const by_default = await revenue('');
      assert.deepEqual([by_default.by, by_default.group_by, by_default.data.length], ['month', null, 12]);
      assert.equal(by_default.data.at(-1).to, by_default.to);
    } finally {
      await get('/v1/account', { method: 'PATCH', body: { timezone: 'UTC' } });
    }
  });

  it('refuses what is no range, and more than 400 parts', async () => {
    const REFUSED = [
      [`from=${day('02-01')}&to=${day('01-01')}`, 'from', 'out_of_order'],
      [`from=${day('01-01')}&to=${day('02-06', 1)}&by=day`, 'to', 'too_large'],
      ['from=2026-02-30', 'from', 'malformed'],
      [`from=${at('01-01')}`, 'from', 'malformed'],
      ['by=year', 'by', undefined],
      ['group_by=currency', 'group_by', undefined],
      ['currency=EURO', 'currency', undefined],
      ['limit=101', 'limit', 'out_of_range'],
      ['limit=0', 'limit', 'out_of_range'],
      ['cursor=x', 'cursor', undefined],
    ] as const;
    for (const [query, param, reason] of REFUSED)
      assertRefused(await get(`/v1/revenue?${query}`), {
        code: 'invalid_request',
        param,
        ...(reason === undefined ? {} : { reason }),
      });
    assertRefused(await get('/v1/revenue.csv?limit=10'), { code: 'invalid_request', param: 'limit' });
    assert.equal((await revenue(`from=${day('01-01')}&to=${day('02-05', 1)}&by=day`)).data.length, 400);
    assert.deepEqual((await revenue(`from=${day('01-01')}&to=${day('01-01')}`)).data, []);
    assert.deepEqual((await revenue(`from=${day('01-01')}&to=${day('01-01')}&group_by=plan`)).data, []);
    assert.deepEqual((await revenue(`${YEAR}&customer_id=nobody&group_by=plan`)).data, []);
  });

  it('of live data has nothing of test data', async () => {
    await billedOnce([FLAT]);
    const live = await get(`/v1/revenue?${YEAR}`, { key: stack().live_key });
    assert.deepEqual(live.body.currencies, []);
    assert.ok(live.body.data.every(({ total, invoices }: Json) => total === '0.00' && invoices === 0));
  });
});
