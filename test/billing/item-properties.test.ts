import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aggregateUsage, issueInvoice } from '../../src/billing/close/draft.ts';
import { generateInvoices } from '../../src/billing/close/generate.ts';
import { addInvoiceItem, deleteInvoiceItem } from '../../src/billing/close/invoice-item.ts';
import { replaceInvoice } from '../../src/billing/owed/regenerate.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { readOnly, transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import { lockCustomerAndSubscription } from '../../src/db/subscriptions/subscription-context.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';
import { breachesOf } from '../support/ledger/sound.ts';

const MONTHS = ['01', '02', '03', '04', '05', '06'];
const RUNS = 25;
const PLAN: given.TestCharge[] = [
  { event_name: 'fee', pricing: { pricing_model: 'flat', flat_amount: '50' } },
];
const by = 'key_1';

type Life = { customer_id: string; subscription_id: string; billed: number };
type Step = {
  name: string;
  run: (life: Life, db: Db) => Promise<unknown>;
  [fc.toStringMethod]: () => string;
};

function stepOf(name: string, run: Step['run']): Step {
  return { name, run, [fc.toStringMethod]: () => name };
}

const anItem = fc
  .record({
    unit_amount: fc.constantFrom('-60', '-130.01', '-7.5', '-0.333', '20', '45'),
    quantity: fc.constantFrom('1', '1', '2', '2.5'),
  })
  .map(({ unit_amount, quantity }) =>
    stepOf(`add ${quantity} at ${unit_amount}`, ({ customer_id, subscription_id }, db) => {
      const item = { customer_id, subscription_id, description: 'Item', quantity, unit_amount, by };
      return addInvoiceItem(db, given.LIVE, item, given.NO_GRACE);
    }),
  );

/** A step with one of a customer's invoices or items, by its place from the newest. */
function withOne(
  name: string,
  table: 'invoices' | 'invoice_items',
  act: (db: Db, id: string, life: Life) => Promise<unknown>,
): fc.Arbitrary<Step> {
  return fc.nat(4).map((place) =>
    stepOf(`${name} ${place}`, async (life, db) => {
      const { rows } = await db.query<{ id: string }>(
        `select id from ${table} where customer_id = $1 order by id desc offset $2 limit 1`,
        [life.customer_id, place],
      );
      if (rows[0] !== undefined) await act(db, rows[0].id, life);
    }),
  );
}

const aDeletion = withOne('delete item', 'invoice_items', (db, id) =>
  deleteInvoiceItem(db, given.LIVE, { id, by }, given.NO_GRACE),
);
const aVoid = withOne('void invoice', 'invoices', (db, id) => voidInvoice(db, given.LIVE, id, null));
const aRegeneration = withOne('regenerate invoice', 'invoices', async (db, id, { subscription_id }) => {
  const subscription = (await lockCustomerAndSubscription(db, given.LIVE, subscription_id))!;
  const old = (await findInvoice(db, given.LIVE, id))!;
  return replaceInvoice(db, { subscription, old, reason: null }, given.NO_GRACE);
});
const aGeneration = fc.constant(
  stepOf('generate', ({ subscription_id }, db) =>
    generateInvoices(
      db,
      { environment_id: given.LIVE, subscription_id },
      { close_now: false },
      given.NO_GRACE,
    ),
  ),
);

const someSteps = fc.array(
  fc.oneof(
    ...[anItem, anItem, anItem, anItem, aVoid, aVoid, aRegeneration, aRegeneration, aDeletion],
    ...[fc.constant<'issue'>('issue'), fc.constant<'issue'>('issue'), aGeneration],
  ),
  { minLength: 12, maxLength: 30, size: 'max' },
);

/** billing.md 7: an item below zero is taken as far as it fits, and the rest is an item of its own. */
describe('an item and all that it was split into', function () {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  async function aLife(): Promise<Life> {
    const customer = await given.aCustomer(pool);
    await pool.query(
      `update customers set test_clock = '2026-08-01', external_id = 'life of ' || id where id = $1`,
      [customer.id],
    );
    const subscription_id = await given.aSubscription(pool, customer, await given.aPlan(pool, PLAN));
    return { customer_id: customer.id, subscription_id, billed: 0 };
  }

  /** Bills the next month; nothing once `generate` or this has billed all. */
  async function issueNext(life: Life): Promise<void> {
    const month = MONTHS[life.billed++];
    if (month === undefined) return;
    const step = { ...given.stepOf(life.subscription_id), period_start: `2026-${month}-01T00:00:00.000Z` };
    await transaction(pool, (db) => aggregateUsage(db, step, given.NO_GRACE));
    await transaction(pool, (db) => issueInvoice(db, step, given.NO_GRACE));
  }

  /** The amounts of each item that a person made, as it was made and with all that it was split into, deleted ones too. */
  async function sumsOf({ customer_id }: Life): Promise<{ id: string; sum: string }[]> {
    const { rows } = await pool.query<{ id: string; sum: string }>(
      `with recursive part as (
         select environment_id, id, id as of, amount from invoice_items where customer_id = $1 and split_from is null
         union all
         select x.environment_id, x.id, part.of, x.amount from part
         join invoice_items x on x.environment_id = part.environment_id and x.split_from = part.id
       )
       select of as id, sum(amount)::text as sum from part group by of order by of`,
      [customer_id],
    );
    return rows;
  }

  it('add up to what it was, through issues, voids, regenerations and deletions', async function () {
    let splits = 0;
    await fc.assert(
      fc.asyncProperty(someSteps, async (steps) => {
        const life = await aLife();
        const made = new Map<string, string>();
        for (const step of steps) {
          if (step === 'issue') await issueNext(life);
          else
            await transaction(pool, (db) => step.run(life, db)).catch((error: unknown) => {
              // Only what the state does not allow; every other error is a fault.
              if (!(error instanceof BillingError) || error.code !== 'conflict') throw error;
            });
          const sums = await sumsOf(life);
          for (const { id, sum } of sums) if (!made.has(id)) made.set(id, sum);
          assert.deepEqual(
            new Map(sums.map(({ id, sum }) => [id, sum])),
            made,
            step === 'issue' ? step : step.name,
          );
        }
        const { rows } = await pool.query<{ count: string }>(
          'select count(*) from invoice_items where customer_id = $1 and split_from is not null',
          [life.customer_id],
        );
        splits += Number(rows[0]!.count);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    assert.ok(splits > RUNS / 3, `${splits} splits were seen`);
    assert.deepEqual(await readOnly(pool, (db) => breachesOf(db, undefined, ['item', 'invoice'])), []);
  });
});
