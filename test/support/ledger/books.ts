import assert from 'node:assert/strict';
import { listJournal, sumJournal } from '../../../src/db/invoicing/journal.ts';
import { readRevenue } from '../../../src/db/reports/revenue.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import type { JournalAccount, JournalEntry } from '../../../src/domain/invoice/journal.ts';
import { minus, NOTHING, plus, rational, type Rational } from '../oracles/price-oracle.ts';
import { assertOwed, receivableMoves } from './owed-by-day.ts';

const ALL_TIME = { from: '1970-01-01T00:00:00.000Z', to: '9999-12-31T00:00:00.000Z' };
/** Page size so small that entries of one instant fall on several pages. */
const PAGE_SIZE = 50;
/** Instants at which the receivables are compared, spread over the journal. */
const INSTANTS_MAX = 6;

/**
 * Asserts that the debits of every entry of the journal equal its credits, that the receivable of each customer is what the invoices say is
 * due, also by age at some instants, or at all of them, that the balance account is what the customers' balances say, and that revenue is
 * what its accounts say.
 */
export async function assertBooks(pool: Pool, instants_max = INSTANTS_MAX): Promise<void> {
  const { rows: environments } = await pool.query<{ id: number }>('select id from environments order by id');
  for (const { id } of environments) {
    const entries = await wholeJournal(pool, id);
    assert.equal(new Set(entries.map(({ entry }) => entry)).size, entries.length, 'each entry is there once');
    for (const { entry, amounts } of entries)
      assert.equal(textOf(total(Object.values(amounts))), '0', `${entry} balances`);
    for (const { currency, account, debit, credit } of await sumJournal(pool, id, ALL_TIME)) {
      const moves = entries
        .filter((entry) => entry.currency === currency)
        .map(({ amounts }) => amounts[account] ?? '0');
      const difference = minus(minus(rational(debit), rational(credit)), total(moves));
      assert.equal(textOf(difference), '0', `the sum of ${account} in ${currency}`);
    }
    await assertRevenue(pool, id);
    const { rows: owed } = await pool.query<{ customer_id: string; due: string; balance: string }>(
      `select c.external_id as customer_id, c.balance::text as balance, coalesce(sum(case
         when i.number is null or i.status = 'void' then 0
         else i.total - i.amount_paid - i.balance_applied - i.credited end), 0)::text as due
       from customers c left join invoices i on i.environment_id = c.environment_id and i.customer_id = c.id
       where c.environment_id = $1 group by c.environment_id, c.id`,
      [id],
    );
    for (const { customer_id, due, balance } of owed) {
      const own = entries.filter((entry) => entry.customer_id === customer_id);
      const sumOf = (account: JournalAccount) => total(own.map(({ amounts }) => amounts[account] ?? '0'));
      assert.equal(
        textOf(minus(sumOf('receivable'), rational(due))),
        '0',
        `the receivable of ${customer_id}`,
      );
      assert.equal(
        textOf(plus(sumOf('customer_balance'), rational(balance))),
        '0',
        `the balance of ${customer_id}`,
      );
    }
    const moves = await receivableMoves(pool, id, entries);
    for (const before of [null, ...someInstants(moves, instants_max)])
      await assertOwed(pool, id, moves, before);
  }
}

/** Instants of entries, each of which is not before itself, spread over all of them. */
function someInstants(entries: readonly { at: string }[], instants_max: number): string[] {
  const instants = [...new Set(entries.map(({ at }) => at))].sort();
  const step = Math.max(1, Math.ceil(instants.length / instants_max));
  return instants.filter((_, place) => place % step === 0);
}

/** Asserts that revenue, added up from invoices and credit notes, is what the journal has. */
async function assertRevenue(pool: Pool, environment_id: number): Promise<void> {
  const { from, to } = ALL_TIME;
  const query = { environment_id, customer_id: null, group_by: null, starts: [from], to };
  const revenue = await readRevenue(pool, { ...query, currency: 'USD', groups: 0 });
  const journal = await sumJournal(pool, environment_id, ALL_TIME);
  for (const [account, names] of [
    ['revenue', ['fees', 'usage', 'late_usage', 'items', 'discounts', 'minimums', 'voided', 'credited']],
    ['tax_payable', ['tax']],
  ] as const)
    for (const currency of new Set([...revenue, ...journal].map((row) => row.currency))) {
      const booked = journal.find((sum) => sum.currency === currency && sum.account === account);
      const found = revenue.find((row) => row.currency === currency);
      const moved = minus(rational(booked?.credit ?? '0'), rational(booked?.debit ?? '0'));
      const amount = total(names.map((name) => found?.[name] ?? '0'));
      assert.equal(textOf(minus(moved, amount)), '0', `revenue of ${account} in ${currency}`);
    }
}

async function wholeJournal(pool: Pool, environment_id: number): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (;;) {
    const page = await listJournal(pool, environment_id, {
      ...ALL_TIME,
      after: entries.at(-1) ?? null,
      limit: PAGE_SIZE,
    });
    entries.push(...page);
    if (page.length < PAGE_SIZE) return entries;
  }
}

function total(amounts: readonly string[]): Rational {
  return amounts.map(rational).reduce(plus, NOTHING);
}

function textOf({ n, d }: Rational): string {
  return n === 0n ? '0' : `${n}/${d}`;
}
