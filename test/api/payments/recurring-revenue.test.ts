import assert from 'node:assert/strict';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import type { Json } from '../../support/servers/api.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const day = (text: string, years = 0) => at(text, years).slice(0, 10);
const month = (number: string) => at(`${number}-01`).slice(0, 7);
const YEAR = `from=${day('01-01')}&to=${day('01-01', 1)}`;
const flat = (flat_amount: string) => ({ ...FLAT, flat_amount });
const MOVEMENTS = ['new', 'expansion', 'contraction', 'churn', 'reactivation'];

/** contract.md 4: recurring revenue. */
describe('recurring revenue', function () {
  const stack = useStack();
  const { get, read, done, customer, subscribe, plan, advance } = testCustomersOn(requestsTo(stack));

  const recurring = (query: string): Promise<Json> => read(`/v1/recurring-revenue?${query}`);
  const monthsOf = async (customer_id: string): Promise<Json[]> => {
    const { data } = await recurring(`${YEAR}&customer_id=${customer_id}`);
    assertAddsUp(data);
    return data;
  };
  /** The amount at the end of each month from January on, with the movements that are not zero. */
  const shown = (data: readonly Json[], count: number) =>
    data
      .slice(0, count)
      .map((of_month) =>
        [
          of_month.recurring,
          ...MOVEMENTS.flatMap((name) => (of_month[name] === '0.00' ? [] : [`${name} ${of_month[name]}`])),
        ].join(', '),
      );
  const changeTo = (id: string, plan_id: string, on: string) =>
    done(`/v1/subscriptions/${id}/change`, { plan_id, at: on });

  function assertAddsUp(data: readonly Json[]): void {
    const cents = (amount: string) => Math.round(Number(amount) * 100);
    for (const [place, of_month] of data.entries()) {
      const sum = ['before', ...MOVEMENTS].reduce((total, name) => total + cents(of_month[name]), 0);
      assert.equal(sum, cents(of_month.recurring), of_month.month);
      if (place > 0) assert.equal(of_month.before, data[place - 1].recurring);
    }
  }

  it('of a fee of 49.00 that becomes 199.00 on 16 April has expansion 150.00', async () => {
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([FLAT, PER_UNIT]));
    await changeTo(id, await plan([flat('199.00')]), day('04-16'));
    await advance(customer_id, at('04-15'));
    assert.deepEqual(shown(await monthsOf(customer_id), 5), [
      ...['49.00, new 49.00', '49.00', '49.00'],
      // The change is to come: April and May are as it is now.
      ...['49.00', '49.00'],
    ]);
    await advance(customer_id, at('05-02'));
    const data = await monthsOf(customer_id);
    assert.deepEqual(shown(data, 5), [
      ...['49.00, new 49.00', '49.00', '49.00', '199.00, expansion 150.00', '199.00'],
    ]);
    assert.equal(data[3].customers, 1);
    await changeTo(id, await plan([flat('9.00')]), day('05-02'));
    await advance(customer_id, at('05-03'));
    assert.equal(shown(await monthsOf(customer_id), 5)[4], '9.00, contraction -190.00');
  });

  it('of a year is a twelfth, and of a week 365 / 84', async () => {
    const CASES = [
      ['1200.00', { interval: 'year' }, '100.00'],
      ['10.00', { interval: 'week' }, '43.45'],
      ['100.00', { interval: 'month', interval_count: 3 }, '33.33'],
      ['1.00', { interval: 'day' }, '30.42'],
    ] as const;
    for (const [amount, interval, a_month] of CASES) {
      const customer_id = await customer();
      await subscribe(customer_id, await plan([flat(amount)], interval));
      assert.equal((await monthsOf(customer_id))[0].recurring, a_month);
    }
  });

  it('begins after the trial, without usage', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]), { trial_end_date: day('02-10') });
    await advance(customer_id, at('02-09'));
    assert.deepEqual(shown(await monthsOf(customer_id), 2), ['0.00', '0.00']);
    await advance(customer_id, at('02-10'));
    assert.deepEqual(shown(await monthsOf(customer_id), 3), ['0.00', '49.00, new 49.00', '49.00']);
    const metered = await customer();
    await subscribe(metered, await plan([PER_UNIT]));
    assert.deepEqual(shown(await monthsOf(metered), 1), ['0.00']);
  });

  it('of a pause is churn, of its end reactivation', async () => {
    const customer_id = await customer();
    const [fee, pause] = [await plan([FLAT]), await plan([flat('0.00')])];
    const { id } = await subscribe(customer_id, fee);
    await advance(customer_id, at('05-01'));
    await changeTo(id, pause, 'now');
    await advance(customer_id, at('07-01'));
    await changeTo(id, fee, 'now');
    await advance(customer_id, at('08-02'));
    assert.deepEqual(shown(await monthsOf(customer_id), 8), [
      ...['49.00, new 49.00', '49.00', '49.00', '49.00'],
      ...['0.00, churn -49.00', '0.00', '49.00, reactivation 49.00', '49.00'],
    ]);
  });

  it('of an end and a new beginning within a month does not move', async () => {
    const customer_id = await customer();
    const fee = await plan([FLAT]);
    const { id } = await subscribe(customer_id, fee);
    await advance(customer_id, at('03-05'));
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
    await advance(customer_id, at('03-20'));
    assert.deepEqual(shown(await monthsOf(customer_id), 3)[2], '0.00, churn -49.00');
    await subscribe(customer_id, fee);
    await advance(customer_id, at('04-02'));
    assert.deepEqual(shown(await monthsOf(customer_id), 4), ['49.00, new 49.00', '49.00', '49.00', '49.00']);
  });

  it('ends with the last instant of a month, and is moved by a correction into the past', async () => {
    const CASES = [
      // At midnight of the first of March it ends: the last instant of February has it.
      [day('03-01'), ['49.00, new 49.00', '49.00', '0.00, churn -49.00']],
      [day('02-15'), ['49.00, new 49.00', '0.00, churn -49.00', '0.00']],
    ] as const;
    for (const [ends, months] of CASES) {
      const customer_id = await customer();
      const { id } = await subscribe(customer_id, await plan([FLAT]));
      await advance(customer_id, at('03-10'));
      assert.deepEqual(shown(await monthsOf(customer_id), 3), ['49.00, new 49.00', '49.00', '49.00']);
      await done(`/v1/subscriptions/${id}/cancel`, { at: ends });
      assert.deepEqual(shown(await monthsOf(customer_id), 3), months);
    }
  });

  it('of a range begins with that before it, and is by months of the account', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    await advance(customer_id, at('03-10'));
    const query = `from=${day('03-01')}&to=${day('05-01')}&customer_id=${customer_id}`;
    const { data } = await recurring(query);
    assert.deepEqual(
      data.map(({ before, recurring, customers }: Json) => [before, recurring, customers]),
      [
        ['49.00', '49.00', 1],
        ['49.00', '49.00', 1],
      ],
    );
    await get('/v1/account', { method: 'PATCH', body: { timezone: 'America/New_York' } });
    try {
      // Midnight UTC of the first of January is December in New York.
      const { data: before } = await recurring(`${YEAR}&customer_id=${customer_id}`);
      assert.deepEqual([before[0].before, before[0].new], ['49.00', '0.00']);
    } finally {
      await get('/v1/account', { method: 'PATCH', body: { timezone: 'UTC' } });
    }
  });

  it('has movements of each customer, the greatest first, page by page, and a file', async () => {
    const currency = 'CHF';
    const made: string[] = [];
    for (const amount of ['49.00', '90.00', '49.00']) {
      made.push(await customer({ currency, name: `Pays ${amount}` }));
      await subscribe(made.at(-1)!, await plan([flat(amount)], { currency }));
    }
    const path = `/v1/recurring-revenue/movements?month=${month('01')}&currency=${currency}`;
    const { data } = await read(path);
    assert.deepEqual(
      data.map(({ type, before, after }: Json) => [type, before, after]),
      ['90.00', '49.00', '49.00'].map((after) => ['new', '0.00', after]),
    );
    assert.deepEqual([data[0].customer_id, data[0].name], [made[1], 'Pays 90.00']);
    const paged: Json[] = [];
    for (let cursor = ''; ;) {
      const page = await read(`${path}&limit=1${cursor}`);
      paged.push(...page.data);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    assert.deepEqual(paged, data);
    assert.deepEqual((await read(`${path}&type=churn`)).data, []);
    const { data: months, currencies } = await recurring(`${YEAR}&currency=${currency}`);
    assert.deepEqual([months[0].recurring, months[0].customers], ['188.00', 3]);
    assert.ok(currencies.includes('CHF') && currencies.includes('USD'));
    const { rows } = await csvFrom(
      `${stack().api_url}/v1/recurring-revenue.csv?${YEAR}&currency=${currency}`,
      stack().test_key,
    );
    assert.deepEqual(
      rows.map(({ currency: of, month: name, recurring: amount }) => [of, name, amount]),
      months.map((of_month: Json) => ['CHF', of_month.month, of_month.recurring]),
    );
  });

  it('refuses days that are no firsts of months, and live months to come', async () => {
    const REFUSED = [
      [`from=${day('01-02')}&to=${day('03-01')}`, 'from', 'out_of_range'],
      [`from=${day('01-01')}&to=${day('03-02')}`, 'to', 'out_of_range'],
      [`from=${day('02-01')}&to=${day('01-01')}`, 'from', 'out_of_order'],
      ['from=1970-01-01&to=2026-01-01', 'to', 'too_large'],
    ] as const;
    for (const [query, param, reason] of REFUSED)
      assertRefused(await get(`/v1/recurring-revenue?${query}`), { code: 'invalid_request', param, reason });
    const live = { key: stack().live_key };
    assertRefused(await get(`/v1/recurring-revenue?${YEAR}`, live), {
      ...{ code: 'invalid_request', param: 'to', reason: 'out_of_range' },
    });
    const movements = '/v1/recurring-revenue/movements';
    assertRefused(await get(`${movements}?month=${month('01')}`, live), {
      ...{ code: 'invalid_request', param: 'month', reason: 'out_of_range' },
    });
    assertRefused(await get(movements), { code: 'invalid_request', param: 'month', reason: 'missing' });
    const { body } = await get('/v1/recurring-revenue', live);
    assert.equal(body.data.length, 12);
    assert.deepEqual([body.currencies, body.data[11].recurring], [[], '0.00']);
    assert.equal((await recurring('')).data.length, 12);
  });
});
