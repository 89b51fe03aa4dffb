import assert from 'node:assert/strict';
import fc from 'fast-check';
import { adjustBalance, payFromBalance } from '../../src/billing/owed/balance.ts';
import { issueCreditNote, voidCreditNote } from '../../src/billing/owed/credit-note.ts';
import { recordDeposit } from '../../src/billing/owed/deposit.ts';
import { addInvoiceItem } from '../../src/billing/close/invoice-item.ts';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { reversePayment, reverseTransfer } from '../../src/billing/owed/reverse.ts';
import { recordTransfer } from '../../src/billing/owed/transfer.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { readOnly, transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';
import { assertBooks } from '../support/ledger/books.ts';
import { breachesOf } from '../support/ledger/sound.ts';

const MONTHS = ['01', '02', '03', '04', '05', '06'];
const RUNS = 25;
const PLAN: given.TestCharge[] = [
  { event_name: 'platform', pricing: { pricing_model: 'flat', flat_amount: '90' } },
  { event_name: 'support', pricing: { pricing_model: 'flat', flat_amount: '10' } },
];

/** The objects of one life, by id, in the order of their making. */
type Life = {
  customer_id: string;
  subscription_id: string;
  invoices: string[];
  payments: string[];
  transfers: string[];
  notes: string[];
};
type Step = {
  name: string;
  run: (life: Life, db: Db) => Promise<unknown>;
  [fc.toStringMethod]: () => string;
};

function stepOf(name: string, run: Step['run']): Step {
  return { name, run, [fc.toStringMethod]: () => name };
}

const by = 'key_1';
const picked = (ids: readonly string[], pick: number) => ids[pick % ids.length];
const anAmount = fc.constantFrom('0.01', '12.34', '50', '100', '120', '250.05');
const aPick = fc.nat(5);

/** A step with one of some objects; nothing while there are none. */
function withOne(
  name: string,
  kind: 'invoices' | 'payments' | 'transfers' | 'notes',
  act: (db: Db, id: string) => Promise<unknown>,
) {
  return (pick: number) =>
    stepOf(`${name} ${pick}`, async (life, db) => {
      const id = picked(life[kind], pick);
      if (id !== undefined) await act(db, id);
    });
}

const PAID = { paid_at: null, reference: null, allow_duplicate: false, by };

const depositOf = (amount: string): Step =>
  stepOf(`deposit ${amount}`, async ({ customer_id, payments }, db) =>
    payments.push((await recordDeposit(db, given.LIVE, { customer_id, amount, ...PAID }))!),
  );
const aDeposit = anAmount.map(depositOf);

const aPayment = fc
  .record({
    pick: aPick,
    amount: fc.option(anAmount),
    excess: fc.constantFrom('refused', 'balance', 'balance'),
  })
  .map(({ pick, amount, excess }) =>
    stepOf(
      `pay ${amount ?? 'all'} of invoice ${pick}, excess ${excess}`,
      async ({ invoices, payments }, db) => {
        const id = picked(invoices, pick)!;
        payments.push((await recordPayment(db, given.LIVE, id, { amount, excess, ...PAID }))!);
      },
    ),
  );

const reversalOf = withOne('reverse payment', 'payments', (db, id) =>
  reversePayment(db, given.LIVE, { id, invoice_id: null, reason: 'bounced', by }),
);
const aReversal = aPick.map(reversalOf);

const aTransfer = fc
  .record({
    picks: fc.uniqueArray(aPick, { minLength: 1, maxLength: 3 }),
    // More than three invoices have.
    amount: fc.constantFrom('600', '712.34'),
    part: fc.option(anAmount),
  })
  .map(({ picks, amount, part }) =>
    stepOf(
      `transfer ${amount} for invoices ${picks.join()}, ${part ?? 'all'} of the last`,
      async ({ customer_id, invoices, payments, transfers }, db) => {
        const ids = [...new Set(picks.map((pick) => picked(invoices, pick)!))];
        const named = ids.map((id, place) =>
          part === null || place < ids.length - 1 ? { id } : { id, amount: part },
        );
        const request = { customer_id, amount, invoices: named, ...PAID };
        const made = await recordTransfer(db, given.LIVE, request);
        transfers.push(made.id);
        payments.push(...made.payments.map(({ id }) => id));
      },
    ),
  );

const aTransferReversal = aPick.map(
  withOne('reverse transfer', 'transfers', (db, id) =>
    reverseTransfer(db, given.LIVE, { id, reason: 'bounced', by }),
  ),
);

const aNote = fc
  .record({
    pick: aPick,
    place: fc.option(fc.nat(1)),
    amount: fc.option(anAmount),
    settle: fc.constantFrom('balance', 'balance', 'outside'),
  })
  .map(({ pick, place, amount, settle }) => {
    const what = place === null ? 'all lines' : `${amount ?? 'all'} of line ${place}`;
    return stepOf(`credit ${what} of invoice ${pick}, ${settle}`, async ({ invoices, notes }, db) => {
      const id = picked(invoices, pick)!;
      const { rows } = await db.query<{ id: string }>(
        'select id from line_items where invoice_id = $1 order by position',
        [id],
      );
      const lines = place === null ? 'all' : [{ line_item_id: rows[place]!.id, amount }];
      const note = await issueCreditNote(db, given.LIVE, id, { lines, settle, reason: 'Outage', by });
      notes.push(note!.id);
    });
  });

const aNoteVoid = aPick.map(
  withOne('void note', 'notes', (db, id) => voidCreditNote(db, given.LIVE, { id, reason: null, by })),
);
const aVoid = aPick.map(
  withOne('void invoice', 'invoices', (db, id) => voidInvoice(db, given.LIVE, id, null)),
);
const anApplication = aPick.map(
  withOne('apply the balance to invoice', 'invoices', (db, id) =>
    payFromBalance(db, given.LIVE, id, { amount: null, by }),
  ),
);
const anAdjustment = fc
  .constantFrom('20', '-20', '-100')
  .map((amount) =>
    stepOf(`adjust by ${amount}`, ({ customer_id }, db) =>
      adjustBalance(db, given.LIVE, { customer_id, amount, reason: 'Payout', by }),
    ),
  );
const anIssue = fc.constant<'issue'>('issue');

type Dated = { days: number; step: Step | 'issue' };

/** A deposit covers an invoice, and the bank takes it back. */
const A_RETURN: Dated[] = [depositOf('50'), 'issue' as const, reversalOf(0)].map((step) => ({
  days: 1,
  step,
}));

const someSteps: fc.Arbitrary<Dated[]> = fc.array(
  fc.record({
    days: fc.constantFrom(0, 0, 1, 20),
    step: fc.oneof(
      ...[aDeposit, aDeposit, aPayment, aPayment, aPayment, aReversal, aReversal, aReversal],
      ...[aTransfer, aTransfer, aTransferReversal],
      ...[
        aNote,
        aNote,
        aNoteVoid,
        aVoid,
        aVoid,
        anApplication,
        anApplication,
        anAdjustment,
        anIssue,
        anIssue,
      ],
    ),
  }),
  { minLength: 12, maxLength: 30, size: 'max' },
);

/** billing.md 7: whatever is paid, credited, voided and reversed, in whatever order. */
describe('balance, receivable and journal', function () {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  async function aLife(tax_rate: string): Promise<Life> {
    const customer = await given.aCustomer(pool, { tax_rate });
    // Requests find a customer by its external id, which never begins as our own ids do.
    await pool.query(
      `update customers set test_clock = '2026-08-01', external_id = 'life of ' || id where id = $1`,
      [customer.id],
    );
    const subscription_id = await given.aSubscription(pool, customer, await given.aPlan(pool, PLAN));
    return {
      customer_id: customer.id,
      subscription_id,
      invoices: [],
      payments: [],
      transfers: [],
      notes: [],
    };
  }

  const pass = ({ customer_id }: Life, days: number) =>
    pool.query(`update customers set test_clock = test_clock + $2 * interval '1 day' where id = $1`, [
      customer_id,
      days,
    ]);

  /** Bills the next month, with a line below zero; nothing once all are billed. */
  async function issueNext({ customer_id, subscription_id, invoices }: Life): Promise<void> {
    const month = MONTHS[invoices.length];
    if (month === undefined) return;
    const item = {
      customer_id,
      subscription_id,
      description: 'Discount',
      quantity: '1',
      unit_amount: '-15',
      by,
    };
    await transaction(pool, (db) => addInvoiceItem(db, given.LIVE, item, given.NO_GRACE));
    const period_start = `2026-${month}-01T00:00:00.000Z`;
    const { id } = await given.bill(pool, { ...given.stepOf(subscription_id), period_start });
    invoices.push(id);
  }

  /** Asserts that nothing of a customer is below 0, and that no invoice is paid beyond its total. */
  async function assertNothingBelow({ customer_id }: Life, step: string): Promise<void> {
    const { rows } = await pool.query(
      `select id, 'balance' as of from customers where id = $1 and balance < 0
       union all
       select id, status from invoices where customer_id = $1 and (least(amount_paid, balance_applied, credited) < 0
         or (status <> 'void' and amount_paid + balance_applied + credited > total)
         or (status = 'paid') <> (paid_at is not null and status <> 'void' and
           amount_paid + balance_applied + credited = total))`,
      [customer_id],
    );
    assert.deepEqual(rows, [], step);
  }

  it('agree at every instant of random deposits, payments, transfers, reversals, notes, voids and adjustments, nothing below zero', async function () {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('0', '20', '7.7'), someSteps, async (tax_rate, steps) => {
        const life = await aLife(tax_rate);
        await issueNext(life);
        for (const { days, step } of steps) {
          await pass(life, days);
          if (step === 'issue') await issueNext(life);
          else
            await transaction(pool, (db) => step.run(life, db)).catch((error: unknown) => {
              // Only what the state does not allow; every other error is a fault.
              if (!(error instanceof BillingError) || error.code !== 'conflict') throw error;
            });
          await assertNothingBelow(life, step === 'issue' ? step : step.name);
        }
        const { rows } = await pool.query<{ type: string }>(
          'select type from balance_entries where customer_id = $1',
          [life.customer_id],
        );
        for (const { type } of rows) seen.set(type, (seen.get(type) ?? 0) + 1);
      }),
      { numRuns: RUNS, endOnFailure: true, examples: [['0', A_RETURN]] },
    );
    await assertBooks(pool, Infinity);
    assert.deepEqual(await readOnly(pool, (db) => breachesOf(db, undefined, ['customer', 'invoice'])), []);
    for (const type of ['deposit', 'applied', 'unapplied']) assert.ok(seen.has(type), `${type} was seen`);
  });
});
