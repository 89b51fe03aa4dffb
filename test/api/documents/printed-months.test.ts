import assert from 'node:assert/strict';
import type { Reason } from '../../../src/domain/money/errors.ts';
import type { Json } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);
const [SEPTEMBER, OCTOBER, NOVEMBER] = ['09', '10', '11'].map((month) => `${YEAR}-${month}`) as [
  string,
  string,
  string,
];
const DAY = `${OCTOBER}-01`;
const LOS_ANGELES = 'America/Los_Angeles';

/** Customers by name, each with an invoice of October or two: zone, start of the subscription, end of the period, options of the advance. */
const CUSTOMERS: Record<string, [zone: string, start_date: string, end: string, options?: object]> = {
  // 1 November 0:00: UTC says November, and October is printed.
  los_angeles: [LOS_ANGELES, DAY, at('11-01T07:00')],
  // 31 October 20:00.
  evening: [LOS_ANGELES, at('09-01T03:00'), at('11-01T03:00')],
  draft: [LOS_ANGELES, DAY, at('11-01T07:00'), { hold_drafts: true }],
  // 1 November 0:00: UTC says 31 October, and 1 November is printed as the day of issue.
  tokyo: ['Asia/Tokyo', DAY, at('10-31T15:00')],
  // 1 November 8:00.
  morning: ['Asia/Tokyo', at('09-30T23:00'), at('10-31T23:00')],
  greenwich: ['UTC', DAY, at('11-01')],
};

/** billing.md 6. */
describe('months of documents as they are printed', function () {
  const stack = useStack();
  const { get, read, done, customer, subscribe, plan, advance } = testCustomersOn(requestsTo(stack));
  /** Names of the customers of documents by id. */
  const names = new Map<string, string>();
  before(async () => {
    const plan_id = await plan([FLAT]);
    for (const [name, [timezone, start_date, end, options]] of Object.entries(CUSTOMERS)) {
      const customer_id = await customer({ timezone, tax_rate: '20' });
      await subscribe(customer_id, plan_id, { start_date });
      const made = await advance(customer_id, end, options);
      for (const { id } of made) names.set(id, name);
      const invoice = made.at(-1)!;
      if (invoice.status === 'draft') continue;
      const { id } = await done(`/v1/invoices/${invoice.id}/credit-notes`, {
        lines: 'all',
        reason: 'Outage',
      });
      names.set(id, name);
    }
  });

  const namesOf = (rows: readonly Json[]) => rows.map(({ id }) => names.get(id)).sort();
  const file = async (path: string) => (await csvFrom(stack().api_url + path, stack().test_key)).rows;

  const FOUND: [query: string, names: string[]][] = [
    [`period_month=${OCTOBER}`, ['draft', 'evening', 'greenwich', 'los_angeles', 'tokyo']],
    [`period_month=${NOVEMBER}`, ['morning']],
    [`period_month=${SEPTEMBER}`, ['evening']],
    [`issued_month=${OCTOBER}`, ['evening']],
    [`issued_month=${NOVEMBER}`, ['greenwich', 'los_angeles', 'morning', 'tokyo']],
    [`issued_month=${SEPTEMBER}`, ['evening']],
    [`period_month=${OCTOBER}&issued_month=${NOVEMBER}`, ['greenwich', 'los_angeles', 'tokyo']],
    [`period_month=${OCTOBER}&status=draft`, ['draft']],
    // Beside the other kind of range: Tokyo's was issued before 1 November in UTC.
    [`period_month=${OCTOBER}&issued_to=${at('11-01')}`, ['tokyo']],
    [`issued_month=${NOVEMBER}&to=${at('11-01')}`, ['morning', 'tokyo']],
    [`period_month=${OCTOBER}&customer_id=nobody`, []],
    ['period_month=1970-01', []],
    ['issued_month=9999-12', []],
  ];
  for (const [query, expected] of FOUND)
    it(`of invoices: ${query}`, async () => {
      assert.deepEqual(namesOf((await read(`/v1/invoices?${query}`)).data), expected);
      assert.deepEqual(namesOf(await file(`/v1/invoices.csv?${query}`)), expected);
      const lines = await file(`/v1/line-items.csv?${query}`);
      assert.deepEqual(namesOf(lines.map(({ invoice_id }) => ({ id: invoice_id }))), expected);
      const { data } = await read(`/v1/invoices/summary?${query}`);
      const count = data.reduce((sum: number, row: Json) => sum + row.count, 0);
      assert.equal(count, expected.length);
    });

  it('of credit notes: the day on which each was issued', async () => {
    const MONTHS: [month: string, names: string[]][] = [
      [SEPTEMBER, []],
      [OCTOBER, ['evening']],
      [NOVEMBER, ['greenwich', 'los_angeles', 'morning', 'tokyo']],
    ];
    for (const [month, expected] of MONTHS) {
      assert.deepEqual(namesOf((await read(`/v1/credit-notes?issued_month=${month}`)).data), expected, month);
      assert.deepEqual(namesOf(await file(`/v1/credit-notes.csv?issued_month=${month}`)), expected, month);
    }
  });

  it('list each document once for every page size; a cursor is valid only with its month', async () => {
    for (const list of ['/v1/invoices', '/v1/credit-notes']) {
      const path = `${list}?issued_month=${NOVEMBER}`;
      const { data: whole } = await read(path);
      for (const limit of [1, 3]) {
        const walked = [];
        let page = await read(`${path}&limit=${limit}`);
        for (; page.has_more; page = await read(`${path}&limit=${limit}&cursor=${page.next_cursor}`))
          walked.push(...page.data);
        assert.deepEqual([...walked, ...page.data], whole);
      }
      const { next_cursor } = await read(`${path}&limit=1`);
      for (const other of ['', `issued_month=${OCTOBER}&`])
        assertRefused(await get(`${list}?${other}limit=1&cursor=${next_cursor}`), {
          ...{ code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' },
        });
    }
  });

  const INVOICES = ['invoices', 'invoices.csv', 'line-items.csv', 'invoices/summary'];
  const NOTES = ['credit-notes', 'credit-notes.csv'];
  const BAD: [lists: string[], query: string, param: string, reason: Reason][] = [
    [INVOICES, 'period_month=2026-13', 'period_month', 'malformed'],
    [INVOICES, 'period_month=2026-10-01', 'period_month', 'malformed'],
    [INVOICES, 'issued_month=october', 'issued_month', 'malformed'],
    [INVOICES, 'issued_month=1969-12', 'issued_month', 'malformed'],
    [INVOICES, 'period_month=2026-10&from=2026-10-01', 'period_month', 'not_allowed'],
    [INVOICES, 'period_month=2026-10&to=2026-10-01', 'period_month', 'not_allowed'],
    [INVOICES, 'issued_month=2026-10&issued_from=2026-10-01', 'issued_month', 'not_allowed'],
    [INVOICES, 'issued_month=2026-10&issued_to=2026-10-01', 'issued_month', 'not_allowed'],
    [INVOICES, 'month=2026-10', 'month', 'unknown_parameter'],
    [NOTES, 'issued_month=2026-00', 'issued_month', 'malformed'],
    [NOTES, 'issued_month=2026-10&from=2026-10-01', 'issued_month', 'not_allowed'],
    [NOTES, 'issued_month=2026-10&to=2026-10-01', 'issued_month', 'not_allowed'],
    [NOTES, 'period_month=2026-10', 'period_month', 'unknown_parameter'],
  ];
  for (const [lists, query, param, reason] of BAD)
    it(`refuses ${query} of ${lists[0]}`, async () => {
      for (const list of lists)
        assertRefused(await get(`/v1/${list}?${query}`), { code: 'invalid_request', param, reason });
    });
});
