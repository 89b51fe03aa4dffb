import assert from 'node:assert/strict';
import type { Pool } from '../../../src/db/connection/pool.ts';
import type { JournalEntry } from '../../../src/domain/invoice/journal.ts';
import { readReceivables } from '../../../src/db/invoicing/receivables.ts';
import { equals, NOTHING, plus, rational, total, type Rational } from '../oracles/price-oracle.ts';

/** A move of the receivable of an invoice by an entry of the journal. */
export type Move = {
  invoice_id: string;
  customer_id: string;
  due_date: string;
  at: string;
  amount: Rational;
};

const DAY_MS = 86_400_000;
const AGES = ['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const;
type Age = (typeof AGES)[number];

/** The age on a day of what was due on another one (billing.md 7). */
function ageOn(day: string, due_date: string): Age {
  const days = (Date.parse(day) - Date.parse(due_date)) / DAY_MS;
  if (days <= 0) return 'current';
  if (days <= 30) return 'days_1_30';
  if (days <= 60) return 'days_31_60';
  return days <= 90 ? 'days_61_90' : 'days_over_90';
}

/** The moves of the receivable by the entries of a journal. */
export async function receivableMoves(
  pool: Pool,
  environment_id: number,
  entries: readonly JournalEntry[],
): Promise<Move[]> {
  const { rows } = await pool.query<{ id: string; invoice_id: string; due_date: string }>(
    `select x.id, i.id as invoice_id, i.due_date::text as due_date
     from (
       select environment_id, id, id as invoice_id from invoices
       union all select environment_id, id, invoice_id from payments
       union all select environment_id, id, invoice_id from credit_notes
       union all select environment_id, id, invoice_id from balance_entries) as x
     join invoices i on i.environment_id = x.environment_id and i.id = x.invoice_id
     where x.environment_id = $1 and i.number is not null`,
    [environment_id],
  );
  const invoices = new Map(rows.map(({ id, ...of }) => [id, of]));
  return entries.flatMap(({ object_id, at, customer_id, amounts: { receivable = '0' } }) => {
    const amount = rational(receivable);
    return equals(amount, NOTHING) ? [] : { ...invoices.get(object_id)!, customer_id, at, amount };
  });
}

type Owed = { ages: Map<Age, Rational>; oldest_due_date: string; invoices: number };

/** The amounts that customers owe by the moves before an instant, null for all, by their ages on a day. */
export function owedBy(moves: readonly Move[], before: string | null, day: string): Map<string, Owed> {
  const invoices = new Map<string, Omit<Move, 'at'>>();
  for (const { at, amount, ...move } of moves) {
    if (before !== null && at >= before) continue;
    const so_far = invoices.get(move.invoice_id)?.amount ?? NOTHING;
    invoices.set(move.invoice_id, { ...move, amount: plus(so_far, amount) });
  }
  const customers = new Map<string, Owed>();
  for (const { customer_id, due_date, amount } of invoices.values()) {
    if (equals(amount, NOTHING)) continue;
    const owed = customers.get(customer_id) ?? { ages: new Map(), oldest_due_date: due_date, invoices: 0 };
    const age = ageOn(day, due_date);
    owed.ages.set(age, plus(owed.ages.get(age) ?? NOTHING, amount));
    if (due_date < owed.oldest_due_date) owed.oldest_due_date = due_date;
    customers.set(customer_id, { ...owed, invoices: owed.invoices + 1 });
  }
  return customers;
}

/** Asserts that ages, and their total, have the amounts that a debtor or a sum shows. */
export function assertAges(
  shown: Record<Age | 'total', string>,
  ages: ReadonlyMap<Age, Rational>,
  of: string,
): void {
  for (const age of AGES)
    assert.ok(equals(rational(shown[age]), ages.get(age) ?? NOTHING), `${of}: ${age} is not ${shown[age]}`);
  assert.ok(
    equals(rational(shown.total), total([...ages.values()])),
    `${of}: the total is not ${shown.total}`,
  );
}

/**
 * Asserts that the receivables before an instant, null for all that is booked, are those of a replay of the journal, the oldest due date
 * first, and that the sums of currencies add up to the same.
 */
export async function assertOwed(
  pool: Pool,
  environment_id: number,
  moves: readonly Move[],
  before: string | null,
): Promise<void> {
  const day = (before ?? new Date().toISOString()).slice(0, 10);
  const { sums, debtors } = await readReceivables(pool, environment_id, {
    ...{ before, day, days: {}, customer_ids: null, currency: null, after: null, limit: 1_000_000 },
  });
  const expected = owedBy(moves, before, day);
  const of = `before ${before}`;
  assert.deepEqual(
    debtors.map(({ debtor }) => debtor.customer_id).sort(),
    [...expected.keys()].sort(),
    `debtors ${of}`,
  );
  for (const { debtor } of debtors) {
    const { customer_id, oldest_due_date, invoices } = debtor;
    const owed = expected.get(customer_id)!;
    assertAges(debtor, owed.ages, `${customer_id} ${of}`);
    assert.deepEqual(
      [oldest_due_date, invoices],
      [owed.oldest_due_date, owed.invoices],
      `${customer_id} ${of}`,
    );
  }
  const dates = debtors.map(({ debtor }) => debtor.oldest_due_date);
  assert.deepEqual(dates, dates.toSorted(), of);
  const sumOf = (amounts: readonly string[]) => total(amounts.map(rational));
  for (const sum of sums) {
    const totals = debtors.filter(({ debtor }) => debtor.currency === sum.currency);
    assert.ok(
      equals(rational(sum.total), sumOf(totals.map(({ debtor }) => debtor.total))),
      `${sum.currency} ${of}`,
    );
    assert.ok(equals(rational(sum.total), sumOf(AGES.map((age) => sum[age]))), `${sum.currency} ${of}`);
  }
}
