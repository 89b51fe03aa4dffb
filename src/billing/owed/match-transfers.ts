import { decimal, ZERO } from '../../domain/money/decimal.ts';
import { checkDigits, toAmount } from '../../domain/money/money.ts';
import { countsIn } from '../../domain/invoice/named-number.ts';
import { matchRow, type OpenInvoice } from '../../domain/invoice/transfer-match.ts';
import {
  findReceived,
  lastCount,
  readOpenCounted,
  readOpenOfAmount,
  type Received,
} from '../../db/invoicing/received.ts';
import type { MatchedRow } from '../../objects/transfer.ts';
import type { Db } from '../../db/connection/pool.ts';

/** A row of a bank's file; `name` is that of the payer. */
type BankFileRow = {
  paid_at: string;
  amount: string;
  currency: string;
  reference: string;
  name?: string | undefined;
};

/** How many open invoices of its amount a row gets that names none. */
const CANDIDATES_MAX = 5;

/**
 * Finds the invoices that rows of a bank's file pay, in the order of the rows, each without the others (billing.md 7).
 * Stores nothing. Four statements, whatever the number of rows. Throws invalid_request for an amount of more decimals
 * than its currency.
 */
export async function matchTransfers(
  db: Db,
  environment_id: number,
  rows: readonly BankFileRow[],
): Promise<MatchedRow[]> {
  for (const [place, { amount, currency }] of rows.entries())
    checkDigits(`rows[${place}].amount`, amount, currency);
  const named = await openInvoicesNamedBy(db, environment_id, rows);
  const received = await findReceived(db, environment_id, rows);
  const booked = new Map(received.map((found) => [found.place, found]));
  const matches = rows.map((row, place) => matchOf(row, { booked: booked.get(place), named: named[place]! }));
  const unmatched = rows.flatMap(({ currency, amount, name = null }, place) =>
    matches[place]!.status === 'unmatched' ? [{ place, currency, amount, name }] : [],
  );
  const of_amount = await readOpenOfAmount(db, environment_id, { rows: unmatched, limit: CANDIDATES_MAX });
  for (const { place, ...invoice } of of_amount) matches[place]!.candidates.push(candidateOf(invoice));
  return matches;
}

/** Finds for each row the open invoices whose count its reference has, in the order of the reference. */
async function openInvoicesNamedBy(
  db: Db,
  environment_id: number,
  rows: readonly BankFileRow[],
): Promise<OpenInvoice[][]> {
  const last = await lastCount(db, environment_id);
  const counts = rows.map(({ reference }) => countsIn(reference, last));
  const all = new Set(counts.flatMap((of_row) => [...of_row]));
  const open = new Map(
    (await readOpenCounted(db, environment_id, [...all])).map(({ count, ...invoice }) => [count, invoice]),
  );
  return counts.map((of_row) => [...of_row].flatMap((count) => open.get(count) ?? []));
}

function matchOf(
  row: BankFileRow,
  { booked, named }: { booked: Received | undefined; named: readonly OpenInvoice[] },
): MatchedRow {
  const nothing: Omit<MatchedRow, 'status'> = {
    customer_id: null,
    invoices: [],
    to_balance: toAmount(ZERO, row.currency),
    transfer_id: null,
    candidates: [],
  };
  if (!decimal(row.amount).gt(ZERO)) return { ...nothing, status: 'ignored' };
  if (booked !== undefined)
    return {
      ...nothing,
      status: 'booked',
      customer_id: booked.customer_id,
      transfer_id: booked.transfer_id,
    };
  const match = matchRow(row, named);
  switch (match.status) {
    case 'unnamed':
      return { ...nothing, status: 'unmatched' };
    case 'ambiguous': {
      const customers = new Set(match.candidates.map(({ customer_id }) => customer_id));
      return {
        ...nothing,
        status: match.status,
        customer_id: customers.size === 1 ? match.candidates[0]!.customer_id : null,
        candidates: match.candidates.map(candidateOf),
      };
    }
    case 'matched':
    case 'partial':
      return {
        ...nothing,
        status: match.status,
        customer_id: match.invoices[0]!.customer_id,
        invoices: match.invoices.map(({ id, number, amount }) => ({ id, number, amount })),
        to_balance: match.to_balance,
      };
  }
}

function candidateOf({ customer_id, id, number, amount }: OpenInvoice): MatchedRow['candidates'][number] {
  return { customer_id, id, number, amount };
}
