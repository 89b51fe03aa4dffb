import { pathWith } from '../../api/client.ts';
import type { Invoice, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import type { Values } from '../../components/form.tsx';
import { grouped } from '../../components/grouped.ts';
import { FaultNotice } from '../../components/notice.tsx';
import { noteOfKind } from '../invoices/invoice-state.tsx';
import { spread } from './spread.ts';

/** Limit of the invoices of a transfer. */
const INVOICES_MAX = 100;

type OpenInvoicesProps = {
  /** Either id. */
  customer_id: string;
  /** The invoice that is paid anyway, and not offered. */
  except?: string;
  legend: string;
  chosen: readonly Invoice[];
  change: (chosen: readonly Invoice[]) => void;
};

/** A choice among the open invoices of a customer, the one that was due first on top; nothing where there are none. */
export function OpenInvoices({ customer_id, except, legend, chosen, change }: OpenInvoicesProps) {
  const path = pathWith('/v1/invoices', { customer_id, status: 'open', limit: `${INVOICES_MAX}` });
  const { value, fault, reload } = useLoad<List<Invoice>>(path);
  if (fault !== null) return <FaultNotice fault={fault} retry={reload} />;
  const offered = (value?.data ?? []).filter(({ id }) => id !== except).toSorted(byDueDate);
  if (offered.length === 0) return null;
  const isChosen = (id: string) => chosen.some((invoice) => invoice.id === id);
  const toggle = (toggled: string) =>
    change(offered.filter(({ id }) => (id === toggled ? !isChosen(id) : isChosen(id))));
  return (
    <fieldset>
      <legend>{legend}</legend>
      {offered.map((invoice) => (
        <label key={invoice.id} class="check-line">
          <input
            type="checkbox"
            class="check"
            checked={isChosen(invoice.id)}
            onChange={() => toggle(invoice.id)}
          />
          {` ${wordsOf(invoice)}`}
        </label>
      ))}
    </fieldset>
  );
}

/** "INV-000015: 91.65 EUR, due on 2027-02-15, fees in advance". */
function wordsOf(invoice: Invoice): string {
  const { number, amount_due, currency, due_date } = invoice;
  const note = noteOfKind(invoice);
  const words = `${number}: ${grouped(amount_due)} ${currency}, due on ${due_date}`;
  return note === null ? words : `${words}, ${note}`;
}

/** The order of due dates, then of numbers. */
function byDueDate(one: Invoice, other: Invoice): number {
  const placeOf = ({ due_date, number }: Invoice) => `${due_date} ${number}`;
  return placeOf(one) < placeOf(other) ? -1 : 1;
}

/** Prefix of the name of a field that has the amount which an invoice gets. */
const PAYS = 'pays ';

type SpreadProps = { amount: string; invoices: readonly Invoice[] };

/** How an amount is spread over invoices of a customer, in words and for the form. */
export function SpreadAmount({ amount, invoices }: SpreadProps) {
  const result = spread(amount, invoices);
  if (result === null) return null;
  const { parts, rest } = result;
  const currency = invoices[0]!.currency;
  const unpaid = invoices.slice(parts.length);
  return (
    <div role="status">
      <ul>
        {parts.map(({ invoice, amount: part }) => (
          <li key={invoice.id}>
            <input type="hidden" name={`${PAYS}${invoice.id}`} value={part} />
            {`${grouped(part)} of ${grouped(invoice.amount_due)} ${currency} of ${invoice.number}`}
          </li>
        ))}
        {unpaid.map(({ id, number }) => (
          <li key={id}>{`nothing of ${number}`}</li>
        ))}
        <li>{`${grouped(rest)} ${currency} to the balance`}</li>
      </ul>
    </div>
  );
}

/** The invoices of a transfer from the values of a form, and the other values. */
export function spreadOf(values: Values): { invoices: { id: string; amount: string }[]; other: Values } {
  const entries = Object.entries(values);
  const isPart = ([name]: [string, string]) => name.startsWith(PAYS);
  return {
    invoices: entries.filter(isPart).map(([name, amount]) => ({ id: name.slice(PAYS.length), amount })),
    other: Object.fromEntries(entries.filter((entry) => !isPart(entry))),
  };
}
