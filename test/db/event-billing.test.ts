import assert from 'node:assert/strict';
import { eventIdOfUuid } from '../../src/db/events/event-id.ts';
import { billingOfEvent, type EventBilling } from '../../src/billing/previews/event-billing.ts';
import { aggregateUsage } from '../../src/billing/close/draft.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import {
  aCustomer,
  aLedger,
  aPlan,
  aSubscription,
  bill,
  LIVE,
  NO_GRACE,
  post,
  stepOf,
  type TestCharge,
  type TestCustomer,
  type TestEvent,
} from '../support/ledger/billing.ts';
import { countingRows } from '../support/ledger/rows-read.ts';

const PER_UNIT = { pricing_model: 'per_unit', unit_amount: '1' } as const;
const FLAT = { pricing_model: 'flat', flat_amount: '5' } as const;
const JANUARY = '2026-01-15T00:00:00.000Z';
const FEBRUARY = '2026-02-15T00:00:00.000Z';

describe('the billing status of an event', () => {
  let pool: Pool;
  before(async () => {
    pool = await aLedger();
  });
  after(() => pool.end());

  /** Posts one event and returns a function that reads its billing status. */
  async function sent(
    customer: TestCustomer,
    event: Partial<TestEvent> = {},
  ): Promise<(late_usage_days?: number) => Promise<EventBilling[]>> {
    await post(pool, customer, [{ timestamp: JANUARY, ...event }]);
    const { rows } = await pool.query('select key_hash from events order by id desc limit 1');
    const event_id = eventIdOfUuid(rows[0].key_hash);
    return (late_usage_days = 35) =>
      billingOfEvent(pool, { environment_id: LIVE, event_id }, { ...NO_GRACE, late_usage_days });
  }

  async function subscribed(
    ...charges: TestCharge[]
  ): Promise<{ customer: TestCustomer; subscription_id: string }> {
    const customer = await aCustomer(pool);
    const subscription_id = await aSubscription(pool, customer, await aPlan(pool, charges));
    return { customer, subscription_id };
  }

  const said = (billing: readonly EventBilling[]) =>
    billing.map(({ status, reason }) => (reason === null ? status : `${status}: ${reason}`));
  const subscriptionSet = (
    id: string,
    column: 'start_date' | 'trial_end_date' | 'cancel_at',
    instant: string,
  ) => pool.query(`update subscriptions set ${column} = $2 where id = $1`, [id, instant]);

  it('of an event that no charge counts is one entry with the reason', async () => {
    const alone = await sent(await aCustomer(pool));
    assert.deepEqual(await alone(), [
      {
        ...{ charge_id: null, charge_name: null, subscription_id: null },
        ...{ status: 'unrated', reason: 'no_subscription', expected_at: null },
        ...{ invoice_id: null, invoice_number: null, line_item_id: null },
        ...{ period_start: null, period_end: null, period_invoice_id: null, period_invoice_number: null },
      },
    ]);
    const { customer } = await subscribed({ pricing: FLAT }, { pricing: PER_UNIT, event_name: 'other' });
    assert.deepEqual(said(await (await sent(customer))()), ['unrated: no_charge']);
    const filtered = await subscribed({ pricing: PER_UNIT, filters: { region: ['eu'] } });
    const elsewhere = await sent(filtered.customer, { properties: { region: 'us' } });
    assert.deepEqual(said(await elsewhere()), ['unrated: filters_do_not_match']);
  });

  it('goes from pending to billed, with its line', async () => {
    const { customer, subscription_id } = await subscribed({ pricing: PER_UNIT });
    const billing = await sent(customer);
    assert.deepEqual(said(await billing()), ['pending']);
    assert.equal((await billing())[0]!.subscription_id, subscription_id);
    await transaction(pool, (db) => aggregateUsage(db, stepOf(subscription_id), NO_GRACE));
    const [drafted] = await billing();
    assert.equal(drafted!.status, 'pending');
    const invoice = await bill(pool, stepOf(subscription_id));
    const [billed] = await billing();
    assert.deepEqual(
      [billed!.status, billed!.invoice_id, billed!.line_item_id, billed!.charge_id],
      ['billed', invoice.id, invoice.line_items[0]!.id, invoice.line_items[0]!.charge_id],
    );
    assert.deepEqual(
      [drafted!.invoice_id, drafted!.line_item_id],
      [billed!.invoice_id, billed!.line_item_id],
    );
  });

  it('is late if its period was billed without it, and pending if that invoice is void', async () => {
    const { customer, subscription_id } = await subscribed({ pricing: PER_UNIT });
    await sent(customer);
    const invoice = await bill(pool, stepOf(subscription_id));
    const late = await sent(customer, { created_at: FEBRUARY });
    const next = await sent(customer, { timestamp: '2026-02-01T00:00:00.000Z' });
    assert.deepEqual(said(await late()), ['late']);
    assert.deepEqual(said(await next()), ['pending'], 'exactly the end is the next period');
    await pool.query(`update invoices set status = 'void' where id = $1`, [invoice.id]);
    assert.deepEqual(said(await late()), ['pending: invoice_void']);
  });

  // January's period ends on 1 February; 35 days later is 8 March.
  const STORED: [created_at: string, late_usage_days: number, status: string][] = [
    ['2026-03-07T23:59:59.999Z', 35, 'late'],
    ['2026-03-08T00:00:00.000Z', 35, 'too_late'],
    ['2026-03-08T00:00:00.000Z', 36, 'late'],
    ['2026-02-01T00:00:00.000Z', 0, 'too_late'],
  ];
  for (const [created_at, late_usage_days, status] of STORED) {
    it(`is ${status} if stored at ${created_at}, with ${late_usage_days} days allowed`, async () => {
      const { customer, subscription_id } = await subscribed({ pricing: PER_UNIT });
      await bill(pool, stepOf(subscription_id));
      const billing = await sent(customer, { created_at });
      assert.deepEqual(said(await billing(late_usage_days)), [status]);
    });
  }

  it('in a cut period is pending until every part is billed; its days for late usage count from the end of the full period', async () => {
    const { customer, subscription_id } = await subscribed({ pricing: PER_UNIT });
    const first = await bill(pool, stepOf(subscription_id));
    const CUT = '2026-01-20T00:00:00.000Z';
    await pool.query(
      `update periods set period_end = case when closed_at is null then '2026-02-01' else $2::timestamptz end,
         period_start = case when closed_at is null then $2::timestamptz else period_start end, full_period_start = '2026-01-01'
       where subscription_id = $1`,
      [subscription_id, CUT],
    );
    const billing = await sent(customer, { created_at: '2026-03-07T23:59:59.999Z' });
    assert.deepEqual(said(await billing()), ['pending'], 'the next part will take it');
    await pool.query(`update periods set closed_at = now() where subscription_id = $1`, [subscription_id]);
    await pool.query(
      `insert into invoices select (jsonb_populate_record(i, jsonb_build_object('id', 'inv_part', 'period_start', $2::text,
         'status', 'draft', 'number', null, 'full_number', null, 'due_date', null, 'due_at', null, 'issued_at', null))).* from invoices i where i.id = $1`,
      [first.id, CUT],
    );
    const setPart = (status: string) =>
      pool.query(
        `update invoices set status = $1, number = 1000, full_number = 'INV-001000', due_date = now(), due_at = now(),
         issued_at = now() where id = 'inv_part'`,
        [status],
      );
    assert.deepEqual(said(await billing()), ['pending'], 'the last part is a draft');
    await setPart('open');
    assert.deepEqual(said(await billing()), ['late']);
    await setPart('void');
    assert.deepEqual(said(await billing()), ['pending: invoice_void']);
  });

  it('is billed with the late line that holds it, within its times of storing', async () => {
    const { customer, subscription_id } = await subscribed({ pricing: PER_UNIT });
    const { id, line_items } = await bill(pool, stepOf(subscription_id));
    const held = await sent(customer, { created_at: '2026-03-07T23:59:59.999Z' });
    const bound = await sent(customer, { created_at: '2026-03-08T00:00:00.000Z' });
    await pool.query(
      `with later as (
         insert into cut_offs (environment_id, subscription_id, epoch, snapshot)
         select $1, $2, max(epoch), pg_current_snapshot() from epochs returning id
       ), invoice as (
         insert into invoices select (jsonb_populate_record(i, '{"id": "inv_next", "period_start": "2026-02-01T00:00:00Z",
           "status": "draft", "number": null, "full_number": null, "due_date": null, "due_at": null, "issued_at": null}')).* from invoices i where i.id = $3 returning id
       ), line as (
         insert into line_items select (jsonb_populate_record(l, '{"id": "li_late", "invoice_id": "inv_next"}')).*
         from line_items l where l.id = $4 returning id
       )
       insert into line_item_spans (environment_id, line_item_id, position, after_cut_off_id, up_to_cut_off_id, timestamp_from,
         timestamp_to, stored_to)
       select $1, 'li_late', 0, s.up_to_cut_off_id, later.id, s.timestamp_from, s.timestamp_to, '2026-03-08'
       from later, line_item_spans s where s.line_item_id = $4`,
      [LIVE, subscription_id, id, line_items[0]!.id],
    );
    const [drafted] = await held();
    assert.deepEqual(
      [drafted!.status, drafted!.invoice_id, drafted!.line_item_id],
      ['pending', 'inv_next', 'li_late'],
    );
    await pool.query(
      `update invoices set status = 'open', number = 1001, full_number = 'INV-001001', due_date = now(), due_at = now(), issued_at = now() where id = 'inv_next'`,
    );
    const [billed] = await held();
    assert.deepEqual([billed!.status, billed!.line_item_id], ['billed', 'li_late']);
    assert.deepEqual(said(await bound()), ['too_late']);
  });

  it('has one entry per charge that counts it, in plan order', async () => {
    const { customer } = await subscribed(
      { pricing: FLAT },
      { pricing: PER_UNIT },
      { pricing: PER_UNIT, aggregation: { type: 'sum', property: 'n' } },
      { pricing: PER_UNIT, aggregation: { type: 'max', property: 'text' } },
      { pricing: PER_UNIT, aggregation: { type: 'unique', property: 'object' } },
      { pricing: PER_UNIT, aggregation: { type: 'latest', property: 'absent' } },
      { pricing: PER_UNIT, filters: { n: ['1'] } },
      { pricing: PER_UNIT, filters: { n: ['2'] } },
    );
    const billing = await sent(customer, { properties: { n: 1, text: 'one', object: {} } });
    assert.deepEqual(said(await billing()), [
      'pending',
      'pending',
      'unrated: property_not_usable',
      'unrated: property_not_usable',
      'unrated: property_missing',
      'pending',
    ]);
  });

  it('is read in five statements, whatever the number of charges', async () => {
    const charges = Array.from({ length: 6 }, () => ({ pricing: PER_UNIT }));
    for (const counting of [charges.slice(0, 1), charges]) {
      const { customer } = await subscribed(...counting);
      await sent(customer);
      const { rows: events } = await pool.query('select key_hash from events order by id desc limit 1');
      const event_id = eventIdOfUuid(events[0].key_hash);
      const { db, rows } = countingRows(pool);
      const billing = await billingOfEvent(db, { environment_id: LIVE, event_id }, NO_GRACE);
      assert.deepEqual([billing.length, rows.length], [counting.length, 5]);
    }
  });

  it('is unrated before the start and after the cancellation, and free in a trial', async () => {
    const { customer, subscription_id } = await subscribed({ pricing: PER_UNIT });
    const billing = await sent(customer);
    await subscriptionSet(subscription_id, 'start_date', '2026-01-15T00:00:00.001Z');
    assert.deepEqual(said(await billing()), ['unrated: before_start']);
    await subscriptionSet(subscription_id, 'start_date', JANUARY);
    assert.deepEqual(said(await billing()), ['pending']);
    await subscriptionSet(subscription_id, 'trial_end_date', '2026-01-15T00:00:00.001Z');
    assert.deepEqual(said(await billing()), ['trial']);
    await subscriptionSet(subscription_id, 'cancel_at', JANUARY);
    assert.deepEqual(said(await billing()), ['unrated: after_cancellation']);
  });

  it('ignores other customers with the same plan', async () => {
    const { customer } = await subscribed({ pricing: PER_UNIT });
    const billing = await sent(customer);
    const plan_id = (
      await pool.query('select plan_id from subscriptions where customer_id = $1', [customer.id])
    ).rows[0].plan_id;
    const stranger = await aCustomer(pool);
    const theirs = await aSubscription(pool, stranger, plan_id);
    await post(pool, stranger, [{ timestamp: JANUARY }]);
    await bill(pool, stepOf(theirs));
    assert.deepEqual(said(await billing()), ['pending'], 'the charge billed somebody else');
  });
});
