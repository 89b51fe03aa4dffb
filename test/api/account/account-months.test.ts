import assert from 'node:assert/strict';
import type { Reason } from '../../../src/domain/money/errors.ts';
import type { Json } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);
const [SEPTEMBER, OCTOBER, NOVEMBER] = [`${YEAR}-09`, `${YEAR}-10`, `${YEAR}-11`];
/** October in Los Angeles, the time zone of the account. */
const BOUNDS = { from: at('10-01T07:00'), to: at('11-01T07:00') };

/** contract.md 4: payments, the credit ledger and the journal of a month. */
describe('a month in the time zone of the account', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { get, read, done, customer, subscribe, plan, advance, grant } = testCustomersOn(request);
  const file = async (path: string, key = stack().test_key) =>
    (await csvFrom(stack().api_url + path, key)).rows;
  before(async () => {
    const patched = await request('/v1/account', {
      ...{ method: 'PATCH', body: { timezone: 'America/Los_Angeles' } },
    });
    assert.equal(patched.status, 200);
    const euros = await plan([FLAT], { currency: 'EUR' });
    const dollars = await plan([FLAT]);
    // Each invoice is issued in the last hours of October, or the first of November, by the clocks of Los Angeles.
    await live(dollars, { currency: 'USD' }, at('11-01T06:59'));
    await live(euros, { currency: 'EUR', tax_rate: '20' }, at('11-01T07:00'));
  });

  /** An invoice at `end`; before it, at the beginning of October there, a grant and a payment; after it, one of each kind of entry. */
  async function live(plan_id: string, parts: object, end: string) {
    const customer_id = await customer({ ...parts, timezone: 'UTC' });
    await advance(customer_id, at('10-01T06:59'));
    await grant(customer_id, 10, { rollover: true });
    await done(`/v1/customers/${customer_id}/payments`, { amount: '5', reference: 'September' });
    await advance(customer_id, BOUNDS.from);
    await grant(customer_id, 20, { rollover: true });
    await done(`/v1/customers/${customer_id}/payments`, { amount: '7', reference: 'October' });
    await subscribe(customer_id, plan_id, { start_date: at('10-01T07:00'), billing_anchor: end });
    const [invoice] = (await advance(customer_id, end)) as [Json];
    const path = `/v1/invoices/${invoice.id}`;
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '9' }];
    await done(`${path}/credit-notes`, { lines, reason: 'Outage' });
    const { id } = await done(`${path}/payments`, { amount: '40', excess: 'balance', reference: 'end' });
    await done(`/v1/customers/${customer_id}/balance-adjustments`, { amount: '3', reason: 'Goodwill' });
    await done(`/v1/payments/${id}/reverse`, { reason: 'Bounced' });
  }

  const references = (rows: readonly Json[]) => rows.map(({ reference }) => reference).sort();

  it('of payments, as a list with pages and as a file', async () => {
    const MONTHS: [month: string, references: string[]][] = [
      [SEPTEMBER, ['September', 'September']],
      [OCTOBER, ['October', 'October', 'end']],
      [NOVEMBER, ['end']],
    ];
    for (const [month, expected] of MONTHS) {
      const { data } = await read(`/v1/payments?month=${month}`);
      assert.deepEqual(references(data), expected, month);
      assert.deepEqual(references(await file(`/v1/payments.csv?month=${month}`)), expected, month);
    }
    const path = `/v1/payments?month=${OCTOBER}&limit=2`;
    const { data, next_cursor } = await read(path);
    const rest = await read(`${path}&cursor=${next_cursor}`);
    assert.deepEqual(references([...data, ...rest.data]), ['October', 'October', 'end']);
    assertRefused(await get(`/v1/payments?month=${NOVEMBER}&limit=2&cursor=${next_cursor}`), {
      ...{ code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' },
    });
  });

  it('of the credit ledger', async () => {
    const amounts = async (month: string) =>
      (await file(`/v1/credit-ledger.csv?month=${month}`)).map(({ amount }) => amount);
    assert.deepEqual(
      [await amounts(SEPTEMBER), await amounts(OCTOBER), await amounts(NOVEMBER)],
      [['10', '10'], ['20', '20'], []],
    );
  });

  it('of the journal has the rows of the same range', async () => {
    const rows = await file(`/v1/journal.csv?month=${OCTOBER}`);
    assert.deepEqual(rows, await file(`/v1/journal.csv?from=${BOUNDS.from}&to=${BOUNDS.to}`));
    assert.ok(rows.length > 10);
    assert.ok(rows.every((row) => row['at']! >= BOUNDS.from && row['at']! < BOUNDS.to));
  });

  /** Hundredths. */
  const hundredths = (text: string) => BigInt(text.replace('.', ''));

  it('the summary of the journal is the sum of its rows, in a fixed order', async () => {
    const ACCOUNTS = ['receivable', 'revenue', 'tax_payable', 'customer_balance', 'cash', 'adjustments'];
    for (const query of [`month=${OCTOBER}`, `month=${NOVEMBER}`, `from=${at('01-01')}&to=${at('12-31')}`]) {
      const sums = new Map<string, [debit: bigint, credit: bigint]>();
      for (const row of await file(`/v1/journal.csv?${query}`)) {
        const key = `${row['currency']} ${row['account']}`;
        const [debit, credit] = sums.get(key) ?? [0n, 0n];
        sums.set(key, [debit + hundredths(row['debit'] || '0'), credit + hundredths(row['credit'] || '0')]);
      }
      const { object, data } = await read(`/v1/journal/summary?${query}`);
      assert.equal(object, 'journal_summary');
      assert.deepEqual(
        data.map((sum: Json) => [
          `${sum.currency} ${sum.account}`,
          [hundredths(sum.debit), hundredths(sum.credit)],
        ]),
        ['EUR', 'USD']
          .flatMap((currency) => ACCOUNTS.map((account) => `${currency} ${account}`))
          .flatMap((key) => (sums.has(key) ? [[key, sums.get(key)]] : [])),
        query,
      );
      for (const currency of ['EUR', 'USD']) {
        const of = data.filter((sum: Json) => sum.currency === currency);
        const total = (side: string) =>
          of.reduce((sum: bigint, row: Json) => sum + hundredths(row[side]), 0n);
        assert.equal(total('debit'), total('credit'), `${currency} ${query}`);
      }
    }
  });

  it('the summary names its range, and is empty where nothing was booked', async () => {
    const { data: _, ...october } = await read(`/v1/journal/summary?month=${OCTOBER}`);
    assert.deepEqual(october, { object: 'journal_summary', ...BOUNDS });
    const { data } = await read(`/v1/journal/summary?month=${YEAR}-03`);
    assert.deepEqual(data, []);
    const live = { key: stack().live_key };
    assert.deepEqual((await get(`/v1/journal/summary?month=${OCTOBER}`, live)).body.data, []);
  });

  const LISTS = ['payments', 'payments.csv', 'credit-ledger.csv', 'journal.csv', 'journal/summary'];
  const JOURNALS = ['journal.csv', 'journal/summary'];
  const BAD: [lists: string[], query: string, param: string, reason: Reason][] = [
    [LISTS, 'month=2026-13', 'month', 'malformed'],
    [LISTS, 'month=2026-10&from=2026-10-01', 'month', 'not_allowed'],
    [LISTS, 'month=2026-10&to=2026-10-01', 'month', 'not_allowed'],
    [LISTS, 'from=2026-02-01&to=2026-01-01', 'from', 'out_of_order'],
    [JOURNALS, '', 'from', 'missing'],
    [JOURNALS, 'from=2026-10-01', 'to', 'missing'],
    [JOURNALS, 'to=2026-10-01', 'from', 'missing'],
    [JOURNALS, 'month=2026-10&limit=1', 'limit', 'unknown_parameter'],
    [['credit-grants'], 'month=2026-10', 'month', 'unknown_parameter'],
  ];
  for (const [lists, query, param, reason] of BAD)
    it(`refuses ?${query} of ${lists.join(', ')}`, async () => {
      for (const list of lists)
        assertRefused(await get(`/v1/${list}?${query}`), { code: 'invalid_request', param, reason });
    });
});
