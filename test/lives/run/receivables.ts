import assert from 'node:assert/strict';
import { assertAges, owedBy, type Move } from '../../support/ledger/owed-by-day.ts';
import { minus, rational, rounded } from '../../support/oracles/price-oracle.ts';
import type { Json } from '../../support/servers/api.ts';
import { dueOf } from '../model/owed.ts';
import type { World } from '../model/world.ts';
import type { Session } from './session.ts';

/** Days that are asked for, spread over the life. */
const DAYS_MAX = 12;

/**
 * Asserts that the receivables of a customer are what the model says is due, and on days of its life what invoices, payments, credit notes
 * and balance entries come to.
 */
export async function compareReceivables(world: World, session: Session): Promise<void> {
  const moves = await movesOf(session);
  const [now] = await owedOn(session, '');
  const due = world.invoices
    .filter(({ issued_at }) => issued_at !== null)
    .reduce((sum, one) => sum + dueOf(one), 0n);
  const digits = 10n ** BigInt(world.digits);
  assert.equal(
    now?.total ?? null,
    due === 0n ? null : rounded({ n: due, d: digits }, world.digits),
    'owed now',
  );
  const days = [...new Set(moves.map(({ at }) => at.slice(0, 10)))].sort();
  const step = Math.ceil(days.length / DAYS_MAX);
  for (const day of days.filter((_, place) => place % step === 0)) {
    const [debtor, ...others] = await owedOn(session, `&as_of=${day}`);
    assert.deepEqual(others, []);
    const owed = owedBy(moves, `${day}T99`, day).get(session.customer_id);
    if (owed === undefined) assert.equal(debtor, undefined, `nothing is owed on ${day}`);
    else {
      assert.ok(debtor !== undefined, `something is owed on ${day}`);
      assertAges(debtor, owed.ages, day);
      assert.deepEqual([debtor.oldest_due_date, debtor.invoices], [owed.oldest_due_date, owed.invoices], day);
    }
  }
}

async function owedOn({ request, customer_id }: Session, query: string): Promise<Json[]> {
  const { status, body } = await request(`/v1/receivables?customer_id=${customer_id}${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

/** The amounts that documents moved of what is due of invoices, each when it was recorded. */
async function movesOf({ request, customer_id }: Session): Promise<Move[]> {
  const listed = async (path: string): Promise<Json[]> => (await request(path)).body.data;
  const of_customer = `customer_id=${customer_id}&limit=200`;
  const invoices = (await listed(`/v1/invoices?${of_customer}`)).filter(
    ({ issued_at }) => issued_at !== null,
  );
  const notes = await listed(`/v1/credit-notes?${of_customer}`);
  const entries = await listed(`/v1/customers/${customer_id}/balance-entries?limit=200`);
  const due_dates = new Map<string, string>(invoices.map(({ id, due_date }) => [id, due_date]));
  const move = (invoice_id: string, at: string | null, amount: string, part = '0'): Move[] =>
    at === null || !due_dates.has(invoice_id)
      ? []
      : [
          {
            invoice_id,
            customer_id,
            due_date: due_dates.get(invoice_id)!,
            at,
            amount: minus(rational(amount), rational(part)),
          },
        ];
  return [
    ...invoices.flatMap(({ id, issued_at, voided_at, total, payments }) => [
      ...move(id, issued_at, total),
      ...move(id, voided_at, '0', total),
      ...payments.flatMap(({ created_at, reversed_at, amount, to_balance }: Json) => [
        ...move(id, created_at, to_balance, amount),
        ...move(id, reversed_at, amount, to_balance),
      ]),
    ]),
    ...notes.flatMap(({ invoice_id, issued_at, voided_at, to_invoice }) => [
      ...move(invoice_id, issued_at, '0', to_invoice),
      ...move(invoice_id, voided_at, to_invoice),
    ]),
    ...entries
      .filter(({ type }) => ['applied', 'unapplied', 'returned'].includes(type))
      .flatMap(({ invoice_id, created_at, amount }) => move(invoice_id, created_at, amount)),
  ];
}
