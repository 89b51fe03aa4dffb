import type { TargetedInputEvent, TargetedKeyboardEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { pathWith } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Invoice, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import type { Values } from '../../components/form.tsx';
import { grouped } from '../../components/grouped.ts';
import { FaultNotice } from '../../components/notice.tsx';
import { noteOfKind } from '../invoices/invoice-state.tsx';
import { offeredOf } from './offered.ts';
import { spread } from './spread.ts';

/** Open invoices from which a field finds one by its number. */
const FIELD_FROM = 10;

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
  const path = pathWith('/v1/invoices', { customer_id, status: 'open' });
  const { value, fault, reload } = useLoad<List<Invoice>>(path, everyPage);
  const [words, setWords] = useState('');
  if (fault !== null) return <FaultNotice fault={fault} retry={reload} />;
  const open = (value?.data ?? []).filter(({ id }) => id !== except);
  if (open.length === 0) return null;
  const { shown, left } = offeredOf(open, { words, chosen });
  const isChosen = (id: string) => chosen.some((invoice) => invoice.id === id);
  const toggle = (toggled: string) =>
    change(shown.filter(({ id }) => (id === toggled ? !isChosen(id) : isChosen(id))));
  return (
    <fieldset>
      <legend>{legend}</legend>
      {open.length > FIELD_FROM && <NumberField words={words} change={setWords} />}
      {shown.map((invoice) => (
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
      <p role="status" class="faint">
        {shown.length === 0 && 'No open invoice of the customer has this in its number.'}
        {left > 0 && `${grouped(`${left}`)} more: enter a part of the number.`}
        {value?.has_more === true && ` Only the ${grouped(`${value.data.length}`)} newest are looked at.`}
      </p>
    </fieldset>
  );
}

type NumberFieldProps = { words: string; change: (words: string) => void };

/** A field that narrows a choice of invoices, and that the form around it does not send. */
function NumberField({ words, change }: NumberFieldProps) {
  const id = useId();
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => change(currentTarget.value);
  // Enter would submit the form.
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) =>
    event.key === 'Enter' && event.preventDefault();
  return (
    <div class="field">
      <label for={id}>Find by a part of the number</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        maxLength={64}
        value={words}
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** "INV-000015: 91.65 EUR, due on 2027-02-15, fees in advance". */
function wordsOf(invoice: Invoice): string {
  const { number, amount_due, currency, due_date } = invoice;
  const note = noteOfKind(invoice);
  const words = `${number}: ${grouped(amount_due)} ${currency}, due on ${due_date}`;
  return note === null ? words : `${words}, ${note}`;
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
