import assert from 'node:assert/strict';
import { issueCreditNote } from '../../../src/billing/owed/credit-note.ts';
import { recordPayment } from '../../../src/billing/owed/pay.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { datevFrom, type DatevRow } from '../../support/documents/datev.ts';
import * as given from '../../support/ledger/billing.ts';
import { BOOKKEEPING } from '../../support/ledger/bookkeeping.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';

const PATH = '/v1/journal.csv';
const VAT_ID = 'ATU12345675';
const ROWS_MAX = 99_999;
/** Rows that one statement adds. */
const ADDED = 10_000;

/** contract.md 4. */
describe('the journal for DATEV', () => {
  let api: TestApi;
  let customer: given.TestCustomer;
  const invoices: Invoice[] = [];
  before(async () => {
    api = await startApi();
    customer = await given.aCustomer(api.pool, { currency: 'EUR', tax_rate: '19' });
    await api.pool.query('update customers set name = $2, tax_ids = $3 where id = $1', [
      customer.id,
      'Dvořák & "Söhne" 東',
      JSON.stringify([{ type: 'eu_vat', value: VAT_ID }]),
    ]);
    await settings({ ...BOOKKEEPING, timezone: 'Europe/Berlin', currency: 'EUR', invoice_prefix: 'RE.27_' });
  });
  after(() => api.close());

  const settings = async (body: Json) => {
    const sent = await api.request('/v1/account', { method: 'PATCH', body, key: api.live_key });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
  };
  const pathOf = (query: string) => `${PATH}?format=datev${query && `&${query}`}`;
  const file = (query: string) => datevFrom(api.url + pathOf(query), api.live_key);
  const refused = (query: string) => api.request(pathOf(query), { key: api.live_key });
  const clock = (instant: string) =>
    api.pool.query('update customers set test_clock = $2 where id = $1', [customer.id, instant]);
  const shown = ({ amount, side, konto, gegenkonto, tax_key, day, number }: DatevRow) =>
    [amount, side, konto, gegenkonto, tax_key, day, number].join(' ');

  it('has a row of 119.00 for an invoice of 100.00 and 19 percent, by the day of the account', async () => {
    const plan_id = await given.aPlan(
      api.pool,
      [{ pricing: { pricing_model: 'flat', flat_amount: '100' } }],
      'EUR',
    );
    const subscription_id = await given.aSubscription(
      api.pool,
      customer,
      plan_id,
      '2026-12-01T00:00:00.000Z',
    );
    const bill = async (period_start: string) =>
      invoices.push(await given.bill(api.pool, { ...given.stepOf(subscription_id), period_start }));
    // Half an hour after midnight of 1 March in Berlin; the others a day later.
    await clock('2027-02-28T23:30:00Z');
    await bill('2026-12-01T00:00:00.000Z');
    await clock('2027-03-01T23:30:00Z');
    await pay();
    await clock('2027-03-01T23:40:00Z');
    await bill('2027-01-01T00:00:00.000Z');
    const { name, head, rows } = await file('month=2027-03');
    assert.equal(name, 'EXTF_2027-03_EUR.csv');
    assert.deepEqual(head.slice(10, 17), [
      '29098',
      '55003',
      '20270101',
      '4',
      '20270301',
      '20270331',
      '"Tidemark 2027-03"',
    ]);
    assert.deepEqual(head.slice(18, 22), ['1', '0', '0', '"EUR"']);
    const [{ text, vat_id, currency }] = rows as [DatevRow];
    assert.deepEqual([text, vat_id, currency], ['Dvorák & "Söhne" ?', VAT_ID, 'EUR']);
    assert.deepEqual(rows.map(shown), [
      '119.00 S 10000 8200 3 0103 RE-27-000001',
      // 150.00 paid: 31.00 of it go to the balance.
      '119.00 S 1200 10000  0203 RE-27-000001',
      '31.00 S 1200 1718  0203 RE-27-000001',
      // The next invoice, which the balance covers in part.
      '119.00 S 10000 8200 3 0203 RE-27-000002',
      '31.00 S 1718 10000  0203 RE-27-000002',
    ]);
    assert.deepEqual(
      rows.map((row) => row.vat_id),
      [VAT_ID, '', '', VAT_ID, ''],
    );
    assert.deepEqual((await file('month=2027-02')).rows, []);
  });

  async function pay(): Promise<void> {
    const payment = { paid_at: null, reference: null, allow_duplicate: true, by: 'key_1' };
    await transaction(api.pool, (db) =>
      recordPayment(db, given.LIVE, invoices[0]!.id, { ...payment, amount: '150.00', excess: 'balance' }),
    );
  }

  it('has a note as its total, and what goes outside against receivable', async () => {
    await clock('2027-04-01T12:00:00Z');
    const [invoice] = invoices;
    const lines = [{ line_item_id: invoice!.line_items[0]!.id, amount: '10' }];
    await transaction(api.pool, (db) =>
      issueCreditNote(db, given.LIVE, invoice!.id, {
        lines,
        settle: 'outside',
        reason: 'Outage',
        by: 'key_1',
      }),
    );
    assert.deepEqual((await file('month=2027-04')).rows.map(shown), [
      '11.90 H 10000 8200 3 0104 CN-000001',
      '11.90 H 1200 10000  0104 CN-000001',
    ]);
  });

  it('begins in the fiscal year of its month', async () => {
    for (const [fiscal_year_start, begin] of [
      ['01-01', '20270101'],
      ['03-01', '20270301'],
      ['04-01', '20260401'],
    ]) {
      await settings({ datev: { fiscal_year_start } });
      assert.equal((await file('month=2027-03')).head[12], begin, fiscal_year_start);
    }
    await settings({ datev: { fiscal_year_start: '01-01' } });
  });

  it('is of one currency, that of the account by default, and has no rows where nothing is booked', async () => {
    const { name, head, rows } = await file('month=2027-03&currency=JPY');
    assert.deepEqual([name, head[21], rows], ['EXTF_2027-03_JPY.csv', '"JPY"', []]);
    const { status, body } = await api.request(`${PATH}?month=2027-03&currency=JPY`, { key: api.live_key });
    assert.deepEqual([status, body.split('\r\n').length], [200, 2]);
  });

  it('is refused without a month, beside a range, and for a currency with three decimals', async () => {
    const range = 'from=2027-03-01&to=2027-04-01';
    for (const [query, param, reason] of [
      ['', 'month', 'missing'],
      [range, 'month', 'missing'],
      [`month=2027-03&${range}`, 'month', 'not_allowed'],
      ['month=2027-03&currency=KWD', 'currency', 'not_allowed'],
      ['month=2027-03&currency=XXX', 'currency', 'malformed'],
      ['month=2027-13', 'month', 'malformed'],
      ['month=2027-03&limit=1', 'limit', 'unknown_parameter'],
    ] as const)
      assertRefused(await refused(query), { code: 'invalid_request', param, reason });
    assertRefused(await api.request(`${PATH}?format=pdf&month=2027-03`), {
      code: 'invalid_request',
      param: 'format',
    });
  });

  it('is refused with a detail for each setting that it lacks', async () => {
    await settings({ account_numbers: BOOKKEEPING.account_numbers.slice(2), datev: null });
    const answer = await refused('month=2027-03');
    assertRefused(answer, { code: 'conflict', param: 'datev', reason: 'missing' });
    assert.deepEqual(
      answer.body.error.details.map(({ param, reason, message }: Json) => [param, reason, message]),
      [
        ['datev', 'missing', 'the account has no consultant and client of DATEV'],
        ['account_numbers', 'missing', 'receivable has no account number'],
        ['account_numbers', 'missing', 'revenue at 19 percent, standard, has no account number'],
      ],
    );
    assert.equal((await api.request(`${PATH}?month=2027-03`, { key: api.live_key })).status, 200);
    // Nothing is needed where nothing is booked.
    await settings({ datev: BOOKKEEPING.datev });
    assert.equal((await refused('month=2027-05')).status, 200);
    await settings(BOOKKEEPING);
  });

  it('is refused above 99,999 rows', async function () {
    this.timeout(600_000);
    const add = (from: number, to: number) =>
      transaction(api.pool, async (db) => {
        await db.query('set local session_replication_role = replica');
        await db.query(
          `insert into payments (environment_id, id, customer_id, amount, to_balance, paid_at, created_at)
           select $1, 'pay_' || lpad(n::text, 6, '0'), $2, 1, 1, now(),
             '2027-06-02'::timestamptz + n * interval '1 second'
           from generate_series($3::integer, $4::integer) as n`,
          [given.LIVE, customer.id, from, to],
        );
      });
    for (let from = 1; from <= ROWS_MAX; from += ADDED) await add(from, Math.min(from + ADDED - 1, ROWS_MAX));
    const { status, body } = await refused('month=2027-06');
    // Two lines stand above the rows.
    assert.deepEqual([status, body.split('\r\n').length], [200, ROWS_MAX + 3]);
    await add(ROWS_MAX + 1, ROWS_MAX + 1);
    assertRefused(await refused('month=2027-06'), { code: 'conflict', param: null, reason: 'too_many' });
  });
});
