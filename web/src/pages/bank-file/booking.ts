import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { asFault, Fault } from '../../api/fault.ts';
import type { MatchCandidate, MatchedRow, Transfer, TransferMatch } from '../../api/objects.ts';
import { useClient } from '../../shell/session.tsx';
import { spread } from '../payments/spread.ts';
import type { BankRow } from './bank-rows.ts';

/** A row of a bank's file, what it matches, what a person has chosen, and what became of it. */
export type Entry = {
  row: BankRow;
  match: MatchedRow;
  /** Invoices that a person has found for it, besides those that it matches. */
  added: readonly MatchCandidate[];
  /** The candidates that it pays, of one customer. */
  picked: readonly MatchCandidate[];
  is_left_out: boolean;
  outcome:
    | { state: 'booking' }
    | { state: 'booked'; transfer: Transfer }
    | { state: 'refused'; fault: Fault }
    | null;
};

/** Rows of one request: its body stays far below 1 MiB. */
const ROWS_AT_ONCE = 500;
/** Statuses of a refusal, which no retry changes; after any other fault the transfer may be booked. */
const REFUSED = [400, 404, 409];

export type Booking = {
  /** Null while the rows are being matched. */
  entries: readonly Entry[] | null;
  fault: Fault | null;
  matchAgain: () => void;
  change: (changed: Entry, changes: Partial<Entry>) => void;
  /** Books what is ready, one after another; stops where a request fails. */
  book: () => Promise<void>;
};

/** Matches rows, and books them as transfers. `rows` must stay the same array. */
export function useBooking(rows: readonly BankRow[]): Booking {
  const client = useClient();
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setEntries(null);
    setFault(null);
    matchAll(client, rows, controller.signal).then(setEntries, (error: unknown) => {
      if (!controller.signal.aborted) setFault(asFault(error));
    });
    return () => controller.abort();
  }, [client, rows, round]);
  const change = ({ row: { line } }: Entry, changes: Partial<Entry>) =>
    setEntries(
      (all) => all && all.map((entry) => (entry.row.line === line ? { ...entry, ...changes } : entry)),
    );
  const book = async () => {
    for (const entry of readyOf(entries ?? [])) {
      change(entry, { outcome: { state: 'booking' } });
      try {
        const transfer = await client.post<Transfer>('/v1/transfers', transferOf(entry)!);
        change(entry, { outcome: { state: 'booked', transfer } });
      } catch (error) {
        const why = asFault(error);
        const is_refused = REFUSED.includes(why.status);
        change(entry, {
          outcome: is_refused ? { state: 'refused', fault: why } : null,
          is_left_out: is_refused,
        });
        if (!is_refused) throw why;
      }
    }
  };
  return { entries, fault, matchAgain: () => setRound(round + 1), change, book };
}

async function matchAll(client: Client, rows: readonly BankRow[], signal: AbortSignal): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = rows.slice(from, from + ROWS_AT_ONCE);
    const body = { rows: part.map(({ line: _, ...row }) => row) };
    const { data } = await client
      .ask<TransferMatch>('/v1/transfers/match', body, signal)
      .catch((error: unknown) => {
        throw signal.aborted ? error : atLines(asFault(error), part);
      });
    for (const [place, match] of data.entries())
      entries.push({ row: part[place]!, match, added: [], picked: [], is_left_out: false, outcome: null });
  }
  return entries;
}

/** A fault that names lines of the file where it names rows of the request. */
function atLines(fault: Fault, rows: readonly BankRow[]): Fault {
  const named = (text: string) =>
    text.replaceAll(/rows\[(\d+)\]/g, (_, place: string) => `line ${rows[Number(place)]?.line}`);
  const { status, code, request_id } = fault;
  const details = fault.details.map((detail) => ({ ...detail, message: named(detail.message) }));
  return new Fault({ status, code, message: named(fault.message), details, request_id });
}

/** The transfers that are booked next: those with invoices that nobody left out, and that are not booked. */
export function readyOf(entries: readonly Entry[]): Entry[] {
  return entries.filter(
    (entry) => !entry.is_left_out && entry.outcome?.state !== 'booked' && transferOf(entry) !== null,
  );
}

/** The invoices that may be meant, from which a person chooses. */
export function offeredTo({ match, added }: Entry): MatchCandidate[] {
  return [...match.candidates, ...added];
}

/** Whether a row was refused because a transfer equal to it stands: who chooses it again books a second one. */
export function isDuplicate({ outcome }: Entry): boolean {
  return (
    outcome?.state === 'refused' && outcome.fault.details.some(({ reason }) => reason === 'duplicate_payment')
  );
}

/** The request of a transfer; null for a row that pays no invoice. */
export function transferOf(entry: Entry): object | null {
  const { row, match, picked } = entry;
  const { amount, reference, paid_at } = row;
  const sent = { amount, reference, paid_at, ...(isDuplicate(entry) && { allow_duplicate: true }) };
  if (match.invoices.length > 0) {
    const invoices = match.invoices.map(({ id, amount: part }) => ({ id, amount: part }));
    return { ...sent, customer_id: match.customer_id, invoices };
  }
  const [first] = picked;
  if (first === undefined) return null;
  const due = picked.map(({ id, amount: amount_due }) => ({ id, amount_due }));
  const { parts } = spread(amount, due)!;
  const invoices = parts.map(({ invoice: { id }, amount: part }) => ({ id, amount: part }));
  return { ...sent, customer_id: first.customer_id, invoices };
}
