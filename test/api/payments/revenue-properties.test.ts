import assert from 'node:assert/strict';
import fc from 'fast-check';
import { issueCreditNote, voidCreditNote } from '../../../src/billing/owed/credit-note.ts';
import { voidInvoice } from '../../../src/billing/owed/void.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { equals, plus, rational, total, type Rational } from '../../support/oracles/price-oracle.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';

const MONTHS = ['01', '02', '03', '04', '05', '06'];
const ZONES = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana'];
/** Bookings are moved into these days, which have changes of clocks in all zones. */
const FIRST_DAY = Date.parse('2026-01-01');
const DAYS = 365;
const HOUR_MS = 3_600_000;
const RUNS = 40;

const CHARGES: given.TestCharge[] = [
  { event_name: 'platform', pricing: { pricing_model: 'flat', flat_amount: '49' } },
  { pricing: given.PER_UNIT },
];

const SUMMED = [
  ...['fees', 'usage', 'late_usage', 'items', 'voided', 'credited', 'total', 'tax'],
  ...['invoices', 'credit_notes'],
];

const dayOf = (day: number) => new Date(FIRST_DAY + day * 24 * HOUR_MS).toISOString().slice(0, 10);

const aQuery = fc.record({
  zone: fc.constantFrom(...ZONES),
  seed: fc.nat(1000),
  range: fc.tuple(fc.nat(DAYS), fc.nat(DAYS)).map((days) => days.sort((a, b) => a - b)),
  by: fc.constantFrom('month', 'week', 'day'),
  group_by: fc.constantFrom('customer', 'plan'),
  currency: fc.constantFrom('USD', 'JPY'),
  limit: fc.integer({ min: 1, max: 3 }),
});

/** All months in which something is booked. */
const A_YEAR: typeof aQuery extends fc.Arbitrary<infer Query> ? Query : never = {
  ...{ zone: 'UTC', seed: 1, range: [0, DAYS], by: 'month', group_by: 'customer' },
  ...{ currency: 'USD', limit: 3 },
};

/** contract.md 4: revenue is what the journal has, however it is divided. */
describe('revenue of random bookings', function () {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const { pool } = api;
    for (const currency of ['USD', 'USD', 'USD', 'JPY', 'JPY']) {
      const customer = await given.aCustomer(pool, { currency, tax_rate: '7.7' });
      await pool.query(
        `update customers set test_clock = '2026-08-01', external_id = 'of ' || id where id = $1`,
        [customer.id],
      );
      const subscription_id = await given.aSubscription(
        pool,
        customer,
        await given.aPlan(pool, CHARGES, currency),
      );
      await given.post(pool, customer, [{ timestamp: '2026-01-05T00:00:00.000Z' }]);
      const ids: string[] = [];
      for (const month of MONTHS) {
        const period_start = `2026-${month}-01T00:00:00.000Z`;
        ids.push((await given.bill(pool, { ...given.stepOf(subscription_id), period_start })).id);
      }
      const note = { lines: 'all', settle: 'balance', reason: 'Outage', by: 'key_1' } as const;
      const [first, second, third] = ids;
      await transaction(pool, (db) => issueCreditNote(db, given.LIVE, first!, note));
      const made = await transaction(pool, (db) => issueCreditNote(db, given.LIVE, second!, note));
      await transaction(pool, (db) =>
        voidCreditNote(db, given.LIVE, { id: made!.id, reason: null, by: 'key_1' }),
      );
      await transaction(pool, (db) => voidInvoice(db, given.LIVE, third!, null));
    }
  });
  after(() => api.close());

  /** Books everything at another instant, in whole hours, so that edges of days are met. */
  async function move(seed: number): Promise<void> {
    const instant = (of: string) =>
      `'2026-01-01Z'::timestamptz + abs(hashtext(${of} || ${seed})) % ${DAYS * 24} * interval '1 hour'`;
    await transaction(api.pool, async (db) => {
      await db.query('set local session_replication_role = replica');
      await db.query(
        `update invoices set issued_at = ${instant(`'i' || id`)},
           voided_at = case when voided_at is not null then ${instant(`'v' || id`)} end`,
      );
      await db.query(
        `update credit_notes set issued_at = ${instant(`'i' || id`)},
           voided_at = case when voided_at is not null then ${instant(`'v' || id`)} end`,
      );
    });
  }

  const read = async (path: string): Promise<Json> => {
    const { status, body } = await api.request(path, { key: api.live_key });
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };

  /** The credit and the debit of an account in a range, by the journal. */
  async function booked(account: string, { from, to }: Json, currency: string): Promise<[string, string]> {
    const { data } = await read(`/v1/journal/summary?from=${from}&to=${to}`);
    const found = data.find((sum: Json) => sum.account === account && sum.currency === currency);
    return [found?.credit ?? '0', found?.debit ?? '0'];
  }

  async function assertBooked(range: Json, currency: string, moved: Record<'total' | 'tax', Rational>) {
    for (const [account, amount] of [
      ['revenue', moved.total],
      ['tax_payable', moved.tax],
    ] as const) {
      const [credit, debit] = await booked(account, range, currency);
      assert.ok(equals(plus(amount, rational(debit)), rational(credit)), `${account} from ${range.from}`);
    }
  }

  it('equals the journal in each part, and its groups add up to it', async function () {
    this.timeout(120_000);
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(aQuery, async ({ zone, seed, range: [first, last], currency, ...query }) => {
        await move(seed);
        await api.request('/v1/account', { method: 'PATCH', body: { timezone: zone }, key: api.live_key });
        const path = `/v1/revenue?from=${dayOf(first!)}&to=${dayOf(last!)}&currency=${currency}&by=${query.by}`;
        const whole = await read(path);
        const { group_by, limit } = query;
        const { data } = await read(`${path}&group_by=${group_by}&limit=${limit}`);
        assert.ok(new Set(data.map(({ group }: Json) => group.id)).size <= limit + 1);
        for (const [place, bucket] of whole.data.entries()) {
          assert.equal(bucket.to, whole.data[place + 1]?.from ?? whole.to);
          const parts = data.filter(({ from }: Json) => from === bucket.from);
          for (const name of SUMMED) {
            const amounts = parts.map((part: Json) => rational(`${part[name]}`));
            assert.ok(equals(total(amounts), rational(`${bucket[name]}`)), `${name} of ${bucket.from}`);
          }
          seen += bucket.invoices;
        }
        await assertBooked(whole, currency, movedBy(whole.data));
        const some = whole.data[seed % Math.max(1, whole.data.length)];
        if (some !== undefined) await assertBooked(some, currency, movedBy([some]));
      }),
      { numRuns: RUNS, examples: [[A_YEAR]] },
    );
    // Those of three customers, whatever else the other ranges have.
    assert.ok(seen >= 3 * MONTHS.length, `${seen} invoices`);
  });

  function movedBy(data: readonly Json[]): Record<'total' | 'tax', Rational> {
    const sumOf = (name: string) => total(data.map((bucket) => rational(bucket[name])));
    return { total: sumOf('total'), tax: sumOf('tax') };
  }
});
