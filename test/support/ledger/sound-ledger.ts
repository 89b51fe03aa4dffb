import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { aggregateUsage, applyCredits } from '../../../src/billing/close/draft.ts';
import { isZero } from '../../../src/domain/money/figures.ts';
import { dueDateOf } from '../../../src/domain/time/due-date.ts';
import { contentHash } from '../../../src/db/invoicing/content-hash.ts';
import { insertInvoiceItem } from '../../../src/db/invoicing/invoice-items.ts';
import { issueDrafts } from '../../../src/db/invoicing/issue.ts';
import { findInvoice } from '../../../src/db/invoicing/invoices.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { readLines } from '../../../src/db/invoicing/line-items.ts';
import { transaction, type Db, type Pool } from '../../../src/db/connection/pool.ts';
import { lockSubscription } from '../../../src/db/subscriptions/subscription-context.ts';
import { REPORTS } from '../../../src/db/reports/fold.ts';
import { consumeAll } from '../../../src/db/changes/consume.ts';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import { newId } from '../../../src/keys/ids.ts';
import * as given from './billing.ts';

const FLAT: Pricing = { pricing_model: 'flat', flat_amount: '49' };

const HELD = { ...given.NO_GRACE, grace_period_ms: 365 * 86_400_000 };
const FEBRUARY = '2026-02-01T00:00:00.000Z';

/** Objects of a sound database, one of each kind, for planting faults. */
export type SoundLedger = {
  pool: Pool;
  customer: given.TestCustomer;
  /** An open invoice: 40 events at 1.00 less 10 of credit, plus 49.00. */
  issued: Invoice;
  grant: string;
  /** A draft that is held: 3 events at 1.00, plus 49.00. */
  draft: Invoice;
  /** A held draft of a customer in real time. */
  held: Invoice;
  /** An open invoice: an empty month, with 300 late events of the month before. */
  late: Invoice;
  voided: Invoice;
  replacing: Invoice;
  /** An open invoice with an item of 10.00. */
  with_item: Invoice;
};

/** A database without any fault: an invoice with credit, drafts, a late line, a void and a replaced invoice. */
export async function aSoundLedger(database_url?: string): Promise<SoundLedger> {
  const pool = await given.aLedger(database_url);
  const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }, { event_name: 'fee', pricing: FLAT }]);
  const customer = await aCustomerAt(pool, '2026-02-01T00:00:30.000Z');
  const grant = await given.aGrant(pool, customer, 10);
  const issued = await billed(pool, customer, { plan, events: 40 });
  const draft = await drafted(pool, plan);
  const voided = await voidedWithCredit(pool, plan);
  const replacing = await replaced(pool, plan);
  const with_item = await billedWithItem(pool, plan);
  const late = await billedLate(pool);
  const held = await heldNow(pool, plan);
  while (await rollUp(pool));
  await consumeAll(pool, REPORTS);
  return { pool, customer, issued, grant, draft, held, late, voided, replacing, with_item };
}

/** A customer with a stopped clock, so that no unbilled period becomes overdue. */
async function aCustomerAt(pool: Pool, test_clock: string): Promise<given.TestCustomer> {
  const customer = await given.aCustomer(pool, { tax_rate: '20' });
  await pool.query('update customers set test_clock = $2 where id = $1', [customer.id, test_clock]);
  return customer;
}

async function billed(
  pool: Pool,
  customer: given.TestCustomer,
  use: { plan: string; events: number },
): Promise<Invoice> {
  const subscription = await given.aSubscription(pool, customer, use.plan);
  await given.post(pool, customer, given.january(use.events));
  return given.bill(pool, given.stepOf(subscription));
}

/** A draft with an event that was stored after its cut-off. */
async function drafted(pool: Pool, plan: string): Promise<Invoice> {
  const customer = await aCustomerAt(pool, '2026-02-01T00:00:31.000Z');
  const step = given.stepOf(await given.aSubscription(pool, customer, plan));
  await given.post(pool, customer, given.january(3));
  await transaction(pool, (db) =>
    aggregateUsage(db, step, { ...given.NO_GRACE, grace_period_ms: 3_600_000 }),
  );
  await given.post(pool, customer, given.january(1));
  return given.invoiceOf(pool, step);
}

/** A subscription that started 40 days ago in real time; its first month is a draft held for a year. */
async function heldNow(pool: Pool, plan: string): Promise<Invoice> {
  const customer = await given.aCustomer(pool);
  const start = new Date(Date.now() - 40 * 86_400_000).toISOString();
  const id = await given.aSubscription(pool, customer, plan, start);
  const step = { ...given.stepOf(id), period_start: start };
  await transaction(pool, (db) => aggregateUsage(db, step, HELD));
  await transaction(pool, (db) => applyCredits(db, step, given.NO_GRACE));
  return given.invoiceOf(pool, step);
}

async function billedWithItem(pool: Pool, plan: string): Promise<Invoice> {
  const customer = await aCustomerAt(pool, '2026-02-01T00:00:33.500Z');
  const subscription_id = await given.aSubscription(pool, customer, plan);
  await insertInvoiceItem(pool, given.LIVE, {
    ...{ id: newId('ii'), customer_id: customer.id, subscription_id, description: 'Setup', quantity: '2' },
    ...{ unit_amount: '5', amount: '10.00', at: '2026-01-01T00:00:00.000Z', by: 'key_1' },
  });
  return given.bill(pool, given.stepOf(subscription_id));
}

/** A void invoice whose drawn credit is back in its grants. */
async function voidedWithCredit(pool: Pool, plan: string): Promise<Invoice> {
  const customer = await aCustomerAt(pool, '2026-02-01T00:00:32.000Z');
  await given.aGrant(pool, customer, 5);
  const invoice = await billed(pool, customer, { plan, events: 20 });
  await transaction(pool, (db) => voidBySql(db, invoice.id));
  return invoice;
}

/** Voids an invoice and bills it again at the same instant of the customer's clock, with the events stored in between. */
async function replaced(pool: Pool, plan: string): Promise<Invoice> {
  const customer = await aCustomerAt(pool, '2026-02-01T00:00:33.000Z');
  const old = await billed(pool, customer, { plan, events: 7 });
  await given.post(pool, customer, given.january(2));
  await transaction(pool, (db) => voidBySql(db, old.id));
  // A step bills no period whose invoice is void, so insert an empty draft for it to fill.
  await pool.query(
    `insert into invoices (environment_id, id, subscription_id, customer_id, plan_id, status, currency, period_start,
       period_end, subtotal, tax_rate, tax_amount, total, amount_paid, credits_applied, replaces, hold_until,
       usage_revision, credit_revision, created_at)
     select environment_id, $2, subscription_id, customer_id, plan_id, 'draft', currency, period_start, period_end,
       0.00, tax_rate, 0.00, 0.00, 0, 0, id, hold_until, 0, 0, created_at from invoices where id = $1`,
    [old.id, newId('inv')],
  );
  const invoice = await given.bill(pool, given.stepOf(old.subscription_id));
  await pool.query('update invoices set replaced_by = $2 where id = $1', [old.id, invoice.id]);
  await pool.query(
    `insert into regenerations (environment_id, id, subscription_id, invoice_id, status, new_invoice_id, requested_at,
       finished_at)
     values ($1, $2, $3, $4, 'done', $5, now(), now())`,
    [given.LIVE, newId('reg'), old.subscription_id, old.id, invoice.id],
  );
  return invoice;
}

async function voidBySql(db: Db, invoice_id: string): Promise<void> {
  await db.query(
    `update invoices i set status = 'void', amount_paid = 0, voided_at = c.test_clock
     from customers c where c.id = i.customer_id and i.id = $1`,
    [invoice_id],
  );
  await db.query(
    `with returned as (
       insert into credit_ledger (environment_id, grant_id, type, amount, invoice_id, line_item_id, created_at)
       select environment_id, grant_id, 'returned', -amount, invoice_id, line_item_id, now() from credit_ledger
       where invoice_id = $1 and type = 'drawn' returning grant_id, amount
     )
     update credit_grants g set remaining = g.remaining + returned.amount from returned where g.id = returned.grant_id`,
    [invoice_id],
  );
}

/** 900 events of January are billed at 90.00. 300 more come late: rate(1,200) is 115.00, so February's invoice has a late line of 25.00. */
async function billedLate(pool: Pool): Promise<Invoice> {
  const plan = await given.aPlan(pool, [{ pricing: given.GRADUATED }]);
  const customer = await aCustomerAt(pool, '2026-02-01T00:00:34.000Z');
  const january = await billed(pool, customer, { plan, events: 900 });
  await given.post(pool, customer, given.january(300));
  await pool.query('update customers set test_clock = $2 where id = $1', [
    customer.id,
    '2026-03-01T00:00:30.000Z',
  ]);
  const step = { ...given.stepOf(january.subscription_id), period_start: FEBRUARY };
  await transaction(pool, (db) => aggregateUsage(db, step, given.NO_GRACE));
  await transaction(pool, (db) => applyCredits(db, step, given.NO_GRACE));
  const { id } = await given.invoiceOf(pool, step);
  await transaction(pool, async (db) => {
    await insertLateLine(db, { id, of: january.id });
    const subscription = (await lockSubscription(db, given.LIVE, january.subscription_id))!;
    const { now, timezone, net_days } = subscription;
    const { total } = (await findInvoice(db, given.LIVE, id))!;
    const status = isZero(total) ? 'paid' : 'open';
    const issue = {
      issued_at: now,
      status,
      balance: '0',
      ...dueDateOf(now, timezone, net_days),
    } as const;
    await issueDrafts(db, given.LIVE, [{ id, ...issue, lines: await readLines(db, given.LIVE, [id]) }]);
  });
  return (await findInvoice(pool, given.LIVE, id))!;
}

async function insertLateLine(db: Db, { id, of }: { id: string; of: string }): Promise<void> {
  const line = newId('li');
  await db.query(
    `insert into line_items (environment_id, id, invoice_id, position, type, charge_id, event_name, description,
       pricing_model, aggregation, quantity, skipped_events, credits_applied, billable_quantity, tiers, amount,
       period_start, period_end, full_period_start, subscription_id)
     select environment_id, $2, $3, 1, 'late_usage', charge_id, event_name, 'Late usage', pricing_model, aggregation,
       300, 0, 0, 300, null, 25.00, period_start, period_end, full_period_start, subscription_id from line_items
     where invoice_id = $1`,
    [of, line, id],
  );
  await db.query(
    `insert into line_item_spans (environment_id, line_item_id, position, after_cut_off_id, up_to_cut_off_id,
       timestamp_from, timestamp_to, stored_to)
     select p.environment_id, $2, 0, p.up_to_cut_off_id,
       (select max(u.id) from cut_offs u where u.subscription_id = l.subscription_id),
       p.timestamp_from, p.timestamp_to, now() + interval '1 day'
     from line_item_spans p join line_items l on l.id = p.line_item_id where l.invoice_id = $1`,
    [of, line],
  );
  await db.query(
    `update invoices set subtotal = subtotal + 25, tax_amount = tax_amount + 5, total = total + 30 where id = $1`,
    [id],
  );
}

/** Recomputes the content hash of an issued invoice. */
export async function reseal(db: Db, id: string): Promise<void> {
  const invoice = await findInvoice(db, given.LIVE, id);
  await db.query('update invoices set content_hash = $2 where id = $1', [id, contentHash(invoice!)]);
}
