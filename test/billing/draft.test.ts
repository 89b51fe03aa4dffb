import assert from 'node:assert/strict';
import {
  aggregateUsage,
  applyCredits,
  finalizeInvoice,
  issueInvoice,
} from '../../src/billing/close/draft.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

describe('billing a period', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  async function billed(charges: given.TestCharge[], events: given.TestEvent[], credit = 0) {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(pool, customer, await given.aPlan(pool, charges));
    if (credit > 0) await given.aGrant(pool, customer, credit);
    await given.post(pool, customer, events);
    return given.bill(pool, given.stepOf(subscription));
  }

  it('15,000 events on T are 605.00', async () => {
    const invoice = await billed([{ pricing: given.GRADUATED }], given.january(15_000));
    assert.deepEqual([invoice.total, invoice.status, invoice.amount_due], ['605.00', 'open', '605.00']);
  });

  it('15,000 events on T with 3,000 credits are rate(12,000) = 575.00, and the grant is empty', async () => {
    const invoice = await billed([{ pricing: given.GRADUATED }], given.january(15_000), 3000);
    assert.deepEqual([invoice.total, invoice.credits_applied], ['575.00', '3000']);
    const { rows } = await pool.query(
      `select sum(amount)::text as left from credit_ledger where grant_id =
         (select grant_id from credit_ledger where invoice_id = $1)`,
      [invoice.id],
    );
    assert.equal(rows[0].left, '0');
  });

  it('a total of zero is paid at once', async () => {
    const invoice = await billed([{ pricing: given.PER_UNIT }], []);
    assert.deepEqual([invoice.total, invoice.status, invoice.payment_status], ['0.00', 'paid', 'paid']);
    assert.equal(invoice.paid_at, invoice.issued_at);
  });

  it('exactly the end of the period belongs to the next one, the start to this one', async () => {
    const edges = [
      '2025-12-31T23:59:59.999Z',
      '2026-01-01T00:00:00.000Z',
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
    ];
    const invoice = await billed(
      [{ pricing: given.PER_UNIT }],
      edges.map((timestamp) => ({ timestamp })),
    );
    assert.equal(invoice.total, '2.00');
  });

  it('running each step twice, also concurrently, changes nothing', async () => {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(
      pool,
      customer,
      await given.aPlan(pool, [{ pricing: given.GRADUATED }]),
    );
    await given.aGrant(pool, customer, 300);
    await given.post(pool, customer, given.january(1200));
    const step = given.stepOf(subscription);
    const twice = async (run: (db: Parameters<Parameters<typeof transaction>[1]>[0]) => Promise<unknown>) => {
      await Promise.all([transaction(pool, run), transaction(pool, run)]);
      const first = await given.invoiceOf(pool, step);
      await given.post(pool, customer, given.january(1));
      await transaction(pool, run);
      assert.deepEqual(await given.invoiceOf(pool, step), first);
    };
    await twice((db) => aggregateUsage(db, step, given.NO_GRACE));
    await twice((db) => applyCredits(db, step, given.NO_GRACE));
    await twice((db) => issueInvoice(db, step, given.NO_GRACE));
    const { rows } = await pool.query(
      `select type, amount::text from credit_ledger where invoice_id is not null and grant_id in
      (select id from credit_grants where customer_id = $1)`,
      [customer.id],
    );
    assert.deepEqual(rows, [{ type: 'drawn', amount: '-300' }]);
  });

  it('an event that commits after the cut-off is not in the line, even if it was sent before', async () => {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(
      pool,
      customer,
      await given.aPlan(pool, [{ pricing: given.PER_UNIT }]),
    );
    const slow = await pool.connect();
    await slow.query('begin');
    await given.post(slow, customer, given.january(1));
    await given.post(pool, customer, given.january(2));
    const invoice = await given.bill(pool, given.stepOf(subscription));
    await slow.query('commit');
    slow.release();
    assert.equal(invoice.line_items[0]!.quantity, '2');
    const { rows } = await pool.query(
      `select count(*) filter (where held)::int as held, count(*) filter (where not held)::int as late from (
         select event_in_cut_off(e.epoch, e.created_xid, u.epoch, u.snapshot) as held
         from events e join cut_offs u on u.subscription_id = $2 where e.customer_key = $1) as events`,
      [customer.key, subscription],
    );
    assert.deepEqual(rows[0], { held: 2, late: 1 });
  });

  it('a draft counts again when its hold ends', async () => {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(
      pool,
      customer,
      await given.aPlan(pool, [{ pricing: given.PER_UNIT }]),
    );
    await given.post(pool, customer, given.january(2));
    const step = given.stepOf(subscription);
    await transaction(pool, (db) =>
      aggregateUsage(db, step, { ...given.NO_GRACE, grace_period_ms: 3_600_000 }),
    );
    const draft = await given.invoiceOf(pool, step);
    await given.post(pool, customer, given.january(3));
    const issued = await transaction(pool, (db) => finalizeInvoice(db, given.LIVE, draft.id, given.NO_GRACE));
    assert.deepEqual([draft.status, draft.total, draft.number], ['draft', '2.00', null]);
    assert.deepEqual([issued!.status, issued!.total], ['open', '5.00']);
    assert.equal(issued!.line_items[0]!.id, draft.line_items[0]!.id);
    await assert.rejects(
      transaction(pool, (db) => finalizeInvoice(db, given.LIVE, draft.id, given.NO_GRACE)),
      { code: 'conflict' },
    );
  });

  it('a period whose invoice is void is not billed again by its step', async () => {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(
      pool,
      customer,
      await given.aPlan(pool, [{ pricing: given.PER_UNIT }]),
    );
    const invoice = await given.bill(pool, given.stepOf(subscription));
    await pool.query(`update invoices set status = 'void' where id = $1`, [invoice.id]);
    const again = await transaction(pool, (db) =>
      aggregateUsage(db, given.stepOf(subscription), given.NO_GRACE),
    );
    assert.equal(again, null);
  });
});

describe('credit and numbers under concurrency', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('a grant covers only usage before its expiry, whenever the invoice is made', async () => {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(
      pool,
      customer,
      await given.aPlan(pool, [{ pricing: given.PER_UNIT }]),
    );
    await given.aGrant(pool, customer, 100, { expires_at: '2026-01-02T00:00:10.000Z' });
    await given.post(pool, customer, given.january(30));
    const invoice = await given.bill(pool, given.stepOf(subscription));
    assert.deepEqual([invoice.credits_applied, invoice.total], ['10', '20.00']);
    const { rows } = await pool.query(
      `select type, amount::text from credit_ledger where environment_id = $1 and grant_id in
         (select id from credit_grants where customer_id = $2) order by id`,
      [given.LIVE, customer.id],
    );
    assert.deepEqual(rows, [
      { type: 'granted', amount: '100' },
      { type: 'drawn', amount: '-10' },
      { type: 'expired', amount: '-90' },
    ]);
  });

  it('two subscriptions that close at once never spend the same credit', async () => {
    for (let round = 0; round < 15; round++) {
      const customer = await given.aCustomer(pool);
      const charges = ['a', 'b', 'c'].map((event_name) => ({ event_name, pricing: given.PER_UNIT }));
      const subscriptions: string[] = [];
      for (const charge of charges) {
        subscriptions.push(await given.aSubscription(pool, customer, await given.aPlan(pool, [charge])));
        await given.post(
          pool,
          customer,
          given.january(8).map((event) => ({ ...event, event_name: charge.event_name })),
        );
      }
      await given.aGrant(pool, customer, 5);
      await given.aGrant(pool, customer, 6, { rollover: false });
      const invoices = await Promise.all(subscriptions.map((id) => given.bill(pool, given.stepOf(id))));
      const applied = invoices.map(({ credits_applied }) => Number(credits_applied)).sort((a, b) => a - b);
      assert.deepEqual(applied, [0, 3, 8]);
      const { rows } = await pool.query(
        `select sum(remaining)::text as remaining,
           (select sum(l.amount)::text from credit_ledger l join credit_grants g on g.id = l.grant_id where g.customer_id = $1) as ledger
         from credit_grants where customer_id = $1`,
        [customer.id],
      );
      assert.deepEqual(rows[0], { remaining: '0', ledger: '0' });
    }
  });

  it('numbers have no gap, though a third of the transactions is rolled back', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscriptions: string[] = [];
    for (let n = 0; n < 30; n++)
      subscriptions.push(await given.aSubscription(pool, await given.aCustomer(pool), plan));
    await Promise.all(
      subscriptions.map(async (id, index) => {
        const step = given.stepOf(id);
        const failing = transaction(pool, async (db) => {
          await aggregateUsage(db, step, given.NO_GRACE);
          await issueInvoice(db, step, given.NO_GRACE);
          if (index % 3 === 0) throw new Error('rolled back');
        });
        if (index % 3 === 0) await assert.rejects(failing, /rolled back/);
        await failing.catch(() => undefined);
        await given.bill(pool, step);
      }),
    );
    const { rows } = await pool.query(
      `select max(number)::int - min(number)::int + 1 as span, count(number)::int as numbers, count(distinct number)::int as distinct
       from invoices where number is not null`,
    );
    assert.equal(rows[0].span, rows[0].numbers);
    assert.equal(rows[0].distinct, rows[0].numbers);
  });

  it('the index alone refuses a second invoice of a period', async () => {
    const subscription = await given.aSubscription(
      pool,
      await given.aCustomer(pool),
      await given.aPlan(pool, [{ pricing: given.PER_UNIT }]),
    );
    const { id } = await given.bill(pool, given.stepOf(subscription));
    const copy = pool.query(
      `insert into invoices (environment_id, id, subscription_id, customer_id, plan_id, status, currency, period_start, period_end,
         subtotal, tax_rate, tax_amount, total, amount_paid, credits_applied, hold_until, usage_revision, credit_revision, created_at)
       select environment_id, id || 'x', subscription_id, customer_id, plan_id, 'draft', currency, period_start, period_end,
         subtotal, tax_rate, tax_amount, total, amount_paid, credits_applied, hold_until, usage_revision, credit_revision, created_at
       from invoices where id = $1`,
      [id],
    );
    await assert.rejects(copy, { constraint: 'invoices_period' });
  });

  it('a late line of the draft that no longer fits at the issue is credited where it was billed', async () => {
    const customer = await given.aCustomer(pool);
    const tiers = [
      { up_to: '10', unit_amount: '1', flat_amount: null },
      { up_to: null, unit_amount: '0.1', flat_amount: null },
    ];
    const plan = await given.aPlan(pool, [{ pricing: { pricing_model: 'volume', tiers } }]);
    const subscription = await given.aSubscription(pool, customer, plan);
    const stepOf = (period_start: string) => ({ ...given.stepOf(subscription), period_start });
    const ten = (timestamp: string) => given.post(pool, customer, Array(10).fill({ timestamp }));
    const setClock = (now: string) =>
      pool.query('update customers set test_clock = $2 where id = $1', [customer.id, now]);
    await ten('2026-01-10T00:00:00Z');
    await setClock('2026-02-01T00:00:30Z');
    await given.bill(pool, stepOf('2026-01-01T00:00:00.000Z'));
    // 11 units of January cost 1.10, so 8.90 of the billed 10.00 are owed back.
    const late = { timestamp: '2026-01-11T00:00:00Z', created_at: '2026-02-05T00:00:00Z' };
    await given.post(pool, customer, [late]);
    await ten('2026-02-10T00:00:00Z');
    await setClock('2026-03-01T00:00:30Z');
    const february = stepOf('2026-02-01T00:00:00.000Z');
    await transaction(pool, (db) => aggregateUsage(db, february, given.NO_GRACE));
    await transaction(pool, (db) => applyCredits(db, february, given.NO_GRACE));
    assert.equal((await given.invoiceOf(pool, february)).total, '1.10');
    // One for the late unit, which draws first.
    await given.aGrant(pool, customer, 11);
    await transaction(pool, (db) => issueInvoice(db, february, given.NO_GRACE));
    assert.equal((await given.invoiceOf(pool, february)).total, '0.00');
    await ten('2026-03-10T00:00:00Z');
    await setClock('2026-04-01T00:00:30Z');
    const march = await given.bill(pool, stepOf('2026-03-01T00:00:00.000Z'));
    assert.deepEqual(
      march.line_items.map(({ amount }) => amount),
      ['10.00'],
    );
  });
});
