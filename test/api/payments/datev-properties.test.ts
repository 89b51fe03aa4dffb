import assert from 'node:assert/strict';
import fc from 'fast-check';
import { adjustBalance } from '../../../src/billing/owed/balance.ts';
import { issueCreditNote, voidCreditNote } from '../../../src/billing/owed/credit-note.ts';
import { recordDeposit } from '../../../src/billing/owed/deposit.ts';
import { recordPayment } from '../../../src/billing/owed/pay.ts';
import { reversePayment } from '../../../src/billing/owed/reverse.ts';
import { voidInvoice } from '../../../src/billing/owed/void.ts';
import { transaction, type Db } from '../../../src/db/connection/pool.ts';
import { JOURNAL_ACCOUNTS } from '../../../src/domain/invoice/journal.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { datevFrom } from '../../support/documents/datev.ts';
import * as given from '../../support/ledger/billing.ts';
import { BOOKKEEPING, bookingOf } from '../../support/ledger/bookkeeping.ts';
import { booksOf } from '../../support/oracles/datev-oracle.ts';
import { minus, rational, rounded } from '../../support/oracles/price-oracle.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';

const MONTHS = ['01', '02', '03', '04', '05'];
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia'];
const RUNS = 40;
const HOURS = 365 * 24;
const { LIVE } = given;

/** Amounts whose taxes at 20 percent are a cent less in turn than one by one (billing.md 7). */
const AMOUNTS = ['68.33', '68.33', '57.50', '85.00'];
const CHARGES: given.TestCharge[] = AMOUNTS.map((flat_amount, place) => ({
  event_name: `fee ${place}`,
  pricing: { pricing_model: 'flat', flat_amount },
}));

const CUSTOMERS: [currency: string, tax_rate: string, tax_treatment: string][] = [
  ...([
    ['EUR', '19', 'standard'],
    ['EUR', '20', 'standard'],
    ['EUR', '7', 'standard'],
  ] as const),
  ...([
    ['EUR', '0', 'reverse_charge'],
    ['USD', '19', 'standard'],
  ] as const),
].map(([currency, tax_rate, tax_treatment]) => [currency, tax_rate, tax_treatment]);

const BY = { reason: 'Test', by: 'key_1' };
const PAID = { paid_at: null, reference: null, allow_duplicate: true, by: 'key_1' };

/** contract.md 4: what DATEV books of a file is what the journal has. */
describe('files for DATEV of random bookings', function () {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const { pool } = api;
    await api.request('/v1/account', { method: 'PATCH', body: BOOKKEEPING, key: api.live_key });
    for (const [currency, tax_rate, tax_treatment] of CUSTOMERS) {
      const customer = await given.aCustomer(pool, { currency, tax_rate });
      await pool.query(
        `update customers set test_clock = '2026-08-01', tax_treatment = $2,
           name = 'Ocean', external_id = 'of ' || id where id = $1`,
        [customer.id, tax_treatment],
      );
      const plan_id = await given.aPlan(pool, CHARGES, currency);
      const subscription_id = await given.aSubscription(pool, customer, plan_id);
      const made: Invoice[] = [];
      for (const month of MONTHS) {
        const period_start = `2026-${month}-01T00:00:00.000Z`;
        made.push(await given.bill(pool, { ...given.stepOf(subscription_id), period_start }));
        // What the fourth pays in advance covers a part of the fifth.
        if (month === '04') await pay(customer.id, made);
      }
    }
  });
  after(() => api.close());

  const inTransaction = <T>(work: (db: Db) => Promise<T>) => transaction(api.pool, work);

  /** Everything that the journal has an entry for. */
  async function pay(customer_id: string, [first, second, third, fourth]: readonly Invoice[]): Promise<void> {
    const note = (invoice: Invoice, place: number, settle: 'balance' | 'outside') =>
      inTransaction((db) => {
        const lines = [{ line_item_id: invoice.line_items[place]!.id, amount: null }];
        return issueCreditNote(db, LIVE, invoice.id, { lines, settle, ...BY });
      });
    const paid = (invoice: Invoice, amount: string) =>
      inTransaction((db) => recordPayment(db, LIVE, invoice.id, { ...PAID, amount, excess: 'balance' }));
    // Due, then in part, then paid.
    await note(first!, 0, 'balance');
    await paid(first!, '150.00');
    for (const [place, settle] of [
      [1, 'balance'],
      [2, 'outside'],
      [3, 'balance'],
    ] as const)
      await note(first!, place, settle);
    await paid(second!, '500.00');
    const canceled = await note(second!, 0, 'balance');
    await inTransaction((db) => voidCreditNote(db, LIVE, { id: canceled!.id, ...BY }));
    await inTransaction((db) => voidInvoice(db, LIVE, third!.id, null));
    const deposit = { ...PAID, customer_id, amount: '33.33' };
    await inTransaction((db) => recordDeposit(db, LIVE, deposit));
    const back = await inTransaction((db) => recordDeposit(db, LIVE, deposit));
    await inTransaction((db) => reversePayment(db, LIVE, { id: back!, invoice_id: null, ...BY }));
    await inTransaction((db) => adjustBalance(db, LIVE, { customer_id, amount: '-5.00', ...BY }));
    await paid(fourth!, '10.00');
  }

  /** Books everything at another instant, in whole hours, so that edges of days are met. */
  async function move(seed: number): Promise<void> {
    const instant = (of: string) =>
      `'2026-01-01Z'::timestamptz + abs(hashtext('${of}' || id) # ${seed}) % ${HOURS} * interval '1 hour'`;
    const ifAny = (column: string) =>
      `${column} = case when ${column} is not null then ${instant(column)} end`;
    await inTransaction(async (db) => {
      await db.query('set local session_replication_role = replica');
      await db.query(`update invoices set ${ifAny('issued_at')}, ${ifAny('voided_at')}`);
      await db.query(`update credit_notes set issued_at = ${instant('issued_at')}, ${ifAny('voided_at')}`);
      await db.query(`update payments set created_at = ${instant('created_at')}, ${ifAny('reversed_at')}`);
      await db.query(`update balance_entries set created_at = ${instant('created_at')}`);
    });
  }

  const ALL_MONTHS = Array.from({ length: 12 }, (_, place) => `2026-${`${place + 1}`.padStart(2, '0')}`);
  /** Together they have every booking in euros. */
  const A_YEAR = ALL_MONTHS.map((month) => ({ zone: 'UTC', seed: 1, month, currency: 'EUR' }));
  const aQuery = fc.record({
    zone: fc.constantFrom(...ZONES),
    seed: fc.nat(1_000_000),
    month: fc.constantFrom(...ALL_MONTHS),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
  });

  it('are booked as the journal is, account by account, in the days of the month', async function () {
    this.timeout(120_000);
    const seen = { rows: 0, cents: 0 };
    await fc.assert(
      fc.asyncProperty(aQuery, async ({ zone, seed, month, currency }) => {
        await move(seed);
        await api.request('/v1/account', { method: 'PATCH', body: { timezone: zone }, key: api.live_key });
        const path = `/v1/journal.csv?month=${month}&format=datev&currency=${currency}`;
        const { name, rows } = await datevFrom(api.url + path, api.live_key);
        assert.equal(name, `EXTF_${month}_${currency}.csv`);
        assert.ok(rows.every((row) => row.day.slice(2) === month.slice(5) && row.currency === currency));
        const books = booksOf(rows.map(bookingOf), 2);
        const { body } = await api.request(`/v1/journal/summary?month=${month}`, { key: api.live_key });
        for (const account of JOURNAL_ACCOUNTS) {
          const sum = body.data.find((row: Json) => row.account === account && row.currency === currency);
          const booked = minus(rational(sum?.debit ?? '0'), rational(sum?.credit ?? '0'));
          const of_file = books.get(account) ?? rational('0');
          assert.equal(rounded(of_file, 2), rounded(booked, 2), `${account} in ${month}`);
        }
        seen.rows += rows.length;
        seen.cents += rows.filter(({ gegenkonto }) => gegenkonto === '1776').length;
      }),
      { numRuns: RUNS, examples: A_YEAR.map((query) => [query]) },
    );
    assert.ok(seen.rows > 100 && seen.cents >= 3, JSON.stringify(seen));
  });
});
